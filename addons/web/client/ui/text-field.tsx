import { useId } from 'preact/hooks'

export interface TextFieldProps {
  readonly label: string
  readonly value: string
  /** Phones show their keyboard for e-mail addresses. */
  readonly isAddress?: boolean
  readonly maxLength?: number
  readonly problem?: string | undefined
  readonly hint?: string
  /** Further attributes of the input. */
  readonly input?: {
    readonly type?: 'password'
    readonly inputMode?: 'numeric'
    readonly autocomplete?: 'current-password' | 'new-password'
    readonly placeholder?: string
    readonly required?: boolean
    readonly disabled?: boolean
    readonly readOnly?: boolean
    readonly spellcheck?: boolean
  }
  readonly onInput: (value: string) => void
}

/** A labelled text input, with its problem or a hint below. */
export function TextField({ label, value, isAddress, maxLength, problem, hint, input, onInput }: TextFieldProps) {
  const id = useId()
  const about = problem ?? hint
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      <input
        class="input"
        id={id}
        {...(isAddress && { inputMode: 'email' as const })}
        autocomplete="off"
        required
        maxLength={maxLength}
        {...input}
        aria-invalid={problem !== undefined || undefined}
        aria-describedby={about === undefined ? undefined : `${id}-about`}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      {about !== undefined && (
        <span class={problem === undefined ? 'hint' : 'err'} id={`${id}-about`} {...(problem && { role: 'alert' })}>
          {about}
        </span>
      )}
    </div>
  )
}
