/** Moves a row while its handle is held, by mouse, pen or finger: `onMove` is told each time it has passed another. */
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
    // Only past its middle, or rows of different height would jump back and forth.
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
