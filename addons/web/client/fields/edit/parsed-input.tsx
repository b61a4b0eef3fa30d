import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { FieldProps } from '../../core/registries.ts'
import { boxClass, controlOf, placeholderOf } from '../value/control.ts'
import type { Parsed } from '../value/values.ts'
import { useTypedValue } from './use-typed-value.ts'

export interface ParsedInputProps {
  readonly of: FieldProps
  /** Text shown while the input does not have the focus. */
  readonly text: string
  /** Text shown while it is being edited; default: `text`. */
  readonly editText?: string
  readonly parse: (text: string) => Parsed
  readonly inputMode?: 'numeric' | 'decimal' | 'text'
  readonly class?: string
  /**
   * Content inside the box, before or after the text. Null reserves the box for content that may follow, so that the
   * input is not recreated while the user types.
   */
  readonly before?: ComponentChildren
  readonly after?: ComponentChildren
}

/** A text input for values with a notation. */
export function ParsedInput({ of: props, parse, ...shown }: ParsedInputProps) {
  const { text: typed, isFocused, ...typing } = useTypedValue(props, parse)
  const input = useRef<HTMLInputElement>(null)
  const value = typed ?? (isFocused ? (shown.editText ?? shown.text) : shown.text)
  useLayoutEffect(() => {
    // A value that the server sends while nothing is typed is selected like the one before, so that typing replaces it.
    if (isFocused && typed === null && document.activeElement === input.current) input.current?.select()
  }, [value])
  const isBoxed = shown.before !== undefined || shown.after !== undefined

  const box = (
    <input
      ref={input}
      {...controlOf(props)}
      class={isBoxed ? (shown.class ?? '') : boxClass(props, 'input', shown.class ?? false)}
      autocomplete="off"
      inputMode={shown.inputMode ?? 'text'}
      placeholder={placeholderOf(props)}
      value={value}
      onInput={({ currentTarget: { value } }) => typing.type(value)}
      onFocus={({ currentTarget }) => {
        typing.focus()
        // At once for keys that follow immediately, and again after the pointer has placed the caret.
        currentTarget.select()
        requestAnimationFrame(
          () => !typing.isTyping() && document.activeElement === currentTarget && currentTarget.select(),
        )
      }}
      onBlur={typing.blur}
      onKeyDown={({ key }) => key === 'Escape' && typing.cancel()}
    />
  )
  return isBoxed ? (
    <span class={boxClass(props, 'combo')}>
      {shown.before}
      {box}
      {shown.after}
    </span>
  ) : (
    box
  )
}
