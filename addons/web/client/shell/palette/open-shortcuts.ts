import { deferred } from '../../core/deferred.tsx'
import { hotkeys } from '../../core/hotkeys.ts'
import { openDialog } from '../../ui/dialog.tsx'

const shortcuts = deferred(() => import('./shortcuts.tsx'))

let isOpen = false

/** Opens the overview of all active shortcuts. */
export async function openShortcuts(): Promise<void> {
  if (isOpen) return
  isOpen = true
  // Listed before the dialog opens, because its own shortcuts would replace those of the page.
  const keys = hotkeys.list()
  try {
    const { drawShortcuts } = await shortcuts.load()
    await openDialog<void>((close) => drawShortcuts(keys, close))
  } finally {
    isOpen = false
  }
}
