/** Drags a row by its handle with mouse, pen or touch. `onMove` is called each time it has passed another row. */
export function dragLine(
  event: PointerEvent,
  grid: HTMLElement,
  from: number,
  onMove: (from: number, to: number) => void,
): void {
  const handle = event.currentTarget
  if (!(handle instanceof HTMLElement) || event.button !== 0) return
  event.preventDefault()
  handle.setPointerCapture(event.pointerId)
  let at = from
  const move = ({ clientY }: PointerEvent) => {
    const rows = [...grid.querySelectorAll<HTMLElement>('[data-line]')]
    const to = rows.findIndex((row) => {
      const { top, bottom } = row.getBoundingClientRect()
      return clientY >= top && clientY < bottom
    })
    const target = rows[to]
    if (!target || to === at) return
    // Only past the middle of the other row: rows of different heights would otherwise swap back and forth.
    const { top, height } = target.getBoundingClientRect()
    if (to > at ? clientY < top + height / 2 : clientY > top + height / 2) return
    onMove(at, to)
    at = to
  }
  const stop = () => {
    handle.removeEventListener('pointermove', move)
    handle.removeEventListener('pointerup', stop)
    handle.removeEventListener('pointercancel', stop)
  }
  handle.addEventListener('pointermove', move)
  handle.addEventListener('pointerup', stop)
  handle.addEventListener('pointercancel', stop)
}
