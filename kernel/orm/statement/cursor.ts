import { badRequest } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { seal, unseal } from '../../seal.ts'
import type { Services } from '../../services.ts'
import { sqlState } from '../../sql/pg-error.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import type { SortKey } from './order.ts'

/**
 * Seals the sort values of the last row, so that they cannot be read or changed outside the server; `order` binds the cursor
 * to its order. Null when the values are too long for a header.
 */
export async function encodeCursor(
  services: Services,
  order: string,
  values: readonly (string | null)[],
): Promise<string | null> {
  const cursor = await seal(services, purposeOf(order), JSON.stringify(values))
  return cursor.length > LIMITS.cursorChars ? null : cursor
}

/** The sort values in a cursor that this installation made for this order. */
export async function decodeCursor(
  services: Services,
  cursor: string,
  order: string,
  length: number,
): Promise<readonly (string | null)[]> {
  if (cursor.length > LIMITS.cursorChars) throw notOurs()
  const values: readonly (string | null)[] = await unseal(services, purposeOf(order), cursor)
    .then(JSON.parse)
    .catch(() => Promise.reject(notOurs()))
  // Somebody who may not read a field of the default order sorts by fewer values.
  if (values.length !== length) throw notOurs()
  return values
}

const purposeOf = (order: string) => `cursor ${order}`

const notOurs = () => badRequest('cursor_invalid', 'The cursor does not belong to this query.')

/**
 * Translates the failure of a statement with a cursor: values that PostgreSQL cannot parse come from a column that had
 * another type when the cursor was made.
 */
export const explainCursorFailure = (error: unknown): unknown => (sqlState(error)?.startsWith('22') ? notOurs() : error)

/** Rows after the cursor: equal on the first keys and beyond it on the next one. Nulls come last ascending, first descending. */
export function afterCursor(keys: readonly SortKey[], values: readonly (string | null)[]): Sql<SqlBool> {
  const alternatives = keys.map((key, index) => {
    const equal = keys.slice(0, index).map((before, at) => sameValue(before, values[at]!))
    return sql<SqlBool>`(${sql.join([...equal, beyond(key, values[index]!)], sql` and `)})`
  })
  return sql<SqlBool>`(${sql.join(alternatives, sql` or `)})`
}

const sameValue = ({ expression }: SortKey, value: string | null) =>
  value === null ? sql`${expression} is null` : sql`${expression} = ${value}`

function beyond({ expression, descending }: SortKey, value: string | null): Sql<SqlBool> {
  if (value === null) return descending ? sql<SqlBool>`${expression} is not null` : sql<SqlBool>`false`
  return descending
    ? sql<SqlBool>`${expression} < ${value}`
    : sql<SqlBool>`(${expression} > ${value} or ${expression} is null)`
}
