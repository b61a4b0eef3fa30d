import { deferred } from '../../core/deferred.tsx'
import { openDialog } from '../../ui/dialog.tsx'

export const palette = deferred(() => import('./palette.tsx'))

let isOpen = false

/** Opens the palette with a text. Keys typed while it loads are added to the text and do not run shortcuts. */
export async function openPalette(typed = ''): Promise<void> {
  if (isOpen) return
  isOpen = true
  let text = typed
  const keep = (event: KeyboardEvent) => {
    if (event.key.length > 1 || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    text += event.key
  }
  const stop = () => removeEventListener('keydown', keep, true)
  addEventListener('keydown', keep, true)
  try {
    const { drawPalette } = await palette.load()
    await openDialog<void>((close) => {
      stop()
      return drawPalette(text, close)
    })
  } finally {
    stop()
    isOpen = false
  }
}
