import type { Operation } from '../../access/tables.ts'
import type { Env } from '../../env.ts'
import { accessDenied } from '../../errors.ts'
import type { Model } from '../../model/registry.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import { columnOf, fromTable, rootScope, ruleOf, type TableScope } from './scope.ts'

/**
 * Record rules also apply to a row as it is after a write, so that no user can change a record into one they may not write. A
 * rule that reads only columns of the row itself is checked by the writing statement; other rules are checked after links and
 * computed values are final.
 */
export interface NewRow {
  readonly id: number
  readonly ok: boolean | null
}

/** SQL for the column `ok` that the writing statement returns. */
export function newRowRule(scope: TableScope, operation: Operation): Sql<SqlBool> {
  const { condition, looksFurther } = ruleOf(scope, operation)
  return condition === null || looksFurther ? sql<SqlBool>`true` : condition
}

export function requireNewRows(env: Env, model: Model, rows: readonly NewRow[]): void {
  if (rows.some((row) => row.ok !== true)) throw refusedLikeThis(env, model)
}

/** Checks the rules that read more than the row's own columns. */
export async function requireFinalRule(
  env: Env,
  model: Model,
  ids: readonly number[],
  operation: Operation,
): Promise<void> {
  const scope = rootScope(env, model)
  const { condition: rule, looksFurther } = ruleOf(scope, operation)
  if (rule === null || !looksFurther) return
  const { rows } = await sql`
    select from ${fromTable(scope)}
    where ${columnOf(scope, 'id')} = any(${ids}::int[]) and (${rule}) is not true limit 1`.execute(env.tx)
  if (rows.length > 0) throw refusedLikeThis(env, model)
}

const refusedLikeThis = (env: Env, model: Model) =>
  accessDenied(
    'rule_refuses_values',
    env.t('A rule does not let you leave {model} like this.', { model: env.t(model.label) }),
    {
      model: model.name,
    },
  )
