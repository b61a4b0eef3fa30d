import { Icon } from '../../../ui/icon.tsx'

export interface PickProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly onChoose: (value: string) => void
}

/** A small select with a name for screen readers only. */
export const Pick = ({ label, value, options, onChoose }: PickProps) => (
  <span class="pick">
    <select
      class="select"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChoose(currentTarget.value)}
    >
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
    <Icon name="chevron-down" size="s" />
  </span>
)
