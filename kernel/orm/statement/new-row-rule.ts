import { ruleDomain } from '../../access/rules.ts'
import type { Operation } from '../../access/tables.ts'
import type { DomainNode } from '../../domain/ast.ts'
import type { Env } from '../../env.ts'
import { accessDenied } from '../../errors.ts'
import type { Model } from '../../model/registry.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import { columnOf, compileRule, fromTable, rootScope, type TableScope } from './scope.ts'

/**
 * Record rules also apply to a row as it is after a write, so that nobody can move a record to where they may not write. A
 * rule that reads only columns of the row itself is checked by the writing statement; other rules are checked after links and
 * computed values are final.
 */
export interface NewRow {
  readonly id: number
  readonly ok: boolean | null
}

/** SQL for the column `ok` that the writing statement returns. */
export function newRowRule(scope: TableScope, operation: Operation): Sql<SqlBool> {
  const rule = ruleDomain(scope.env, scope.model, operation)
  return rule === null || looksFurther(rule) ? sql<SqlBool>`true` : compileRule(scope, operation)!
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
  const node = ruleDomain(env, model, operation)
  if (node === null || !looksFurther(node)) return
  const scope = rootScope(env, model)
  const rule = compileRule(scope, operation)
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

/**
 * Whether a rule reads links, hierarchies or computed values, which are final only after links are written and computes have
 * run.
 */
function looksFurther(node: DomainNode): boolean {
  switch (node.kind) {
    case 'constant':
      return false
    case 'and':
    case 'or':
      return node.items.some(looksFurther)
    case 'not':
      return looksFurther(node.item)
    case 'compare':
      return node.field.column === null || node.field.compute !== null
    default:
      return true
  }
}
