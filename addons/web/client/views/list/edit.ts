import {
  askOnchange,
  batch,
  CallError,
  createRecord,
  debounce,
  type FieldRecord,
  findField,
  holds,
  isAbort,
  missingFields,
  type RecordEntry,
  runOptimistic,
  type Signal,
  services,
  showError,
  signal,
  t,
  type Values,
  valuesOf,
  writeRecords,
} from '../../sdk.ts'
import { createDraft, type Draft, type RecordConflict, readConflict, recordOfDraft } from '../../sdk-edit.ts'
import type { FieldColumn } from './arch.ts'
import { selectedIds } from './bulk.ts'
import { askManyRows, askMineOrTheirs } from './edit-questions.tsx'
import { insertRecord } from './lists.ts'
import type { ListModel } from './model.ts'
import { scopeOf } from './scope.ts'

/** A row with changes that are not saved yet. */
export interface RowEdit {
  /** Null: a new record. */
  readonly id: number | null
  readonly draft: Draft
  readonly record: FieldRecord
  readonly errors: Signal<Readonly<Record<string, string>>>
  /** Fields in which something was typed that is no value. */
  readonly refused: Set<string>
  readonly isSaving: Signal<boolean>
  /** Stops what is under way. */
  readonly onchange: { ask(name: string): void; settled(): Promise<void>; stop(): void }
}

/** Where somebody types. */
export interface EditPlace {
  readonly row: RowEdit
  /** Key of the column. */
  readonly column: string
}

/** What is being edited. It is there with the rows; what is done with it comes later. */
export interface EditState {
  readonly place: Signal<EditPlace | null>
  /** Rows with unsaved changes, by id; 0 is the new one. */
  readonly rows: Signal<ReadonlyMap<number, RowEdit>>
}

export interface EditActs {
  begin(id: number, column: string): void
  /** A new row where the view wants it; false when the view creates records in its form. */
  beginNew(): boolean
  set(name: string, value: unknown): void
  /** What was typed is no value; null: it is one again. */
  refuse(name: string, message: string | null): void
  /** Stops typing and saves the row. False: something is wrong with it, and one is still there. */
  leave(): Promise<boolean>
  /** Stops typing and forgets the changes of the row. */
  discard(): void
  /** One value at once, without typing: switches. */
  write(id: number, values: Values): Promise<void>
}

const NEW = 0
const ONCHANGE_MS = 120

