import { effect } from '@preact/signals'
import { menuLocation } from '../../router/menus.ts'

/** Keeps the current entry of menus that are longer than the window in sight. */
export const showCurrentMenu = (page: Document): unknown =>
  effect(() => {
    if (menuLocation().value.menu === null) return
    // Once it is drawn.
    requestAnimationFrame(() => page.querySelector('.side-nav [aria-current]')?.scrollIntoView({ block: 'nearest' }))
  })
