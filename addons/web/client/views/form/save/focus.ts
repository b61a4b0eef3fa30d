import type { ArchNode } from '../../../../../../kernel/view/arch/arch.ts'
import { pageKey, pagesOf } from '../model/arch.ts'
import type { FormModel } from '../model/model.ts'

/** Opens the notebook pages a field is on, scrolls to it and focuses its control. */
export function showField(form: FormModel, node: ArchNode): void {
  const around = form.arch.around.get(node) ?? []
  const shown: Record<string, string> = {}
  for (const [depth, notebook] of around.entries()) {
    if (notebook.tag !== 'notebook') continue
    const index = pagesOf(notebook).findIndex((page) => page === around[depth + 1])
    const page = pagesOf(notebook)[index]
    if (page) shown[notebookKey(notebook)] = pageKey(page, index)
  }
  form.pages.value = { ...form.pages.peek(), ...shown }
  const id = form.arch.ids.get(node) ?? ''
  // Pages that were just opened are rendered in the next frame.
  requestAnimationFrame(() => requestAnimationFrame(() => focusControl(id)))
}

export const notebookKey = (notebook: ArchNode): string => notebook.attrs['name'] ?? 'notebook'

function focusControl(id: string): void {
  const named = document.getElementById(id)
  const wrong = named?.querySelector<HTMLElement>('.gc[aria-invalid]')
  // Opens the line, which then has the focus in this cell.
  wrong?.click()
  const control = named?.matches(CONTROLS)
    ? named
    : (wrong ?? named ?? document.querySelector(`[data-field-id="${CSS.escape(id)}"]`))?.querySelector<HTMLElement>(
        CONTROLS,
      )
  control?.focus()
  control?.scrollIntoView({ block: 'center' })
}

const CONTROLS = 'input, select, textarea, button, [contenteditable="true"], [tabindex]'

/** Focuses the first editable control. */
export function focusFirst(root: HTMLElement | null): void {
  root
    ?.querySelector<HTMLElement>(
      '.sheet :is(input, select, textarea, [contenteditable="true"]):not([disabled], [readonly], [type="file"], [type="hidden"])',
    )
    ?.focus({ preventScroll: true })
}
