import { effect } from '@preact/signals'
import { menuLocation } from '../../router/menus.ts'

/** Scrolls the current menu entry into view if the menus are longer than the window. */
export const showCurrentMenu = (page: Document): unknown =>
  effect(() => {
    if (menuLocation().value.menu === null) return
    // Once it is drawn.
    requestAnimationFrame(() => page.querySelector('.side-nav [aria-current]')?.scrollIntoView({ block: 'nearest' }))
  })
