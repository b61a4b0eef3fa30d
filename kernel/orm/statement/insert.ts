import type { Env } from '../../env.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { roundAmount } from './currency.ts'
import { type NewRow, newRowRule, requireNewRows } from './new-row-rule.ts'
import { fromRecordset, recordset, type StoredRow } from './recordset.ts'
import { fromTable, rootScope } from './scope.ts'

/** The fields that one of the rows has. */
export function fieldNamesIn(rows: readonly StoredRow[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const row of rows) for (const name of row.keys()) names.add(name)
  return names
}

export type Insert = Sql<NewRow>

/** The statement that inserts any number of rows. */
export function insertOf(env: Env, model: Model, rows: readonly StoredRow[]): Insert {
  const fields = [...fieldNamesIn(rows)].map((name) => model.fields.get(name)!)
  const now = env.now.toISOString()
  const stamp = sql`${actorId(env)}, ${now}::timestamptz, ${actorId(env)}, ${now}::timestamptz, 1`
  const targets = sql.join([...fields.map((field) => field.column!), ...STAMP_COLUMNS].map((name) => sql.id(name)))
  const given = (field: Field) => (fields.includes(field) ? fromRecordset(field) : null)
  const values = [...fields.map((field) => roundAmount(env, model, field, fromRecordset(field), given)), stamp]
  const scope = rootScope(env, model)
  return sql<NewRow>`
    insert into ${fromTable(scope)} (${targets})
    select ${sql.join(values)} from ${recordset(rows, fields.length > 0 ? fields : [model.fields.get('version')!])}
    returning t.id, ${newRowRule(scope, 'create')} as ok`
}

/** Ids come back in the order of the rows. */
export async function insertRows(env: Env, model: Model, insert: Insert): Promise<number[]> {
  const { rows } = await insert.execute(env.tx)
  requireNewRows(env, model, rows)
  return rows.map((row) => row.id)
}

/** The user id for `create_uid` and `write_uid`; null for the service itself (id 0), which has no user record. */
export const actorId = (env: Env) => sql`nullif(${env.user.id}::int, 0)`

const STAMP_COLUMNS = ['create_uid', 'create_date', 'write_uid', 'write_date', 'version']
