import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ImportState } from './state.ts'

/** Where to go on when what was used is gone: to the records, else to the check. */
const NEXT = '.empty .btns > *, .recheck'

/** While something runs its button is disabled and loses the focus: it gets it back, or what has taken its place. */
export function useKeptFocus({ running }: ImportState, box: RefObject<HTMLElement | null>): void {
  const before = useRef<Element | null>(null)
  useEffect(
    () =>
      running.subscribe((now) => {
        if (now !== null) before.current = document.activeElement
      }),
    [running],
  )
  const isRunning = running.value !== null
  useEffect(() => {
    const last = before.current
    if (isRunning || last === null || last === document.body || document.activeElement !== document.body) return
    const isThere = last.isConnected && !last.matches(':disabled')
    const next = isThere ? last : box.current?.querySelector(NEXT)
    if (next instanceof HTMLElement) next.focus()
  }, [isRunning])
}
