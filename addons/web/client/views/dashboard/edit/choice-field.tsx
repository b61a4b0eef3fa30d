import { useId } from 'preact/hooks'

interface ChoiceFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly choices: readonly (readonly [value: string, label: string])[]
}

/** One of a few, with its label. */
export function ChoiceField({ label, value, choices, onChange }: ChoiceFieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      <select class="input" id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {choices.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
