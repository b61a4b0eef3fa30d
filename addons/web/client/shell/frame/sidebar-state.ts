import { signal } from '@preact/signals'

const KEY = 'modulus.sidebar'

/** Whether the sidebar shows icons only; this browser remembers it. */
export const isCollapsed = signal(recall())

/** Whether the menus are open as a sheet, on narrow screens. */
export const isSheetOpen = signal(false)

export function toggleSidebar(): void {
  isCollapsed.value = !isCollapsed.value
  try {
    localStorage.setItem(KEY, isCollapsed.value ? 'collapsed' : 'open')
  } catch {
    // Storage may be switched off; the choice then lasts as long as the page.
  }
}

function recall(): boolean {
  try {
    return localStorage.getItem(KEY) === 'collapsed'
  } catch {
    return false
  }
}
