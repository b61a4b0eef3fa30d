export interface PointerSteps {
  /** The pointer has moved far enough, or a finger has rested long enough, to mean it. */
  onStart(): void
  onMove(event: PointerEvent): void
  onEnd(): void
  /** Escape, or the browser took the pointer. */
  onCancel(): void
}

const THRESHOLD = 4
const HOLD_MS = 300

/** Follows a pointer from its press to its release. A finger has to rest first, so that swiping still scrolls. */
export function followPointer(down: PointerEvent, steps: PointerSteps): void {
  if (down.button !== 0 || !down.isPrimary) return
  const isTouch = down.pointerType === 'touch'
  const abort = new AbortController()
  const { signal } = abort
  let isStarted = false
  const start = () => {
    isStarted = true
    getSelection()?.removeAllRanges()
    steps.onStart()
  }
  const stop = () => {
    clearTimeout(timer)
    abort.abort()
  }
  const cancel = () => {
    stop()
    if (isStarted) steps.onCancel()
  }
  const timer = isTouch ? setTimeout(start, HOLD_MS) : undefined
  const on = <K extends keyof WindowEventMap>(type: K, listener: (event: WindowEventMap[K]) => void) =>
    window.addEventListener(type, listener, { signal, capture: true, passive: false })

  on('pointermove', (event) => {
    if (event.pointerId !== down.pointerId) return
    const isFar = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) >= THRESHOLD
    if (!isStarted && isFar && isTouch) return stop()
    if (!isStarted && isFar) start()
    if (isStarted) steps.onMove(event)
  })
  on('touchmove', (event) => {
    if (isStarted) event.preventDefault()
  })
  on('pointerup', (event) => {
    if (event.pointerId !== down.pointerId) return
    stop()
    if (!isStarted) return
    // The click that follows is the end of the drag, not a click on the link.
    const swallow = (click: Event) => {
      click.preventDefault()
      click.stopPropagation()
    }
    window.addEventListener('click', swallow, { capture: true, once: true })
    setTimeout(() => window.removeEventListener('click', swallow, { capture: true }))
    steps.onEnd()
  })
  on('pointercancel', cancel)
  on('dragstart', (event) => event.preventDefault())
  on('keydown', (event) => {
    if (event.key !== 'Escape' || !isStarted) return
    event.preventDefault()
    event.stopPropagation()
    cancel()
  })
}
