import { Icon } from '../../ui/icon.tsx'

interface SmallSelectProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly isInvalid?: boolean
  readonly isDisabled?: boolean
  onPick(value: string): void
}

/** A choice in a table or a bar, whose label is read aloud only. */
export const SmallSelect = ({ label, value, options, isInvalid, isDisabled = false, onPick }: SmallSelectProps) => (
  <span class="pick">
    <select
      class="select"
      aria-label={label}
      value={value}
      disabled={isDisabled}
      {...(isInvalid && { 'aria-invalid': true })}
      onChange={({ currentTarget }) => onPick(currentTarget.value)}
    >
      {options.map(([key, text]) => (
        <option key={key} value={key} selected={key === value}>
          {text}
        </option>
      ))}
    </select>
    <Icon name="chevron-down" size="s" />
  </span>
)
