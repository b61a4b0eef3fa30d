import { useEffect, useRef, useState } from 'preact/hooks'

export interface Typed {
  /** Null: nothing is being typed, the control shows its value. */
  readonly text: string | null
  readonly isFocused: boolean
  set(text: string | null): void
  focus(isFocused: boolean): void
}

/**
 * What is being typed into a control, before it is a value. Text that was complained about goes with the complaint: once that is taken
 * back while nobody types, the record was discarded or read again.
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
