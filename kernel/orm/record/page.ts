import { numeral } from '../../sql/ddl.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import { rangesAfter } from '../statement/cursor.ts'
import { orderBy, type SortKey } from '../statement/order.ts'
import { allOf, anyOf, columnOf, fromTable, type TableScope } from '../statement/scope.ts'

export interface Slice {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** The limit is part of the text (`statement/generic-plan.ts`). */
  readonly hasLiteralLimit?: boolean
}

/** Where the rows of a page come from, in their order, and the keys they are ordered by. */
export interface PageSource {
  readonly from: Sql<unknown>
  readonly keys: readonly SortKey[]
}

/** One of the statements that make up a page; `limit` is how many rows are still wanted. */
export type PagePart = (limit: number | undefined) => PageSource

/** The sort values of the last row of the previous page. */
export type CursorValues = readonly (string | null)[]

/** The rows in their order, or those after a cursor: two parts if these are rows with a value, followed by rows without one. */
export function pageParts(
  scope: TableScope,
  keys: readonly SortKey[],
  where: Sql<SqlBool>,
  after: CursorValues | null,
  {
    offset,
    hasLiteralLimit = false,
  }: { readonly offset?: number | undefined; readonly hasLiteralLimit?: boolean } = {},
): readonly PagePart[] {
  const ranges = after === null ? [null] : rangesAfter(keys, after)
  const parts = offset && after !== null ? [anyOf(rangesAfter(keys, after))] : ranges
  return parts.map((range) => (limit) => pageOf(scope, keys, allOf([where, range]), { limit, offset, hasLiteralLimit }))
}

/**
 * The rows of a page in their order. With an offset the ids of the page are selected first, so that the skipped rows are only sorted and
 * their display names and links are not read.
 */
function pageOf(scope: TableScope, keys: readonly SortKey[], where: Sql<SqlBool>, part: Slice): PageSource {
  const rows = sql`from ${fromTable(scope)} where ${where} order by ${orderBy(keys)} ${slice(part)}`
  if (!part.offset) return { from: rows, keys }
  const chosen = keys.map((key, index) => sql`${key.expression} as ${sql.id(sortAlias(index))}`)
  return ofChosen(scope, keys, sql`select ${columnOf(scope, 'id')} as id, ${sql.join(chosen)} ${rows}`)
}

/** The rows whose ids and keys a statement has chosen. */
export function ofChosen(scope: TableScope, keys: readonly SortKey[], chosen: Sql<unknown>): PageSource {
  const pageKeys = keys.map((key, index) => ({ ...key, expression: sql.ref(`page.${sortAlias(index)}`) }))
  const page = sql`(${chosen}) as page`
  const from = sql`from ${page} join ${fromTable(scope)} on ${columnOf(scope, 'id')} = page.id order by ${orderBy(pageKeys)}`
  return { from, keys: pageKeys }
}

/** LIMIT and OFFSET; no limit unless the caller gave one. */
export function slice({ limit, offset = 0, hasLiteralLimit = false }: Slice): Sql<unknown> {
  if (limit === undefined) return sql`offset ${offset}`
  return hasLiteralLimit && offset === 0 ? sql`limit ${numeral(limit)}` : sql`limit ${limit} offset ${offset}`
}

export const sortAlias = (index: number): string => `sort:${index}`
