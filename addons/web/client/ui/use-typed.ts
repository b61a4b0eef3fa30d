import { useEffect, useRef, useState } from 'preact/hooks'

export interface Typed {
  /** Null if nothing is being typed; the control then shows its value. */
  readonly text: string | null
  readonly isFocused: boolean
  set(text: string | null): void
  focus(isFocused: boolean): void
}

/**
 * The text being typed into a control, before it becomes a value. Invalid text is dropped together with its error: if
 * the error disappears while the control does not have the focus, the record was discarded or read again.
 */
export function useTyped(isWrong: boolean): Typed {
  const [text, set] = useState<string | null>(null)
  const [isFocused, focus] = useState(false)
  const wasWrong = useRef(isWrong)
  useEffect(() => {
    if (wasWrong.current && !isWrong && !isFocused) set(null)
    wasWrong.current = isWrong
  }, [isWrong])
  return { text, isFocused, set, focus }
}
