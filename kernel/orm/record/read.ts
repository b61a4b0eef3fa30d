import { requireModel } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import { LIMITS } from '../../limits.ts'
import type { Model } from '../../model/registry.ts'
import { sql } from '../../sql/sql.ts'
import { missing, refused } from '../statement/refusals.ts'
import { columnOf, fromTable, rootScope } from '../statement/scope.ts'
import { planRead } from './plan.ts'
import { type ProjectedRecord, toRecords } from './project.ts'

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
  const scope = rootScope(env, model)
  const { projection, select, rule } = planRead(env, model, fields)
  env.services.trace?.lap('decide')
  if (ids.length === 0) return []
  const { rows } = await sql<Record<string, unknown>>`
    select ${select}, ${rule} as "rule:ok"
    from ${fromTable(scope)} where ${columnOf(scope, 'id')} = any(${ids}::int[])`.execute(
    env.tx,
    isTrusted ? {} : { maxBytes: LIMITS.answerBytes },
  )
  const byId = new Map(rows.map((row) => [row['id'] as number, row]))
  const absent = ids.find((id) => !byId.has(id))
  if (absent !== undefined) throw missing(env, model, absent)
  const hidden = rows.find((row) => row['rule:ok'] !== true)
  if (hidden !== undefined) throw refused(env, model, hidden['id'] as number)
  const records = await toRecords(
    env,
    model,
    projection,
    ids.map((id) => byId.get(id)!),
  )
  env.services.trace?.lap('shape')
  return records
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
