import { batch } from '@preact/signals'
import { holds } from '../../../core/expression.ts'
import { t } from '../../../core/i18n.ts'
import { findField } from '../../../core/registries.ts'
import { CallError, explain } from '../../../net/errors.ts'
import { services } from '../../../services.ts'
import { type RecordConflict, readConflict } from '../../../store/conflict.ts'
import { runOptimistic } from '../../../store/optimistic.ts'
import { createRecord, writeRecords } from '../../../store/queries.ts'
import type { RecordEntry, Values } from '../../../store/records.ts'
import { showError, showToast } from '../../../ui/toasts.tsx'
import type { FieldColumn } from '../column/arch.ts'
import { scopeOf } from '../column/scope.ts'
import { insertRecord } from '../model/list-ids.ts'
import type { ListModel } from '../model/model.ts'
import { askRowConflict } from './edit-dialogs.tsx'
import type { RowEdit } from './row-edit.ts'
import { saveMany } from './save-many.ts'

const MAX_IDS = 1_000

export interface RowSaver {
  /** False: the row is invalid and shows why. */
  save(row: RowEdit): Promise<boolean>
  /** Shows the values at once, writes them, and stores the server's answer. */
  send(values: Values, shown: Values, ids: readonly number[], versions: Readonly<Record<number, number>>): Promise<void>
}

/** `drop` removes a row that has no unsaved changes. */
export function createRowSaver(model: ListModel, drop: (row: RowEdit) => void): RowSaver {
  const { rpc, records } = services()
  const { arch } = model
  const fieldNames = () => model.list.query.peek().fields

  async function saveNew(row: RowEdit): Promise<void> {
    const id = await createRecord(rpc, arch.model, row.toSend())
    const fresh = await rpc.read(arch.model, [id], fieldNames())
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
    const isMany = arch.multiEdit && selection.has(id) && (selection.ids.peek().size > 1 || selection.isAll.peek())
    if (isMany) await saveMany(model, row, send)
    else {
      const shown = Object.fromEntries(row.draft.changed.peek().map((name) => [name, row.draft.get(name)]))
      await send(row.toSend(), shown, [id], { [id]: row.draft.baseVersion.peek() })
    }
    drop(row)
  }

  const send: RowSaver['send'] = async (values, shown, ids, versions) => {
    const entries = ids.map(model.entryOf)
    const baseVersion = { ...versionsOf(entries), ...versions }
    await runOptimistic(
      [() => pushAll(entries, shown)],
      async () => {
        for (let at = 0; at < ids.length; at += MAX_IDS) {
          await writeRecords(rpc, arch.model, ids.slice(at, at + MAX_IDS), values, { baseVersion })
        }
        return rpc.read(arch.model, ids.slice(0, MAX_IDS), fieldNames())
      },
      (fresh) => void records.put(arch.model, fresh),
    )
  }

  /** Another user changed the row first: both versions are shown, and the user chooses one. */
  async function settleConflict(row: RowEdit, id: number, conflict: RecordConflict): Promise<boolean> {
    const choice = await askRowConflict(arch, conflict)
    if (choice === null) return false
    const [fresh] = await rpc.read(arch.model, [id], fieldNames())
    if (fresh) records.put(arch.model, [fresh])
    if (choice === 'theirs') {
      drop(row)
      return true
    }
    row.draft.baseVersion.value = conflict.version
    return save(row)
  }

  async function save(row: RowEdit): Promise<boolean> {
    const missing = findMissing(model, row)
    if (Object.keys(missing).length > 0) {
      showRowErrors(model, row, t('Some required fields are empty.'), missing)
      return false
    }
    row.isSaving.value = true
    row.errors.value = {}
    try {
      await (row.id === null ? saveNew(row) : saveKnown(row, row.id))
      return true
    } catch (error) {
      const conflict = row.id === null ? null : readConflict(error, row.id)
      if (conflict && row.id !== null) return await settleConflict(row, row.id, conflict)
      const fields = error instanceof CallError ? error.fields : {}
      if (Object.keys(fields).length === 0) showError(error, () => void save(row))
      else showRowErrors(model, row, explain(error).title, fields)
      return false
    } finally {
      row.isSaving.value = false
    }
  }

  return { save, send }
}

/** Errors are shown in their cells; those of fields without a visible cell in a toast. */
function showRowErrors(model: ListModel, row: RowEdit, title: string, errors: Readonly<Record<string, string>>): void {
  row.errors.value = errors
  const shown = new Set(model.columns.peek().map(({ key }) => key))
  const apart = Object.entries(errors).filter(([name]) => !shown.has(name))
  if (apart.length === 0) return
  const labelOf = (name: string) => model.arch.fields.find((field) => field.name === name)?.label ?? name
  showToast({
    level: 'error',
    text: title,
    more: apart.map(([name, message]) => t('{field}: {value}', { field: labelOf(name), value: message })).join(' '),
  })
}

/** Messages for empty required fields, by field. */
function findMissing({ arch }: ListModel, { draft }: RowEdit): Readonly<Record<string, string>> {
  const scope = scopeOf(Object.fromEntries(arch.fields.map(({ name }) => [name, draft.get(name)])))
  const columns = arch.columns.filter((column): column is FieldColumn => column.kind === 'field')
  return Object.fromEntries(
    columns.flatMap(({ field, node, label, widget }) => {
      const isRequired = field.required === true || holds(node.attrs['required'], scope)
      if (!isRequired || field.readonly) return []
      const isEmpty = findField('list', field.type, widget).isEmpty ?? isUnset
      return isEmpty(draft.get(field.name)) ? [[field.name, t('{field} is required.', { field: label })]] : []
    }),
  )
}

const isUnset = (value: unknown): boolean => value === null || value === undefined || value === ''

function pushAll(entries: readonly RecordEntry[], shown: Values): () => void {
  const undo = entries.map((entry) => entry.values.push((known) => ({ ...known, ...shown })))
  return () => {
    for (const take of undo) take()
  }
}

/** Versions of the rows as they were shown, so that changes of other users are detected. */
const versionsOf = (entries: readonly RecordEntry[]): Readonly<Record<number, number>> =>
  Object.fromEntries(
    entries.flatMap(({ id, values }) => {
      const { version } = values.base.peek() as { readonly version?: unknown }
      return typeof version === 'number' ? [[id, version]] : []
    }),
  )
