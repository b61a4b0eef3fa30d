import { computed, effect } from '@preact/signals'
import { menuLocation } from '../../router/menus.ts'

/** Scrolls the current menu entry into view if the menus are longer than the window. */
export function showCurrentMenu(page: Document): void {
  // Another view of the same menu leaves it where it is: to scroll, the browser lays out the page.
  const current = computed(() => menuLocation().value.menu?.id)
  effect(() => {
    if (current.value === undefined) return
    // In the next frame, when the entry is drawn.
    requestAnimationFrame(() => page.querySelector('.side-nav [aria-current]')?.scrollIntoView({ block: 'nearest' }))
  })
}
