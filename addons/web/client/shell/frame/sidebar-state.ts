import { signal } from '@preact/signals'

const KEY = 'modulus.sidebar'

/** Whether the sidebar shows only icons; stored in this browser. */
export const isCollapsed = signal(recall())

/** Whether the menu sheet of narrow screens is open. */
export const isSheetOpen = signal(false)

export function toggleSidebar(): void {
  isCollapsed.value = !isCollapsed.value
  try {
    localStorage.setItem(KEY, isCollapsed.value ? 'collapsed' : 'open')
  } catch {
    // Storage may be disabled; the choice then lasts until the page is reloaded.
  }
}

function recall(): boolean {
  try {
    return localStorage.getItem(KEY) === 'collapsed'
  } catch {
    return false
  }
}
