import { openDialog } from '../ui/dialog.tsx'

let isOpen = false

/** Opens the palette with what was typed already; a second wish while it is open is none. */
export async function openPalette(typed = ''): Promise<void> {
  if (isOpen) return
  isOpen = true
  try {
    const { drawPalette } = await import('./palette.tsx')
    await openDialog<void>((close) => drawPalette(typed, () => close()))
  } finally {
    isOpen = false
  }
}
