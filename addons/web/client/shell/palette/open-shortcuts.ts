import { hotkeys } from '../../core/hotkeys.ts'
import { openDialog } from '../../ui/dialog.tsx'

let isOpen = false

/** Opens the overview of all active shortcuts. */
export async function openShortcuts(): Promise<void> {
  if (isOpen) return
  isOpen = true
  // Listed before the dialog opens, because its own shortcuts would replace those of the page.
  const keys = hotkeys.list()
  try {
    const { drawShortcuts } = await import('./shortcuts.tsx')
    await openDialog<void>((close) => drawShortcuts(keys, () => close()))
  } finally {
    isOpen = false
  }
}
