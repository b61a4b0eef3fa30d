import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { t, tn } from '../core/i18n.ts'
import type { Connection } from '../net/bus-connection.ts'
import { showToast } from '../ui/toasts.tsx'

/** Shorter interruptions, such as a socket that moves to another process, are not shown. */
const PATIENCE_MS = 1_500

/**
 * Shows a notice while there are no live events, with the time until the next try and the number of changes that wait for the server,
 * and says when they are back.
 */
export function showConnection(
  { state, tryNow }: Connection,
  online: ReadonlySignal<boolean>,
  waiting: () => number,
): () => void {
  const isLost = computed(() => state.value.kind === 'lost')
  const now = signal(0)
  const text = computed(() => (online.value ? t('Reconnecting') : t('Offline')))
  const more = computed(() => {
    const { value } = state
    const seconds = value.kind === 'lost' ? Math.max(0, Math.ceil((value.nextTry - now.value) / 1_000)) : 0
    const next = seconds === 0 ? t('Trying again') : tn(seconds, 'Next try in {n} second', 'Next try in {n} seconds')
    const kept = waiting()
    if (online.value && kept === 0) return next
    const safe =
      kept === 0
        ? t('What you enter stays here until you can save it.')
        : tn(kept, 'You can go on; {n} change waits on this device.', 'You can go on; {n} changes wait on this device.')
    return `${safe} ${next}`
  })
  return effect(() => {
    if (!isLost.value) return
    let close: (() => void) | null = null
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      now.value = performance.now()
    }
    const show = () => {
      tick()
      close = showToast({ level: 'warning', text, more, action: { label: t('Try now'), run: retry }, lasts: 0 })
    }
    const retry = () => {
      tryNow()
      timer = setTimeout(show, PATIENCE_MS)
    }
    timer = setTimeout(show, PATIENCE_MS)
    const clock = setInterval(tick, 1_000)
    return () => {
      clearTimeout(timer)
      clearInterval(clock)
      close?.()
      if (close) showToast({ level: 'success', text: t('Back online') })
    }
  })
}
