import type { PagePosition } from './router.ts'

/** Captures the scroll offset of marked elements (`data-scroll="list"`) and the focused element. */
export function capturePosition(document: Document): PagePosition {
  const parts = [...document.querySelectorAll<HTMLElement>('[data-scroll]')]
  const focused = document.activeElement?.closest<HTMLElement>('[data-focus], [id]')
  return {
    scroll: Object.fromEntries(parts.map((part) => [part.dataset['scroll'] ?? '', part.scrollTop])),
    focus: focused?.dataset['focus'] ?? (focused?.id || null),
  }
}

/** Restores them, as far as the elements still exist. */
export function restorePosition(document: Document, spot: PagePosition | null): void {
  if (!spot) return
  for (const [name, top] of Object.entries(spot.scroll)) {
    const part = document.querySelector(`[data-scroll="${CSS.escape(name)}"]`)
    if (part) scrollTo(part, top)
  }
  if (spot.focus === null) return
  const name = CSS.escape(spot.focus)
  document.querySelector<HTMLElement>(`[data-focus="${name}"], #${name}`)?.focus({ preventScroll: true })
}

/** Goes there, and further whenever the content has grown, until somebody scrolls: a long list learns its length after its first rows. */
function scrollTo(part: Element, top: number): void {
  part.scrollTop = top
  const content = part.firstElementChild
  let reached = part.scrollTop
  if (reached >= top - 1 || !content) return
  const observer = new ResizeObserver(() => {
    const isScrolled = part.scrollTop !== reached
    if (!isScrolled) part.scrollTop = top
    reached = part.scrollTop
    if (isScrolled || reached >= top - 1) observer.disconnect()
  })
  observer.observe(content)
}
