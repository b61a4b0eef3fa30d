import { requireModel } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import { LIMITS } from '../../limits.ts'
import type { Model } from '../../model/registry.ts'
import { jsonList, listOfRows, type WrittenJson } from '../../sql/json-rows.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import { missing, refused } from '../statement/refusals.ts'
import { columnOf, fromTable, rootScope } from '../statement/scope.ts'
import { planRead } from './plan.ts'
import { addComputed, type ProjectedRecord, toRecords } from './project.ts'

/**
 * Records by id, in the order of `ids`. An id that does not exist is NOT_FOUND, a hidden record ACCESS_DENIED; archived
 * records are read like others. `isTrusted` is for server code: the result may be larger than an answer.
 */
export async function read(
  env: Env,
  model: Model,
  ids: readonly number[],
  fields?: readonly string[],
  { isTrusted = false }: { readonly isTrusted?: boolean } = {},
): Promise<ProjectedRecord[]> {
  requireModel(env, model, 'read')
  const { projection, select, rule } = planRead(env, model, fields)
  env.services.trace?.lap('decide')
  if (ids.length === 0) return []
  const statement = statementOf(env, model, ids, sql`${select}, ${marksOf(env, model, rule)}`)
  const { rows } = await statement.execute(env.tx, isTrusted ? {} : { maxBytes: LIMITS.answerBytes })
  const order = rowsInOrder(env, model, ids, rows)
  const records = await toRecords(
    env,
    model,
    projection,
    order.map((row) => rows[row]!),
  )
  env.services.trace?.lap('shape')
  return records
}

/** Like `read`, but returns the records as JSON for an answer, without parsing their values. */
export async function readJson(
  env: Env,
  model: Model,
  ids: readonly number[],
  fields?: readonly string[],
): Promise<WrittenJson> {
  requireModel(env, model, 'read')
  const { projection, members, select, rule } = planRead(env, model, fields)
  env.services.trace?.lap('decide')
  if (ids.length === 0) return jsonList([])
  const statement = statementOf(env, model, ids, sql`${select}, ${marksOf(env, model, rule)}`)
  const found = await statement.executeJson(env.tx, members, { maxBytes: LIMITS.answerBytes })
  const order = rowsInOrder(env, model, ids, found.rest)
  const foundIds = found.rest.map((row) => row[ID])
  const records = listOfRows(await addComputed(env, model, projection, found, foundIds), order)
  env.services.trace?.lap('shape')
  return records
}

/** Columns of a row besides those of its record. */
type Mark = Readonly<Record<typeof ID, number> & Record<typeof RULE, boolean> & Record<string, unknown>>

const ID = 'mark:id'
const RULE = 'mark:rule'

const marksOf = (env: Env, model: Model, rule: Sql<SqlBool>) =>
  sql`${columnOf(rootScope(env, model), 'id')} as ${sql.id(ID)}, ${rule} as ${sql.id(RULE)}`

function statementOf(env: Env, model: Model, ids: readonly number[], select: Sql): Sql<Mark> {
  const scope = rootScope(env, model)
  return sql<Mark>`select ${select} from ${fromTable(scope)} where ${columnOf(scope, 'id')} = any(${ids}::int[])`
}

/** For each id the number of its row. */
function rowsInOrder(env: Env, model: Model, ids: readonly number[], rows: readonly Mark[]): readonly number[] {
  const byId = new Map(rows.map((row, index) => [row[ID], index]))
  const absent = ids.find((id) => !byId.has(id))
  if (absent !== undefined) throw missing(env, model, absent)
  const hidden = rows.find((row) => row[RULE] !== true)
  if (hidden !== undefined) throw refused(env, model, hidden[ID])
  return ids.map((id) => byId.get(id)!)
}

/**
 * Throws the error for a statement that had to affect all `ids` but affected fewer: some do not exist, or a rule hides them.
 * Which of the two is revealed only to callers who may read the model.
 */
export async function explainMissing(
  env: Env,
  model: Model,
  ids: readonly number[],
  touched: readonly number[],
): Promise<never> {
  requireModel(env, model, 'read')
  const reached = new Set(touched)
  const rest = ids.filter((id) => !reached.has(id))
  const scope = rootScope(env, model)
  const { rows } = await sql<{ id: number }>`
    select ${columnOf(scope, 'id')} as id from ${fromTable(scope)} where ${columnOf(scope, 'id')} = any(${rest}::int[])`.execute(
    env.tx,
  )
  const existing = new Set(rows.map((row) => row.id))
  const absent = rest.find((id) => !existing.has(id))
  if (absent !== undefined) throw missing(env, model, absent)
  throw refused(env, model, rest[0]!)
}
