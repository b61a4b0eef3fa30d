import { type AppError, badRequest } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model, OrderTerm } from '../../model/registry.ts'
import type { LargeTable } from '../../schema/large-tables.ts'
import { objectName } from '../../schema/names.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import { fromTable, stepTo, type TableScope } from '../statement/scope.ts'
import type { LinkOrder } from './page-by-target.ts'

/**
 * How to sort the matching records of a large table. Null: by ORDER BY, since there is an index or few enough records match. Otherwise by the
 * targets of a link (`pageByTarget`), or BAD_REQUEST at once, instead of a statement that runs into its timeout.
 */
export async function chooseSort(
  scope: TableScope,
  terms: readonly OrderTerm[],
  where: Sql<SqlBool>,
): Promise<LinkOrder | null> {
  const { env, model } = scope
  const large = env.large.get(model.table)
  if (large === undefined) return null
  const [first, ...rest] = terms as readonly [OrderTerm, ...OrderTerm[]]
  const field = model.fields.get(first.field)!
  if (isIndexed(model, field, large)) return null
  const isLink = rest.length === 1 && rest[0]!.field === 'id' && leadsToFew(scope, field, large)
  if (isLink) {
    if (!(await areMore(scope, where, LIMITS.listTotal, large))) return null
    return { field, descending: first.descending, idDescending: rest[0]!.descending }
  }
  const limit = field.column === null || field.relation !== null ? LIMITS.sortedByLink : LIMITS.sortedRecords
  if (await areMore(scope, where, limit, large)) throw tooMany(scope, field, limit)
  return null
}

const hasSort = ({ table }: Model, { name }: Field, { sorts }: LargeTable) => sorts.has(objectName(table, name, 'sort'))

/** Whether the table can be read in the order of the field. */
function isIndexed(model: Model, field: Field, large: LargeTable): boolean {
  if (field.name === 'id') return true
  if (field.column === null || field.relation !== null) return false
  const isPlain = field.type.comparison !== 'text' && (field.index || field.unique)
  return isPlain || model.order[0]!.field === field.name || hasSort(model, field, large)
}

/** Whether a many2one has an index for `pageByTarget` and few targets. System fields are left out: they may refer to a deleted user. */
function leadsToFew(scope: TableScope, field: Field, large: LargeTable): boolean {
  const { env, model } = scope
  const { relation } = field
  if (relation?.kind !== 'many2one' || field.column === null || field.system) return false
  if (!hasSort(model, field, large) || stepTo(scope, relation.target, 'n') === null) return false
  return (env.large.get(env.registry.model(relation.target)!.table)?.rows ?? 0) < LIMITS.sortedTargets
}

async function areMore(scope: TableScope, where: Sql<SqlBool>, limit: number, { rows }: LargeTable): Promise<boolean> {
  // The number is an estimate.
  if (rows >= 0 && rows * 1.2 < limit) return false
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${fromTable(scope)} where ${where} limit ${limit + 1}) as n`.execute(
    scope.env.tx,
  )
  return counted.rows[0]!.count > limit
}

const tooMany = ({ env }: TableScope, { label, name }: Field, limit: number): AppError => {
  const words = { count: limit.toLocaleString(env.lang), field: env.t(label) }
  return badRequest(
    'order_too_costly',
    env.t('More than {count} records cannot be sorted by {field}. Filter them first.', words),
    { field: name, limit },
  )
}
