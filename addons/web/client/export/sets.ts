import type { WireField } from '../../../../kernel/view/wire.ts'
import type { Row } from '../net/rpc.ts'
import { services } from '../services.ts'
import { createRecord, searchRead, unlinkRecords, writeRecords } from '../store/queries.ts'
import { EXTERNAL_ID, type ExportColumn, type ExportPath, exportFields, pathOf } from './fields.ts'

/** Columns kept under a name (`sys.export.set`), by the user or shared with all. */
export interface ExportSet {
  readonly id: number
  readonly name: string
  readonly isShared: boolean
  readonly columns: readonly SavedColumn[]
}

const MODEL = 'sys.export.set'
const MAX_SETS = 400

/** The sets of a model that the user sees, by name. */
export async function loadSets(model: string): Promise<readonly ExportSet[]> {
  const fields = ['name', 'user_id', 'columns']
  const options = { limit: MAX_SETS, order: 'name' }
  return (await searchRead(services().rpc, MODEL, [['model', '=', model]], fields, options)).map(toSet)
}

const toSet = ({ id, name, user_id, columns }: Row): ExportSet => ({
  id,
  name: String(name),
  isShared: user_id === null,
  columns: Array.isArray(columns) ? columns.map(toColumn) : [],
})

/** A path, with a heading of its own or without. */
export interface SavedColumn {
  readonly path: string
  readonly heading?: string
}

const toColumn = (column: string | SavedColumn): SavedColumn => (typeof column === 'string' ? { path: column } : column)

const saved = (columns: readonly ExportColumn[]) =>
  columns.map(({ path, heading }) => (heading === undefined ? path : { path, heading }))

export interface SetTitle {
  readonly name: string
  readonly isShared: boolean
}

const titleValues = ({ name, isShared }: SetTitle) => ({
  name,
  user_id: isShared ? null : services().session.bootstrap.user.id,
})

export const createSet = (model: string, title: SetTitle, columns: readonly ExportColumn[]): Promise<number> =>
  createRecord(services().rpc, MODEL, { model, ...titleValues(title), columns: saved(columns) })

export const replaceColumns = ({ id }: ExportSet, columns: readonly ExportColumn[]): Promise<true> =>
  writeRecords(services().rpc, MODEL, [id], { columns: saved(columns) })

export const renameSet = ({ id }: ExportSet, title: SetTitle): Promise<true> =>
  writeRecords(services().rpc, MODEL, [id], titleValues(title))

export const removeSet = ({ id }: ExportSet): Promise<true> => unlinkRecords(services().rpc, MODEL, [id])

/** Only administrators share sets and change shared ones. */
export const mayShare = (): boolean => services().session.bootstrap.user.isAdmin

export const mayChangeSet = ({ isShared }: ExportSet): boolean => !isShared || mayShare()

/** The columns of a set, without those that the user has no field for. */
export async function columnsOf(model: string, { columns }: ExportSet): Promise<readonly ExportColumn[]> {
  const found = await Promise.all(
    columns.map(async ({ path, heading }) => {
      const column = await findPath(model, stepsOf(path))
      return column !== null && heading !== undefined ? { ...column, heading } : column
    }),
  )
  return found.filter((column) => column !== null)
}

/** Names of the fields on a path. Behind a link `id` is the external id and `.id` the database id. */
function stepsOf(path: string): readonly string[] {
  const [, base = path, id] = /^(.+)\/(\.?id)$/.exec(path) ?? []
  if (path === EXTERNAL_ID || path === '.id') return [path === '.id' ? 'id' : EXTERNAL_ID]
  return id === undefined ? path.split(/[./]/) : [...base.split(/[./]/), id === 'id' ? EXTERNAL_ID : 'id']
}

async function findPath(
  model: string,
  [name, ...rest]: readonly string[],
  parent: ExportPath | null = null,
): Promise<ExportPath | null> {
  const field: WireField | undefined = (await exportFields(model)).find((each) => each.name === name)
  if (field === undefined) return null
  const column = pathOf(field, parent)
  if (rest.length === 0) return column
  return field.relation === undefined ? null : findPath(field.relation, rest, column)
}
