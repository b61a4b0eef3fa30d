import type { DomainNode } from '../../domain/ast.ts'
import { PAGE_RECORDS } from '../../limits.ts'
import { isRecordId } from '../../model/fields/field.ts'
import { idList } from '../../sql/ddl.ts'
import { Sql, type SqlBool } from '../../sql/sql.ts'
import type { SortKey } from './order.ts'

/**
 * PostgreSQL plans a prepared statement anew for every call as long as its values may change the plan, and a bound LIMIT always may: a quarter
 * of a millisecond, nearly half of its time for a page of 80 records. Where nothing else depends on values, the limit is part of the
 * text, and one plan for all values, the generic plan, is kept. A plan for any company would be wrong for a small one, so those of the
 * caller are part of the text, too.
 */

/** Other limits stay bound, so that no caller fills the server with statements. */
const PAGE_SIZES: ReadonlySet<number | undefined> = new Set([40, PAGE_RECORDS, 100, 200, 500])

/** More than these have too many combinations to keep a statement for each. */
const MAX_IDS = 8

/** The rule with its lists of ids as text; null: it has other values. */
export function ruleOfIds(rule: Sql<SqlBool>): Sql<SqlBool> | null {
  const { strings, holes } = rule.flatten()
  if (!holes.every(isShortList)) return null
  return new Sql<SqlBool>(strings, holes.map(idList)).flatten()
}

const isShortList = (hole: unknown): hole is readonly number[] =>
  Array.isArray(hole) && hole.length <= MAX_IDS && hole.every(isRecordId)

export const pageHasGenericPlan = (node: DomainNode, keys: readonly SortKey[], limit: number | undefined): boolean =>
  PAGE_SIZES.has(limit) && hasGenericPlan(node, keys)

/** The limit of a count is one of a few that code names. */
export const countHasGenericPlan = (node: DomainNode): boolean => hasGenericPlan(node, [])

/** Whether one plan is right for all values of a domain: each is compared with the id, and either finds single records or is where the order begins. */
function hasGenericPlan(node: DomainNode, keys: readonly SortKey[]): boolean {
  if (node.kind === 'constant') return true
  if (node.kind === 'and') return node.items.every((item) => hasGenericPlan(item, keys))
  if (node.kind !== 'compare' || node.field.name !== 'id' || node.part !== null) return false
  return node.operator === '=' || node.operator === 'in' || keys.length === 1
}
