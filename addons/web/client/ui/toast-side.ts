/** Keeps toasts from covering the pointer: one that would appear below it goes to the other side of the page. */
export function installToastSide(page: Document): void {
  const host = page.querySelector('.toasts')
  if (!host) return
  // Position of the pointer: the last move of a mouse, the last press of a finger.
  let place: readonly [x: number, y: number] = [0, 0]
  const isBelow = () => host.contains(page.elementFromPoint(...place))
  // While the pointer is over a toast, new toasts do not move it to the other side.
  let isReading = false
  for (const event of ['pointermove', 'pointerdown'] as const)
    page.addEventListener(
      event,
      ({ clientX, clientY, target }) => {
        place = [clientX, clientY]
        isReading = target instanceof Node && host.contains(target)
      },
      true,
    )
  const observer = new MutationObserver(() => {
    if (!isReading && isBelow()) host.toggleAttribute('data-aside')
    isReading &&= isBelow()
  })
  observer.observe(host, { childList: true })
}