export function createEditActs(model: ListModel, { place, rows }: EditState): EditActs {
  const { rpc, records } = services()
  const { arch } = model
  const names = arch.fields.map(({ name }) => name)

  const keep = (row: RowEdit) => {
    rows.value = new Map(rows.peek()).set(row.id ?? NEW, row)
  }
  const drop = (row: RowEdit) => {
    row.onchange.stop()
    const next = new Map(rows.peek())
    next.delete(row.id ?? NEW)
    batch(() => {
      rows.value = next
      if (row.id === null) model.newAt.value = null
      if (place.peek()?.row === row) place.value = null
    })
  }

  function open(id: number | null): RowEdit {
    const known = rows.peek().get(id ?? NEW)
    if (known) return known
    const entry = id === null ? null : model.entryOf(id)
    const draft = createDraft({
      model: arch.model,
      id,
      fields: arch.fields,
      base: entry ? valuesOf(entry) : signal<Values>({}),
      ...(id === null && { initial: pick(model.workspace.peek().defaults, names) }),
    })
    const row: RowEdit = {
      id,
      draft,
      record: recordOfDraft(draft, { related: model.workspace.peek().arch.related }),
      errors: signal({}),
      refused: new Set(),
      isSaving: signal(false),
      onchange: followChanges(draft, names),
    }
    keep(row)
    return row
  }

  /** What is missing, by field. */
  function findMissing(row: RowEdit): Readonly<Record<string, string>> {
    const scope = scopeOf(Object.fromEntries(names.map((name) => [name, row.draft.get(name)])))
    const columns = arch.columns.filter((column): column is FieldColumn => column.kind === 'field')
    return Object.fromEntries(
      columns.flatMap(({ field, node, label, widget }) => {
        const isRequired = field.required === true || holds(node.attrs['required'], scope)
        if (!isRequired || field.readonly) return []
        // What the view does not ask for of a new record has its default on the server.
        const value = row.draft.get(field.name)
        const isEmpty = findField('list', field.type, widget).isEmpty ?? isUnset
        return isEmpty(value) ? [[field.name, t('{field} is required.', { field: label })]] : []
      }),
    )
  }

  async function saveNew(row: RowEdit): Promise<void> {
    const id = await createRecord(rpc, arch.model, row.draft.toValues())
    const fresh = await rpc.read(arch.model, [id], model.list.query.peek().fields)
    const at = model.newAt.peek() ?? 'bottom'
    batch(() => {
      const [entry] = records.put(arch.model, fresh)
      drop(row)
      if (entry && model.groups.peek() === null) insertRecord(model.list, entry.id, at)
    })
    if (model.groups.peek() !== null) await model.refresh()
  }

  async function saveKnown(row: RowEdit, id: number): Promise<void> {
    const { selection } = model
    const isMany =
      arch.multiEdit && selection.ids.peek().has(id) && (selection.ids.peek().size > 1 || selection.isAll.peek())
    const ids = isMany ? await selectedIds(model) : [id]
    if (isMany && !(await askManyRows(arch, row, ids.length))) {
      drop(row)
      return
    }
    const shown = Object.fromEntries(row.draft.changed.peek().map((name) => [name, row.draft.get(name)]))
    await send(row.draft.toValues(), shown, ids, { [id]: row.draft.baseVersion.peek() })
    drop(row)
  }

  /** Shows the values at once, writes them and takes in what the server made of them. */
  async function send(
    values: Values,
    shown: Values,
    ids: readonly number[],
    versions: Readonly<Record<number, number>>,
  ) {
    const entries = ids.map(model.entryOf)
    const baseVersion = { ...versionsOf(entries), ...versions }
    await runOptimistic(
      [() => pushAll(entries, shown)],
      async () => {
        for (let at = 0; at < ids.length; at += MOST_IDS) {
          await writeRecords(rpc, arch.model, ids.slice(at, at + MOST_IDS), values, { baseVersion })
        }
        return rpc.read(arch.model, ids.slice(0, MOST_IDS), model.list.query.peek().fields)
      },
      (fresh) => void records.put(arch.model, fresh),
    )
  }

  /** Somebody else was faster: both versions are shown, and the user says which stays. */
  async function settleConflict(row: RowEdit, conflict: RecordConflict): Promise<boolean> {
    const wish = await askMineOrTheirs(arch, conflict)
    if (wish === null) return false
    const id = row.id ?? NEW
    const [fresh] = await rpc.read(arch.model, [id], model.list.query.peek().fields)
    if (fresh) records.put(arch.model, [fresh])
    if (wish === 'theirs') {
      drop(row)
      return true
    }
    row.draft.baseVersion.value = conflict.version
    return save(row)
  }

  async function save(row: RowEdit): Promise<boolean> {
    if (row.refused.size > 0) return false
    await row.onchange.settled()
    if (!row.draft.isDirty.peek() || row.isSaving.peek()) {
      if (!row.isSaving.peek()) drop(row)
      return true
    }
    const missing = findMissing(row)
    if (Object.keys(missing).length > 0) {
      row.errors.value = missing
      showError(missingFields(missing))
      return false
    }
    row.isSaving.value = true
    row.errors.value = {}
    try {
      await (row.id === null ? saveNew(row) : saveKnown(row, row.id))
      return true
    } catch (error) {
      const conflict = row.id === null ? null : readConflict(error, row.id)
      if (conflict) {
        row.isSaving.value = false
        return await settleConflict(row, conflict)
      }
      if (error instanceof CallError) row.errors.value = error.fields
      showError(error)
      return false
    } finally {
      row.isSaving.value = false
    }
  }

  return {
    begin(id, column) {
      const before = place.peek()
      if (before && (before.row.id ?? NEW) !== id) void save(before.row)
      place.value = { row: open(id === NEW ? null : id), column }
    },
    beginNew() {
      const { editable } = arch
      if (editable === null || !model.workspace.peek().arch.access.create) return false
      const first = model.columns.peek().find((column) => column.kind === 'field' && !column.field.readonly)
      if (!first) return false
      const before = place.peek()
      if (before && before.row.id !== null) void save(before.row)
      batch(() => {
        model.newAt.value = editable
        const row = open(null)
        place.value = { row, column: first.key }
        row.onchange.ask('')
      })
      return true
    },
    set(name, value) {
      const row = place.peek()?.row
      if (!row) return
      row.draft.set(name, value)
      refuse(row, name, null)
      row.onchange.ask(name)
    },
    refuse(name, message) {
      const row = place.peek()?.row
      if (row) refuse(row, name, message)
    },
    async leave() {
      const before = place.peek()
      if (!before) return true
      place.value = null
      const isSaved = await save(before.row)
      // What is wrong is shown where it was typed, unless the user is somewhere else by now.
      const [wrong] = Object.keys(before.row.errors.peek())
      if (!isSaved && place.peek() === null) place.value = { row: before.row, column: wrong ?? before.column }
      return isSaved
    },
    discard() {
      const before = place.peek()
      if (before) drop(before.row)
    },
    async write(id, values) {
      try {
        await send(values, values, [id], {})
      } catch (error) {
        showError(error)
      }
    },
  }
}

