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
  // A caller who may not read a field of the default order has fewer sort values.
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

/**
 * The rows after a cursor as one or two ranges, in their order; nulls come last ascending, first descending. PostgreSQL reads each range from
 * its beginning in an index over the keys; one condition for both would be tested on every row from the start of the index.
 */
export function rangesAfter(keys: readonly SortKey[], values: readonly (string | null)[]): readonly Sql<SqlBool>[] {
  const [key, ...others] = keys as readonly [SortKey, ...SortKey[]]
  const [value, ...rest] = values as readonly [string | null, ...(string | null)[]]
  const { expression, descending } = key
  const isNull = sql<SqlBool>`${expression} is null`
  if (value === null) {
    const equal = others.length === 0 ? [] : [sql<SqlBool>`${isNull} and ${after(others, rest)}`]
    return descending ? [...equal, sql<SqlBool>`${expression} is not null`] : equal
  }
  const near = isOneWay(keys, rest)
    ? sideOf(keys, values)
    : sql<SqlBool>`${from(key, value)} and ${after(keys, values)}`
  return descending || key.isNeverNull ? [near] : [near, isNull]
}

/** Whether the keys can be compared as a row: all in one direction, and none but the first ever null. */
const isOneWay = ([first, ...others]: readonly SortKey[], rest: readonly (string | null)[]): boolean =>
  others.every((key) => key.isNeverNull && key.descending === first!.descending) && !rest.includes(null)

function sideOf(keys: readonly SortKey[], values: readonly (string | null)[]): Sql<SqlBool> {
  const row = sql.join(keys.map(({ expression }) => expression))
  return sql<SqlBool>`(${row}) ${keys[0]!.descending ? sql`<` : sql`>`} (${sql.join(values)})`
}

const from = ({ expression, descending }: SortKey, value: string) =>
  descending ? sql<SqlBool>`${expression} <= ${value}` : sql<SqlBool>`${expression} >= ${value}`

/** Equal on the first keys and beyond on the next one. */
function after(keys: readonly SortKey[], values: readonly (string | null)[]): Sql<SqlBool> {
  const alternatives = keys.map((key, index) => {
    const equal = keys.slice(0, index).map((before, at) => sameValue(before, values[at]!))
    return sql<SqlBool>`(${sql.join([...equal, beyond(key, values[index]!)], sql` and `)})`
  })
  return sql<SqlBool>`(${sql.join(alternatives, sql` or `)})`
}

/** Not before the values of a cursor. */
export const beyondOrSame = (keys: readonly SortKey[], values: readonly (string | null)[]): Sql<SqlBool> =>
  sql<SqlBool>`(${after(keys, values)} or ${sameValues(keys, values)})`

export const sameValues = (keys: readonly SortKey[], values: readonly (string | null)[]): Sql<SqlBool> =>
  sql<SqlBool>`(${sql.join(
    keys.map((key, index) => sameValue(key, values[index]!)),
    sql` and `,
  )})`

const sameValue = ({ expression }: SortKey, value: string | null) =>
  value === null ? sql`${expression} is null` : sql`${expression} = ${value}`

function beyond({ expression, descending, isNeverNull }: SortKey, value: string | null): Sql<SqlBool> {
  if (value === null) return descending ? sql<SqlBool>`${expression} is not null` : sql<SqlBool>`false`
  if (descending) return sql<SqlBool>`${expression} < ${value}`
  return isNeverNull
    ? sql<SqlBool>`${expression} > ${value}`
    : sql<SqlBool>`(${expression} > ${value} or ${expression} is null)`
}
