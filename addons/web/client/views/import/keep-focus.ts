import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { ImportState } from './state.ts'

/** Elements that get the focus if the used one is gone: the link to the records, else the check. */
const NEXT = '.empty .btns > *, .recheck'

/** Returns the focus to a button that was disabled while its action ran, or to the element that replaced it. */
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
