import { useId } from 'preact/hooks'
import { Icon } from '../../../ui/icon.tsx'

export interface ChooseProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly problem?: string | undefined
  readonly onChoose: (value: string) => void
}

/** A labelled select; what is chosen now is offered whatever it is. */
export function Choose({ label, value, options, problem, onChoose }: ChooseProps) {
  const id = useId()
  const isKnown = options.some(([each]) => each === value)
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      <span class="pick">
        <select
          class="select"
          id={id}
          value={value}
          aria-invalid={problem !== undefined || undefined}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        >
          {!isKnown && <option value={value}>{value}</option>}
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" size="s" />
      </span>
      {problem !== undefined && (
        <span class="err" role="alert">
          {problem}
        </span>
      )}
    </div>
  )
}
