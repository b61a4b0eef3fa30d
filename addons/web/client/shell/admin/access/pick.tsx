import { Icon } from '../../../ui/icon.tsx'

export interface PickProps {
  /** For screen readers, unless a label of the page names it by `id`. */
  readonly label?: string
  readonly id?: string
  readonly isInvalid?: boolean
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly onChoose: (value: string) => void
}

/** A small select. */
export const Pick = ({ label, id, isInvalid, value, options, onChoose }: PickProps) => (
  <span class="pick">
    <select
      class="select"
      id={id}
      aria-label={label}
      aria-invalid={isInvalid || undefined}
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
