import { openDialog } from '../../ui/dialog.tsx'

/** What was typed before the palette was there; null while nobody asked for it. */
let waiting: string | null = null
let isOpen = false

/** Opens the palette with what was typed already. More that is typed while it is on its way is not lost. */
export async function openPalette(typed = ''): Promise<void> {
  if (isOpen) return
  if (waiting !== null) {
    waiting += typed
    return
  }
  waiting = typed
  try {
    const { drawPalette } = await import('./palette.tsx')
    const first = waiting
    isOpen = true
    await openDialog<void>((close) => drawPalette(first, () => close()))
  } finally {
    waiting = null
    isOpen = false
  }
}
