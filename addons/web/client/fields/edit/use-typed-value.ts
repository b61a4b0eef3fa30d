import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FieldProps } from '../../core/registries.ts'
import type { Parsed } from '../value/values.ts'

/**
 * The text of a control whose values have a notation. Valid text is the value with every keystroke. Any other text is
 * handed to the view in place of the value (`onInvalid`) and comes back as `invalidText`; its error is shown when the control
 * is left, and Escape restores the value from before.
 */
export function useTypedValue(props: FieldProps, parse: (text: string) => Parsed) {
  const [typed, setTyped] = useState<string | null>(null)
  const [isFocused, setFocused] = useState(false)
  const latest = useRef({ props, parse, typed, before: props.value })
  const now = Object.assign(latest.current, { props, parse })

  const show = (text: string | null): void => {
    now.typed = text
    setTyped(text)
  }
  const read = (text: string, isTyping: boolean): void => {
    const parsed = now.parse(text)
    if ('problem' in parsed) {
      const { problem } = parsed
      now.props.onInvalid?.({ typedText: text, problem, before: now.before, ...(isTyping && { isTyping }) })
    } else if (isTyping) {
      now.props.onInvalid?.(null)
      now.props.onChange(parsed.value)
    }
  }
  const leave = (): void => {
    if (now.typed !== null) read(now.typed, false)
    now.typed = null
  }
  // A line that is left by a key takes its controls away, and not every browser then tells that they lose the focus.
  useLayoutEffect(() => leave, [])

  return {
    text: typed ?? props.invalidText?.typedText ?? null,
    isFocused,
    isTyping: () => now.typed !== null,
    type(text: string): void {
      show(text)
      read(text, true)
    },
    focus(): void {
      now.before = props.value
      setFocused(true)
    },
    blur(): void {
      leave()
      setTyped(null)
      setFocused(false)
    },
    /** Drops the typed text; an invalid one is replaced by the value from before. */
    cancel(): void {
      const text = now.typed ?? props.invalidText?.typedText
      show(null)
      if (text === undefined || !('problem' in now.parse(text))) return
      now.props.onInvalid?.(null)
      now.props.onChange(now.before)
    },
  }
}
