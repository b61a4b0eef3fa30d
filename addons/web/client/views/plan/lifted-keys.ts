import type { Signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/**
 * While a record is lifted by keys, keys that are pressed with the focus nowhere are its own, too: moving it draws it anew, and until its
 * new element has the focus the browser sends keys to the page.
 */
export function useLiftedKeys(
  lifted: Signal<{ readonly by: 'pointer' | 'keys' } | null>,
  press: (event: KeyboardEvent) => void,
): void {
  const isLifted = lifted.value?.by === 'keys'
  const latest = useRef(press)
  latest.current = press
  useEffect(() => {
    if (!isLifted) return
    const pressNowhere = (event: KeyboardEvent) => {
      if (event.target === document.body) latest.current(event)
    }
    document.addEventListener('keydown', pressNowhere, true)
    return () => document.removeEventListener('keydown', pressNowhere, true)
  }, [isLifted])
}
