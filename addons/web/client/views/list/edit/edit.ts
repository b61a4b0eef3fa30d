import { batch, type Signal } from '@preact/signals'
import { lookupsDone } from '../../../core/lookups.ts'
import type { InvalidText } from '../../../store/invalid-text.ts'
import type { Values } from '../../../store/records.ts'
import { attempt } from '../../../ui/toasts.tsx'
import type { ListModel } from '../model/model.ts'
import { openRow, type RowEdit, refuse } from './row-edit.ts'
import { createRowSaver } from './save-row.ts'

/** The cell that is being edited. */
export interface EditPlace {
  readonly row: RowEdit
  /** Key of the column. */
  readonly column: string
}

/** The state of editing. It exists from the first paint; the functions that change it are deferred. */
export interface EditState {
  readonly place: Signal<EditPlace | null>
  /** Rows with unsaved changes, by id; 0 is the new one. */
  readonly rows: Signal<ReadonlyMap<number, RowEdit>>
}

export interface EditActs {
  begin(id: number, column: string): void
  /** Starts a new row at the top or bottom, as the view says, in a column; false if the view creates records in its form. */
  beginNew(column: string | undefined): boolean
  set(row: RowEdit, name: string, value: unknown): void
  /** Sets the error of a text that is not a valid value; null clears it. */
  refuse(row: RowEdit, name: string, problem: string | InvalidText | null): void
  /**
   * Ends editing and saves the row; false if it is invalid, and editing goes on. `isMeant`: the user asked for the save, so an empty
   * new row is reported as incomplete instead of being removed.
   */
  leave(isMeant?: boolean): Promise<boolean>
  /** Saves whatever is unsaved; false when something could not be. */
  saveAll(): Promise<boolean>
  /** Ends editing and discards the changes of the row. */
  discard(): void
  /** Writes one value at once, for switches. */
  write(id: number, values: Values): Promise<void>
}

const NEW = 0

export function createEditActs(model: ListModel, { place, rows }: EditState): EditActs {
  const { arch } = model
  const running = new Map<RowEdit, Promise<boolean>>()

  const keep = (row: RowEdit) => {
    rows.value = new Map(rows.peek()).set(row.id ?? NEW, row)
  }
  const drop = (row: RowEdit) => {
    row.onchange.stop()
    const next = new Map(rows.peek())
    if (next.get(row.id ?? NEW) === row) next.delete(row.id ?? NEW)
    batch(() => {
      rows.value = next
      if (row.id === null) model.newAt.value = null
      if (place.peek()?.row === row) place.value = null
    })
  }
  const saver = createRowSaver(model, drop)

  function open(id: number | null): RowEdit {
    const known = rows.peek().get(id ?? NEW)
    if (known) return known
    const row = openRow(model, id)
    keep(row)
    return row
  }

  /** A second save of the same row waits for the running one. */
  function save(row: RowEdit, isMeant = false): Promise<boolean> {
    const before = running.get(row)
    if (before) return before
    const saving = settle(row, isMeant).finally(() => running.delete(row))
    running.set(row, saving)
    return saving
  }

  async function settle(row: RowEdit, isMeant: boolean): Promise<boolean> {
    await lookupsDone()
    if (row.refused.size > 0) return false
    await row.onchange.settled()
    if (row.isDirty() || (isMeant && row.id === null)) return saver.save(row)
    drop(row)
    return true
  }

  /** Moves the focus to the invalid cell, unless another cell is being edited by now. */
  function leadBack(row: RowEdit, column: string): void {
    if (place.peek() !== null) return
    const wrong = Object.keys(row.errors.peek())
    const shown = model.columns.peek().find((each) => wrong.includes(each.key) && isEnterable(each))
    place.value = { row, column: shown?.key ?? column }
  }

  const isEnterable = (column: ListModel['arch']['columns'][number]) =>
    column.kind === 'field' && !column.field.readonly

  return {
    begin(id, column) {
      const before = place.peek()
      if (before && (before.row.id ?? NEW) !== id) void save(before.row)
      place.value = { row: open(id === NEW ? null : id), column }
    },
    beginNew(column) {
      const { editable } = arch
      if (editable === null || column === undefined || !model.workspace.peek().arch.access.create) return false
      const before = place.peek()
      if (before && before.row.id !== null) void save(before.row)
      batch(() => {
        model.newAt.value = editable
        const isKnown = rows.peek().has(NEW)
        const row = open(null)
        place.value = { row, column }
        if (!isKnown) void row.onchange.begin()
      })
      return true
    },
    set(row, name, value) {
      const isLate = rows.peek().get(row.id ?? NEW) !== row
      row.touched.add(name)
      row.draft.set(name, value)
      refuse(row, name, null)
      row.onchange.ask(name)
      if (!isLate) return
      // The row was left while a question about its value was open.
      keep(row)
      void save(row)
    },
    refuse,
    async leave(isMeant) {
      const before = place.peek()
      if (!before || before.row.refused.size > 0) return before === null
      place.value = null
      const isSaved = await save(before.row, isMeant)
      if (!isSaved) leadBack(before.row, before.column)
      return isSaved
    },
    async saveAll() {
      const column = place.peek()?.column
      const saved = await Promise.all([...rows.peek().values()].map(async (row) => [row, await save(row)] as const))
      const [failed] = saved.find(([, isSaved]) => !isSaved) ?? []
      if (failed) leadBack(failed, column ?? model.columns.peek()[0]?.key ?? '')
      return failed === undefined
    },
    discard() {
      const before = place.peek()
      if (before) drop(before.row)
    },
    async write(id, values) {
      await attempt(() => saver.send(values, values, [id], {}))
    },
  }
}
