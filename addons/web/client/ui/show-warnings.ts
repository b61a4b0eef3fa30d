import { showToast } from './toasts.tsx'

const LASTS_MS = 10_000

/** Shows warnings of the server, such as a product without a price. */
export function showWarnings(warnings: readonly { readonly title: string; readonly message: string }[]): void {
  for (const { title, message } of warnings)
    showToast({ level: 'warning', text: title, more: message, lasts: LASTS_MS })
}
