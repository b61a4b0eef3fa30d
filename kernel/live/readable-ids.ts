import { isUnruled } from '../access/rules.ts'
import type { Env } from '../env.ts'
import { AppError } from '../errors.ts'
import type { Model } from '../model/registry.ts'
import { compileRule, fromTable, rootScope } from '../orm/statement/scope.ts'
import { slicesOf } from '../slices.ts'
import { sqlState, translatePgError } from '../sql/pg-error.ts'
import { type Sql, type SqlBool, sql } from '../sql/sql.ts'

/** Which of some records each user may read; null: all of them. */
export type ReadableIds = ReadonlyMap<Env, ReadonlySet<number> | null>

/** Users whose rules give the same condition, which is evaluated once for all of them. */
interface SameCondition {
  readonly condition: Sql<SqlBool>
  readonly envs: Env[]
}

const NONE: ReadonlySet<number> = new Set()

/**
 * The records each user may read by the rules of a model, with one query for each different condition. All users are in the same groups,
 * so that the same rules apply to them; only values differ, for example their own id.
 */
export async function readableIdsByEnv(
  envs: readonly Env[],
  model: Model,
  ids: readonly number[],
): Promise<ReadableIds> {
  const [first] = envs
  if (first === undefined || ids.length === 0) return new Map()
  if (isUnruled(first, model, 'read')) return new Map(envs.map((env) => [env, null]))
  const conditions = new Map<string, SameCondition>()
  for await (const slice of slicesOf(first, envs)) for (const env of slice) addCondition(conditions, env, model)
  const found = new Map<Env, ReadonlySet<number>>(envs.map((env) => [env, NONE]))
  for (const { condition, envs: those } of conditions.values()) {
    const readable = await idsThatMatch(first, model, ids, condition)
    for (const env of those) found.set(env, readable)
  }
  return found
}

/** None if the condition itself fails, for example on a division by zero: events for other readers must not wait until it is corrected. */
async function idsThatMatch(
  env: Env,
  model: Model,
  ids: readonly number[],
  condition: Sql<SqlBool>,
): Promise<ReadonlySet<number>> {
  try {
    const { rows } = await sql<{ id: number }>`
      select t.id from ${fromTable(rootScope(env, model))}
      where t.id = any(${ids}::int[]) and ${condition}`.execute(env.tx)
    return new Set(rows.map((row) => row.id))
  } catch (error) {
    if (isAway(error)) throw error
    env.services.observe({ kind: 'failure', requestId: env.requestId, error })
    return NONE
  }
}

const STATEMENT_TIMEOUT = '57014'

/** Whether the database is unreachable, so that a later attempt may succeed. A statement that took too long would do so again. */
export function isAway(error: unknown): boolean {
  const known = translatePgError(error)
  return sqlState(error) !== STATEMENT_TIMEOUT && known instanceof AppError && known.code === 'UNAVAILABLE'
}

function addCondition(conditions: Map<string, SameCondition>, env: Env, model: Model): void {
  const condition = conditionOf(env, model)
  if (condition === null) return
  const key = JSON.stringify(condition.compile())
  const known = conditions.get(key)
  if (known) known.envs.push(env)
  else conditions.set(key, { condition, envs: [env] })
}

/** Null for a rule that has become invalid, for example because a field was removed: nothing is readable through it. */
function conditionOf(env: Env, model: Model): Sql<SqlBool> | null {
  try {
    return compileRule(rootScope(env, model), 'read')
  } catch (error) {
    if (error instanceof AppError && error.code === 'BAD_REQUEST') return null
    throw error
  }
}
