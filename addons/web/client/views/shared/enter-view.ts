import { isFocusNowhere } from '../../core/hotkeys.ts'

/** For the key that leads into a view: gives the focus to the element, unless something on the page has it. */
export function enterView(stop: HTMLElement | null | undefined): boolean {
  if (!stop || !isFocusNowhere()) return false
  stop.focus()
  return true
}
