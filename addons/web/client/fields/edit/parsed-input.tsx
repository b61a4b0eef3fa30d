import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { FieldProps } from '../../core/registries.ts'
import { useTyped } from '../../ui/use-typed.ts'
import { boxClass, controlOf, placeholderOf } from '../value/control.ts'
import type { Parsed } from '../value/values.ts'

export interface ParsedInputProps {
  readonly of: FieldProps
  /** The value as it is read. */
  readonly text: string
  /** The value as it is typed; default: as it is read. */
  readonly editText?: string
  readonly parse: (text: string) => Parsed
  readonly inputMode?: 'numeric' | 'decimal' | 'text'
  readonly class?: string
  /** In one box with the text. Null keeps the box for a mark that may come: it must not be made anew while one types. */
  readonly before?: ComponentChildren
  readonly after?: ComponentChildren
}

/**
 * A text field for values that have a notation. What can be read is in the draft with every keystroke; what cannot stays on screen
 * when the field is left, with the reason.
 */
export function ParsedInput({ of: props, parse, ...shown }: ParsedInputProps) {
  const { text: typed, isFocused, ...typing } = useTyped(props.error !== null)
  const latest = useRef(typed)
  latest.current = typed
  const isBoxed = shown.before !== undefined || shown.after !== undefined

  function type(text: string): void {
    typing.set(text)
    const parsed = parse(text)
    if (!('value' in parsed)) return
    props.onInvalid?.(null)
    props.onChange(parsed.value)
  }

  function leave(): void {
    typing.focus(false)
    if (typed === null) return
    const parsed = parse(typed)
    if ('value' in parsed) typing.set(null)
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
        typing.focus(true)
        // After the text for typing has taken the place of the one for reading, unless somebody types already.
        requestAnimationFrame(
          () => latest.current === null && document.activeElement === currentTarget && currentTarget.select(),
        )
      }}
      onBlur={leave}
      // What Escape gives up is no longer shown either.
      onKeyDown={({ key }) => key === 'Escape' && typing.set(null)}
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
