import type { Env } from '../../env.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { typeName } from '../../sql/ddl.ts'
import { sql } from '../../sql/sql.ts'
import { roundAmount } from './currency.ts'
import { type NewRow, newRowRule, requireNewRows } from './new-row-rule.ts'
import { fromTable, rootScope } from './scope.ts'

/** Stored values of one row by field name. */
export type StoredRow = ReadonlyMap<string, unknown>

/** SQL type of a bound value of the field. */
export const bindTypeOf = (field: Field) => typeName(field.type.bindType ?? field.sqlType!)

/** `r(name text, …)`: the rows of a JSON array as a table with the types of the given fields. */
export function recordset(rows: readonly StoredRow[], fields: readonly Field[], withId = false) {
  const names = [...(withId ? ['id'] : []), ...fields.map(({ name }) => name)]
  const json = JSON.stringify(rows.map((row) => objectOf(row, names)))
  const columns = fields.map((field) => sql`${sql.id(field.name)} ${bindTypeOf(field)}`)
  const id = withId ? [sql`id integer`] : []
  return sql`json_to_recordset(${json}::json) as r(${sql.join([...id, ...columns])})`
}

/** Objects that get their keys in one order are built and written several times as fast. */
function objectOf(row: StoredRow, names: readonly string[]): Readonly<Record<string, unknown>> {
  const object: Record<string, unknown> = {}
  for (const name of names) object[name] = row.get(name)
  return object
}

/** SQL for the value of a recordset column in the form the table stores. */
export const fromRecordset = (field: Field) => field.type.bind(sql.ref(`r.${field.name}`), field)

/** The fields that one of the rows has. */
export function namesIn(rows: readonly StoredRow[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const row of rows) for (const name of row.keys()) names.add(name)
  return names
}

/** Inserts any number of rows with one statement; ids come back in the order of the rows. */
export async function insertRows(env: Env, model: Model, rows: readonly StoredRow[]): Promise<number[]> {
  const fields = [...namesIn(rows)].map((name) => model.fields.get(name)!)
  const now = env.now.toISOString()
  const stamp = sql`${actorOf(env)}, ${now}::timestamptz, ${actorOf(env)}, ${now}::timestamptz, 1`
  const targets = sql.join([...fields.map((field) => field.column!), ...STAMP_COLUMNS].map((name) => sql.id(name)))
  const given = (field: Field) => (fields.includes(field) ? fromRecordset(field) : null)
  const values = [...fields.map((field) => roundAmount(env, model, field, fromRecordset(field), given)), stamp]
  const scope = rootScope(env, model)
  const { rows: inserted } = await sql<NewRow>`
    insert into ${fromTable(scope)} (${targets})
    select ${sql.join(values)} from ${recordset(rows, fields.length > 0 ? fields : [model.fields.get('version')!])}
    returning t.id, ${newRowRule(scope, 'create')} as ok`.execute(env.tx)
  requireNewRows(env, model, inserted)
  return inserted.map((row) => row.id)
}

/** The user id for `create_uid` and `write_uid`; null for the service itself (id 0), which has no user record. */
export const actorOf = (env: Env) => sql`nullif(${env.user.id}::int, 0)`

const STAMP_COLUMNS = ['create_uid', 'create_date', 'write_uid', 'write_date', 'version']
