import { mayReadField, mayReadOwn } from '../../access/acl.ts'
import { isRelated } from '../../domain/relation.ts'
import type { Env } from '../../env.ts'
import { badRequest } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import type { Field, ReadSource, SelectedColumn } from '../../model/fields/field.ts'
import { nameAlias, wireValue } from '../../model/fields/wire.ts'
import type { Model } from '../../model/registry.ts'
import { type JsonMember, type JsonRows, withMembers } from '../../sql/json-rows.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import { computeOnRead } from '../compute/compute.ts'
import { readSource } from '../statement/read-source.ts'
import { columnOf, fromTable, modelOf, stepTo, type TableScope } from '../statement/scope.ts'

type RawRow = Readonly<Record<string, unknown>>
export type ProjectedRecord = Record<string, unknown>

/** The fields that a read returns, and the columns it selects for those that come from the statement. */
export interface Projection {
  readonly selected: readonly SelectedField[]
  /** Fields computed after the statement. */
  readonly computed: readonly Field[]
}

interface SelectedField {
  readonly field: Field
  readonly columns: readonly SelectedColumn[]
  /** Return the size instead of the value. */
  readonly summary: boolean
}

/**
 * The fields of a read: those named, or all of them, with large values replaced by their size. Fields that the caller may not
 * read are left out; unknown names are BAD_REQUEST.
 */
export function project(scope: TableScope, names: readonly string[] | undefined): Projection {
  const selected: SelectedField[] = []
  const computed: Field[] = []
  for (const field of readableFields(scope.env, scope.model, names)) {
    const { summary } = names === undefined ? field.type : { summary: null }
    const select: Select = (shown, from) => (summary ?? shown.type.select)({ ...shown, name: field.name }, from)
    const columns = columnsOf(scope, field, select)
    if (columns === null) computed.push(field)
    else {
      const visible = mayReadField(scope.env, field) ? columns : ofOwnRecord(scope, columns)
      selected.push({ field, columns: visible, summary: summary !== null })
    }
  }
  return { selected, computed }
}

/** The columns of a private field, which is unset except on the user record of the caller. */
const ofOwnRecord = (scope: TableScope, columns: readonly SelectedColumn[]): readonly SelectedColumn[] =>
  columns.map(({ alias, expression }) => ({
    alias,
    expression: sql`case when ${columnOf(scope, 'id')} = ${scope.env.user.id} then ${expression} end`,
  }))

/** What a read selects for one field whose access has been checked; null when it is computed after the statement. */
export const fieldColumns = (scope: TableScope, field: Field): readonly SelectedColumn[] | null =>
  columnsOf(scope, field, (shown, from) => shown.type.select({ ...shown, name: field.name }, from))

type Select = (shown: Field, from: ReadSource) => readonly SelectedColumn[]

/** The columns to select for a field; null when the value is computed after the statement. */
function columnsOf(scope: TableScope, field: Field, select: Select): readonly SelectedColumn[] | null {
  if (isRelated(field)) return columnsAlong(scope, field.related!, select)
  return field.compute !== null && !field.compute.stored ? null : select(field, readSource(scope))
}

/**
 * The columns to select for the field at the end of a path of many2one steps. Values behind a record that the caller may not read are
 * unset.
 */
function columnsAlong(
  scope: TableScope,
  [first, ...rest]: readonly string[],
  select: Select,
): readonly SelectedColumn[] | null {
  const field = scope.model.fields.get(first!)!
  if (rest.length === 0) return columnsOf(scope, field, select)
  if (isRelated(field)) return columnsAlong(scope, [...field.related!, ...rest], select)
  if (field.column === null) return null
  const alias = `${scope.alias}p`
  const target = stepTo(scope, field.relation!.target, alias)
  const to: TableScope = { env: scope.env, model: modelOf(scope.env, field.relation!.target), alias }
  const where = target?.pointedAtBy(columnOf(scope, field.column)) ?? sql<SqlBool>`false`
  const columns = columnsAlong(to, rest, select)
  return (
    columns?.map((column) => ({
      alias: column.alias,
      expression: sql`(select ${column.expression} from ${fromTable(to)} where ${where})`,
    })) ?? null
  )
}

