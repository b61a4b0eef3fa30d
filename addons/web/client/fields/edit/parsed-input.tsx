import { type ComponentChildren, type FieldProps, useState } from '../../sdk.ts'
import { boxClass, controlOf, placeholderOf } from '../control.ts'
import type { Parsed } from '../parsed.ts'

export interface ParsedInputProps {
  readonly of: FieldProps
  /** The value as it is read. */
  readonly text: string
  /** The value as it is typed; default: as it is read. */
  readonly editText?: string
  readonly parse: (text: string) => Parsed
  readonly inputMode?: 'numeric' | 'decimal' | 'text'
  readonly class?: string
  readonly before?: ComponentChildren
  readonly after?: ComponentChildren
}

/**
 * A text field for values that have a notation. What can be read is in the draft with every keystroke; what cannot stays on screen
 * when the field is left, with the reason.
 */
export function ParsedInput({ of: props, parse, ...shown }: ParsedInputProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [isFocused, setFocused] = useState(false)
  const isBoxed = shown.before !== undefined || shown.after !== undefined

  function type(text: string): void {
    setTyped(text)
    const parsed = parse(text)
    if (!('value' in parsed)) return
    props.onInvalid?.(null)
    props.onChange(parsed.value)
  }

  function leave(): void {
    setFocused(false)
    if (typed === null) return
    const parsed = parse(typed)
    if ('value' in parsed) setTyped(null)
    else props.onInvalid?.(parsed.problem)
  }

  const isWrong = typed !== null && !isFocused
  const input = (
    <input
      {...controlOf(props)}
      aria-invalid={isWrong || props.error !== null || undefined}
      class={isBoxed ? (shown.class ?? '') : boxClass(props, 'input', shown.class ?? false)}
      autocomplete="off"
      inputMode={shown.inputMode ?? 'text'}
      placeholder={placeholderOf(props)}
      value={typed ?? (isFocused ? (shown.editText ?? shown.text) : shown.text)}
      onInput={({ currentTarget: { value } }) => type(value)}
      onFocus={({ currentTarget }) => {
        setFocused(true)
        // After the text for typing has taken the place of the one for reading.
        requestAnimationFrame(() => document.activeElement === currentTarget && currentTarget.select())
      }}
      onBlur={leave}
    />
  )
  return isBoxed ? (
    <span class={boxClass(props, 'combo')}>
      {shown.before}
      {input}
      {shown.after}
    </span>
  ) : (
    input
  )
}
