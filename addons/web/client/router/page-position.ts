import { deferred } from '../core/deferred.tsx'
import type { PagePosition } from './router.ts'

const scrolling = deferred(() => import('./scroll-further.ts'))

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
    if (part) scrollTo(part, top).catch(() => undefined)
  }
  if (spot.focus === null) return
  const name = CSS.escape(spot.focus)
  document.querySelector<HTMLElement>(`[data-focus="${name}"], #${name}`)?.focus({ preventScroll: true })
}

/** Scrolls to a position, or as far as the content reaches now and further as it grows. */
async function scrollTo(part: Element, top: number): Promise<void> {
  part.scrollTop = top
  if (part.scrollTop < top - 1) (await scrolling.load()).scrollFurther(part, top)
}
