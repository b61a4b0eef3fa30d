import { effect } from '@preact/signals'
import { hotkeys, isEditor } from '../core/hotkeys.ts'
import { closeToast, type ShownToast, shown } from './toasts.tsx'

/** Gives each toast the keys of its action, such as Ctrl+Z for Undo, for as long as it is shown. */
export function installToastKeys(): void {
  const stops = new Map<number, () => void>()
  effect(() => {
    const toasts = shown.value
    for (const [id, stop] of stops) {
      if (toasts.some((toast) => toast.id === id)) continue
      stop()
      stops.delete(id)
    }
    for (const toast of toasts) if (!stops.has(toast.id)) stops.set(toast.id, listen(toast))
  })
}

/** In an input in which text was typed since the toast appeared, Ctrl+Z undoes the typing instead. */
function listen({ id, action }: ShownToast): () => void {
  if (action?.keys === undefined) return () => undefined
  let isTyped = false
  const type = () => {
    isTyped = true
  }
  document.addEventListener('input', type)
  const stop = hotkeys.add({
    keys: action.keys,
    label: action.label,
    run({ target }) {
      if (isTyped && isEditor(target)) return false
      closeToast(id)
      return void action.run()
    },
  })
  return () => {
    document.removeEventListener('input', type)
    stop()
  }
}
