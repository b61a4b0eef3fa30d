import { holds, type ReadonlySignal, signal, type Values } from '../../sdk.ts'
import type { Column, FieldColumn } from './arch.ts'
import type { EditActs, EditPlace, EditState, RowEdit } from './edit.ts'
import { withExtras } from './late-extras.ts'
import type { ListModel } from './model.ts'
import { scopeOf } from './scope.ts'

/** Editing of rows, as the list sees it from the first picture on. */
export interface Editing extends Omit<EditActs, 'beginNew' | 'write'> {
  readonly place: ReadonlySignal<EditPlace | null>
  /** Rows with unsaved changes, by id; 0 is the new one. */
  readonly rows: ReadonlySignal<ReadonlyMap<number, RowEdit>>
  mayEdit(column: Column, values: Values, id: number): column is FieldColumn
  /** A new row where the view wants it; `then` is called when it is there, and not when the view creates records in its form. */
  beginNew(then: () => void): void
  /** One value at once, without typing: switches. */
  write(id: number, values: Values): void
  isDirty(): boolean
}

export function createEditing(model: ListModel): Editing {
  const state: EditState = { place: signal<EditPlace | null>(null), rows: signal(new Map()) }
  let made: EditActs | undefined
  const act = (run: (acts: EditActs) => void) =>
    withExtras(({ createEditActs }) => {
      made ??= createEditActs(model, state)
      run(made)
    })
  return {
    ...state,
    mayEdit(column, values, id): column is FieldColumn {
      if (column.kind === 'buttons' || column.field.readonly) return false
      const isChosen = model.arch.multiEdit && model.selection.ids.peek().has(id)
      if (model.arch.editable === null && !isChosen) return false
      return !holds(column.node.attrs['readonly'], scopeOf(values))
    },
    begin: (id, column) => act((acts) => acts.begin(id, column)),
    beginNew: (then) => act((acts) => acts.beginNew() && then()),
    write: (id, values) => act((acts) => void acts.write(id, values)),
    // Where somebody types the rest has begun.
    set: (name, value) => made?.set(name, value),
    refuse: (name, message) => made?.refuse(name, message),
    leave: async () => made?.leave() ?? true,
    discard: () => made?.discard(),
    isDirty: () => [...state.rows.peek().values()].some(({ draft }) => draft.isDirty.peek()),
  }
}
