import type { Column } from './arch.ts'
import type { ListView } from './list-view.ts'

/** Enter saves the row, Tab goes on to the next cell, Escape gives the row up. */
export function pressInEditor(event: KeyboardEvent, view: ListView): void {
  if (event.defaultPrevented || event.isComposing) return
  const { key, target } = event
  const isArea = target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable)
  if (key === 'Tab') void tab(view, event.shiftKey ? -1 : 1)
  else if (key === 'Enter' && (!isArea || event.ctrlKey || event.metaKey)) void commit(view)
  else if (key === 's' && (event.ctrlKey || event.metaKey))
    void view.editing.leave().then((isSaved) => isSaved && view.focusGrid())
  else if (key === 'Escape') {
    view.editing.discard()
    view.focusGrid()
  } else return
  event.preventDefault()
  event.stopPropagation()
}

/** The next cell that can be edited, in this row or the one after it. */
async function tab(view: ListView, step: 1 | -1): Promise<void> {
  const { model, editing } = view
  const place = editing.place.peek()
  if (!place) return
  const columns = model.columns.peek()
  const at = columns.findIndex(({ key }) => key === place.column)
  const id = place.row.id ?? 0
  const values = Object.fromEntries(model.arch.fields.map(({ name }) => [name, place.row.draft.get(name)]))
  for (let next = at + step; next >= 0 && next < columns.length; next += step) {
    const column = columns[next]
    if (column && (editing.mayEdit(column, values, id) || (id === 0 && isEnterable(column)))) {
      model.cursor.value = { ...model.cursor.peek(), column: next + 1 }
      editing.begin(id, column.key)
      return
    }
  }
  const from = model.cursor.peek().line
  if (!(await editing.leave())) return
  if (id === 0) view.beginNew()
  else if (!view.editFirst(from + step, step)) view.focusGrid()
}

async function commit(view: ListView): Promise<void> {
  const { model, editing } = view
  const isNew = editing.place.peek()?.row.id === null
  const { line: at, column } = model.cursor.peek()
  if (!(await editing.leave())) return
  if (isNew) view.beginNew()
  else view.moveTo({ line: at + 1, column })
}

const isEnterable = (column: Column): boolean => column.kind === 'field' && !column.field.readonly
