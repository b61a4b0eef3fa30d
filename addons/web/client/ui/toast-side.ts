/** Keeps toasts from covering the pointer: one that would appear below it goes to the other side of the page. */
export function installToastSide(page: Document): void {
  // Where it was pressed last: a finger and a mouse stay there for a while.
  let pressed: readonly [x: number, y: number] = [0, 0]
  page.addEventListener(
    'pointerdown',
    ({ clientX, clientY }) => {
      pressed = [clientX, clientY]
    },
    true,
  )
  const host = page.querySelector('.toasts')
  if (!host) return
  const observer = new MutationObserver(() => {
    if (host.contains(page.elementFromPoint(...pressed))) host.toggleAttribute('data-aside')
  })
  observer.observe(host, { childList: true })
}
