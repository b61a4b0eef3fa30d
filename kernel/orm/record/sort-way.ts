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
 * How the records of a large table are brought into an order that somebody asks for. Null: as the order says, from an index, or because those that
 * match are few enough to be sorted. Otherwise they are found by a link, or refused at once, instead of after the time that a statement has.
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

/** Whether a many2one has an index with its records by target, and so few targets that they are asked one by one. System fields may lead to nobody. */
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
