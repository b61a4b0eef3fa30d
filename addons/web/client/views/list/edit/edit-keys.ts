import type { ListView } from '../model/list-view.ts'

/** Enter saves the row, Tab moves to the next cell, Escape discards the changes of the row. */
export function pressInEditor(event: KeyboardEvent, view: ListView): void {
  if (event.defaultPrevented || event.isComposing) return
  const { key, target } = event
  const isArea = target instanceof HTMLTextAreaElement || (target instanceof HTMLElement && target.isContentEditable)
  const isMod = event.ctrlKey || event.metaKey
  if (key === 'Tab') void tab(view, event.shiftKey ? -1 : 1)
  else if (key === 'Enter' && (!isArea || isMod)) void commit(view)
  else if (key === 's' && isMod) void save(view)
  else if (key === 'Escape') {
    view.editing.discard()
    view.focusGrid()
  } else return
  event.preventDefault()
  event.stopPropagation()
}

/** Makes the control read the typed text, as it does on blur. False: the text is not a valid value, and the focus stays. */
export function readTyped(view: ListView): boolean {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && activeElement.closest('.editor')) {
    activeElement.blur()
    activeElement.focus({ preventScroll: true })
  }
  return (view.editing.place.peek()?.row.refused.size ?? 0) === 0
}

/** Ends editing: the focus goes to the grid, and back to the cell if the row could not be saved. */
function save(view: ListView): Promise<boolean> {
  if (!readTyped(view)) return Promise.resolve(false)
  const saving = view.editing.leave(true)
  view.focusGrid()
  return saving
}

/** The next cell that can be edited, in this row or the one after it. */
async function tab(view: ListView, step: 1 | -1): Promise<void> {
  const { model, editing } = view
  const place = editing.place.peek()
  if (!place || !readTyped(view)) return
  const columns = model.columns.peek()
  const at = columns.findIndex(({ key }) => key === place.column)
  const id = place.row.id ?? 0
  const values = Object.fromEntries(model.arch.fields.map(({ name }) => [name, place.row.draft.get(name)]))
  for (let next = at + step; next >= 0 && next < columns.length; next += step) {
    const column = columns[next]
    if (column && editing.mayEdit(column, values, id)) {
      model.cursor.value = { ...model.cursor.peek(), column: next + 1 }
      editing.begin(id, column.key)
      return
    }
  }
  const from = model.cursor.peek().line
  if (!(await save(view))) return
  if (id === 0) view.beginNew()
  else if (!view.editFirst(from + step, step)) view.focusGrid()
}

async function commit(view: ListView): Promise<void> {
  const { model, editing } = view
  const isNew = editing.place.peek()?.row.id === null
  const { line: at, column } = model.cursor.peek()
  // If the user pressed Escape while a new row was being saved, no further row is started.
  let isEnough = false
  const press = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') isEnough = true
  }
  addEventListener('keydown', press)
  const isSaved = await save(view)
  removeEventListener('keydown', press)
  if (!isSaved) return
  if (!isNew) view.moveTo({ line: at + 1, column })
  else if (isEnough) view.focusGrid()
  else view.beginNew()
}
