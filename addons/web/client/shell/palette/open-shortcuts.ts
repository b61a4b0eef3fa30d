import { hotkeys } from '../../core/hotkeys.ts'
import { openDialog } from '../../ui/dialog.tsx'

let isOpen = false

/** The sheet of all keys that work right now. */
export async function openShortcuts(): Promise<void> {
  if (isOpen) return
  isOpen = true
  // An open dialog has keys of its own: ask before it opens.
  const keys = hotkeys.list()
  try {
    const { drawShortcuts } = await import('./shortcuts.tsx')
    await openDialog<void>((close) => drawShortcuts(keys, () => close()))
  } finally {
    isOpen = false
  }
}
