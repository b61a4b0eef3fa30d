import { useId } from 'preact/hooks'
import { Pick } from '../access/pick.tsx'

export interface ChooseProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly problem?: string | undefined
  readonly onChoose: (value: string) => void
}

/** A labelled select; the current value is always offered. */
export function Choose({ label, value, options, problem, onChoose }: ChooseProps) {
  const id = useId()
  const isKnown = options.some(([each]) => each === value)
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      <Pick
        id={id}
        value={value}
        options={isKnown ? options : [[value, value], ...options]}
        isInvalid={problem !== undefined}
        onChoose={onChoose}
      />
      {problem !== undefined && (
        <span class="err" role="alert">
          {problem}
        </span>
      )}
    </div>
  )
}