function refuse(row: RowEdit, name: string, message: string | null): void {
  const { [name]: before, ...others } = row.errors.peek()
  if (message === null) row.refused.delete(name)
  else row.refused.add(name)
  if (message !== null) row.errors.value = { ...others, [name]: message }
  else if (before !== undefined) row.errors.value = others
}

const MOST_IDS = 1_000

const isUnset = (value: unknown): boolean => value === null || value === undefined || value === ''

const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name]]] : [])))

function pushAll(entries: readonly RecordEntry[], shown: Values): () => void {
  const undo = entries.map((entry) => entry.values.push((known) => ({ ...known, ...shown })))
  return () => {
    for (const take of undo) take()
  }
}

/** Versions of the rows as they were shown, so that changes of others are noticed. */
const versionsOf = (entries: readonly RecordEntry[]): Readonly<Record<number, number>> =>
  Object.fromEntries(
    entries.flatMap(({ id, values }) => {
      const { version } = values.base.peek() as { readonly version?: unknown }
      return typeof version === 'number' ? [[id, version]] : []
    }),
  )

/** Asks the server what else changes, a moment after the last change, one question at a time. */
function followChanges(draft: Draft, names: readonly string[]): RowEdit['onchange'] {
  const { rpc } = services()
  let changed = new Set<string>()
  let abort = new AbortController()
  let running: Promise<void> = Promise.resolve()

  async function run(): Promise<void> {
    const asked = [...changed].filter((name) => name !== '')
    changed = new Set()
    abort.abort()
    abort = new AbortController()
    const { signal } = abort
    try {
      const answer = await askOnchange(rpc, draft.model, draft.toValues(), asked, {
        ...(draft.id !== null && { id: draft.id }),
        fields: names,
        signal,
      })
      if (!signal.aborted) draft.assign(answer.value)
    } catch (error) {
      // The save tells what is wrong; a hint that did not come is no reason to stop typing.
      if (!isAbort(error)) changed.clear()
    }
  }
  const later = debounce(() => {
    running = run()
  }, ONCHANGE_MS)
  return {
    ask(name) {
      changed.add(name)
      later()
    },
    async settled() {
      if (changed.size > 0) {
        later.cancel()
        running = run()
      }
      await running
    },
    stop() {
      later.cancel()
      changed.clear()
      abort.abort()
    },
  }
}
