import { classNames } from './class-names.ts'

interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly disabled?: boolean
  readonly class?: string
  readonly onChange: (isOn: boolean) => void
}

/** A switch with its label after it. */
export const Switch = ({ label, isOn, disabled, class: look, onChange }: SwitchProps) => (
  <label class={classNames('opt', look)}>
    <input
      type="checkbox"
      class="switch"
      role="switch"
      aria-checked={isOn}
      checked={isOn}
      disabled={disabled}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    {label}
  </label>
)