function readableFields(env: Env, model: Model, names: readonly string[] | undefined): readonly Field[] {
  if (names === undefined)
    return [...model.fields.values()].filter((field) => field.translationOf === null && mayReadOwn(env, field))
  if (names.length > LIMITS.fields)
    throw badRequest('limit_exceeded', `At most ${LIMITS.fields} fields can be read at once.`)
  const fields = new Map<string, Field>()
  for (const name of ['id', ...names]) {
    const field = model.fields.get(name)
    if (field === undefined)
      throw badRequest('field_unknown', `${model.name} has no field ${name.slice(0, 80)}.`, {
        field: name.slice(0, 80),
      })
    if (mayReadOwn(env, field)) fields.set(name, field)
  }
  return [...fields.values()]
}

/** The select list of a projection. */
export const selectList = ({ selected }: Projection): Sql<unknown> =>
  sql`${sql.join(
    selected.flatMap(({ columns }) => columns.map(({ alias, expression }) => sql`${expression} as ${sql.id(alias)}`)),
  )}`

/** The members of the records as JSON, as far as the statement gives them. */
export const membersOf = ({ selected }: Projection): readonly JsonMember[] =>
  selected.map(({ field, summary }) => ({ name: field.name, form: summary ? 'value' : field.type.form }))

/** Rows of the statement → records of the answer. */
export async function toRecords(
  env: Env,
  model: Model,
  { selected, computed }: Projection,
  rows: readonly RawRow[],
): Promise<ProjectedRecord[]> {
  const records = rows.map((row) => {
    const record: ProjectedRecord = {}
    for (const { field, summary } of selected) {
      record[field.name] = summary ? (row[field.name] ?? null) : wireValue(row, field)
    }
    return record
  })
  if (computed.length === 0 || rows.length === 0) return records
  const added = await computeAfter(
    env,
    model,
    computed,
    rows.map((row) => row['id'] as number),
  )
  return records.map((record, index) => Object.assign(record, added[index]))
}

/** Adds the fields computed after the statement to rows that the driver has written as JSON; `ids` are those of the rows. */
export async function addComputed(
  env: Env,
  model: Model,
  { computed }: Projection,
  rows: JsonRows<unknown>,
  ids: readonly number[],
): Promise<JsonRows<unknown>> {
  if (computed.length === 0 || ids.length === 0) return rows
  return withMembers(rows, await computeAfter(env, model, computed, ids))
}

/** The values that are computed after the statement, for each of the records. */
async function computeAfter(
  env: Env,
  model: Model,
  fields: readonly Field[],
  ids: readonly number[],
): Promise<readonly ProjectedRecord[]> {
  const results = await computeOnRead(env, model, fields, ids, { areRead: true })
  const records = ids.map((): ProjectedRecord => ({}))
  for (const field of fields) {
    const values = results.get(field.name)
    const names = await targetNames(env, field, [...(values?.values() ?? [])])
    records.forEach((record, index) => {
      const value = values?.get(ids[index]!) ?? null
      record[field.name] = wireValue(
        { [field.name]: value, [nameAlias(field.name)]: names?.get(value as number) ?? null },
        field,
      )
    })
  }
  return records
}

/** Display names for a computed many2one, as far as the caller may read them. */
async function targetNames(
  env: Env,
  field: Field,
  values: readonly unknown[],
): Promise<ReadonlyMap<number, string> | null> {
  if (field.relation?.kind !== 'many2one') return null
  const ids = [...new Set(values.filter((value) => typeof value === 'number'))]
  return ids.length === 0 ? new Map() : displayNames(env, modelOf(env, field.relation.target), ids)
}

/** Names of the given records that the caller may read. */
export async function displayNames(
  env: Env,
  model: Model,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const source = sql<{ id: number; name: string | null }>`
    select i.id, ${readSource({ env, model, alias: 'i' }).displayName({ kind: 'many2one', target: model.name, ondelete: 'restrict' }, 'id')} as name
    from unnest(${ids}::int[]) as i(id)`
  const { rows } = await source.execute(env.tx)
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])))
}
