import { services } from '../../../services.ts'
import type { ListView } from '../model/list-view.ts'

/** Handles a click: it edits the cell in lists that are edited in place, otherwise it opens the record. */
export function clickCell(event: MouseEvent, view: ListView): void {
  const { arch } = view.model
  const place = placeIn(event)
  if (!place) {
    clickGroup(event, view)
    return
  }
  if (view.mayWrite && rate(event, view, place.id)) return
  if (event.ctrlKey || event.metaKey) {
    openBeside(event, view)
    return
  }
  if ((arch.editable !== null || arch.multiEdit) && view.edit(place.line, place.column)) return
  // A click that ends a text selection does not open the record, so that text can be copied.
  const isPlain = !event.shiftKey && !event.altKey && getSelection()?.isCollapsed !== false
  if (arch.editable === null && isPlain) void services().router.go(view.model.hrefOf(place.id))
}

/** A click anywhere on a group row opens or closes the group. */
function clickGroup({ target }: MouseEvent, view: ListView): void {
  if (!(target instanceof Element) || target.closest('a, button, input')) return
  const row = target.closest<HTMLElement>('.gr.group')
  if (row) view.toggle(Number(row.dataset['line']))
}

/**
 * Sets a priority by a click on a star and saves it at once. As in the form, clicking the last filled star removes it.
 */
function rate({ target }: MouseEvent, { model, editing }: ListView, id: number): boolean {
  const star = target instanceof Element ? target.closest('.stars > *') : null
  const key = star?.closest<HTMLElement>('[data-col]')?.dataset['col']
  const column = model.columns.peek()[Number(key) - 1]
  if (!star?.parentElement || id === 0 || column?.kind !== 'field' || column.field.readonly) return false
  const { selection = [], name } = column.field
  const chosen = [...star.parentElement.children].indexOf(star) + 1
  const now = selection.findIndex(([each]) => each === model.entryOf(id).values.value.peek()[name])
  const [next] = selection[chosen === now ? chosen - 1 : chosen] ?? []
  if (next === undefined) return false
  editing.write(id, { [name]: next })
  return true
}

/** Opens the record in a new tab, as a link would. */
export function openBeside(event: MouseEvent, view: ListView): void {
  const place = placeIn(event)
  if (place && place.id > 0) window.open(view.model.hrefOf(place.id), '_blank')
}

/** Opens the record on a double click, in lists where a single click edits. */
export function openCell(event: MouseEvent, view: ListView): void {
  const place = placeIn(event)
  if (!place || place.id === 0 || view.model.arch.editable === null || view.editing.place.peek() !== null) return
  void services().router.go(view.model.hrefOf(place.id))
}

/** The clicked cell; null for controls, links and editors, which handle clicks themselves. */
function placeIn({
  target,
}: MouseEvent): { readonly line: number; readonly column: number; readonly id: number } | null {
  if (!(target instanceof Element) || target.closest('a, button, input, label, .editor')) return null
  const cell = target.closest<HTMLElement>('[data-col]')
  const row = cell?.closest<HTMLElement>('[data-id]')
  if (!cell || !row) return null
  return { line: Number(row.dataset['line']), column: Number(cell.dataset['col']), id: Number(row.dataset['id']) }
}
