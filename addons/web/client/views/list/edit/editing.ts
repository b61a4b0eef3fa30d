import { type ReadonlySignal, signal } from '@preact/signals'
import { holds } from '../../../core/expression.ts'
import type { Values } from '../../../store/records.ts'
import type { FieldColumn, ListColumn } from '../column/arch.ts'
import { scopeOf } from '../column/scope.ts'
import { withListParts } from '../model/deferred-parts.ts'
import type { ListModel } from '../model/model.ts'
import type { EditActs, EditPlace, EditState } from './edit.ts'
import type { RowEdit } from './row-edit.ts'

/** Row editing as the list needs it at first paint; the rest is deferred. */
export interface Editing extends Omit<EditActs, 'beginNew' | 'write'> {
  readonly place: ReadonlySignal<EditPlace | null>
  /** Rows with unsaved changes, by id; 0 is the new one. */
  readonly rows: ReadonlySignal<ReadonlyMap<number, RowEdit>>
  mayEdit(column: ListColumn, values: Values, id: number): column is FieldColumn
  /** Starts a new row at the top or bottom, as the view says, and calls `then`; does neither if the view creates records in its form. */
  beginNew(then: () => void): void
  /** Writes one value at once, for switches. */
  write(id: number, values: Values): void
  isDirty(): boolean
}

export function createEditing(model: ListModel): Editing {
  const state: EditState = { place: signal<EditPlace | null>(null), rows: signal(new Map()) }
  let made: EditActs | undefined
  const act = (run: (acts: EditActs) => void) =>
    withListParts(({ createEditActs }) => {
      made ??= createEditActs(model, state)
      run(made)
    })
  const mayEdit = (column: ListColumn, values: Values, id: number): column is FieldColumn => {
    if (column.kind === 'buttons' || column.field.readonly) return false
    const isChosen = model.arch.multiEdit && model.selection.has(id)
    if (model.arch.editable === null && !isChosen) return false
    const scope = scopeOf(values)
    // The lock applies only to existing records, since a new row has only some values yet.
    return !holds(column.node.attrs['readonly'], scope) && !(id > 0 && holds(model.arch.lock, scope))
  }
  return {
    ...state,
    mayEdit,
    begin: (id, column) => act((acts) => acts.begin(id, column)),
    beginNew: (then) =>
      act((acts) => {
        const { defaults } = model.workspace.peek()
        const first = model.columns.peek().find((column) => mayEdit(column, defaults, 0))
        if (acts.beginNew(first?.key)) then()
      }),
    write: (id, values) => act((acts) => void acts.write(id, values)),
    // A cell is edited only after the deferred part was loaded.
    set: (row, name, value) => made?.set(row, name, value),
    refuse: (row, name, message) => made?.refuse(row, name, message),
    leave: async (isMeant) => made?.leave(isMeant) ?? true,
    saveAll: async () => made?.saveAll() ?? true,
    discard: () => made?.discard(),
    isDirty: () => [...state.rows.peek().values()].some((row) => row.isDirty()),
  }
}
