/** Returns the focus when a focused toast disappears: to the element that had it before, or else to the rows or the content of the page. */
export function installToastFocus(page: Document): void {
  const host = page.querySelector('.toasts')
  if (!host) return
  let before: EventTarget | null = null
  host.addEventListener('focusin', (event) => {
    const { relatedTarget } = event as FocusEvent
    if (!(relatedTarget instanceof Node && host.contains(relatedTarget))) before = relatedTarget
  })
  host.addEventListener('click', () =>
    requestAnimationFrame(() => {
      if (page.activeElement !== page.body) return
      const place = before instanceof HTMLElement && before.isConnected ? before : null
      const target = place ?? page.querySelector<HTMLElement>('#main [data-focus=list]') ?? page.getElementById('main')
      target?.focus({ preventScroll: true })
    }),
  )
}
