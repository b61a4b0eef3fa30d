import { openDialog } from '../../ui/dialog.tsx'

/** Text typed while the palette is opening; null if it is not. */
let waiting: string | null = null
let isOpen = false

/** Opens the palette with a text. If it is already opening, the text is appended, so that no key is lost. */
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
