import { badRequest } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { sqlState } from '../../sql/pg-error.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import type { SortKey } from './order.ts'

/**
 * Encodes the sort values of the last row; `order` binds the cursor to its order. Null when the values are too long for a
 * header.
 */
export function encodeCursor(order: string, values: readonly (string | null)[]): string | null {
  const bytes = new TextEncoder().encode(JSON.stringify([order, ...values]))
  if (bytes.length * 4 > LIMITS.cursorChars * 3) return null
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

export function decodeCursor(cursor: string, order: string, length: number): readonly (string | null)[] {
  const [madeFor, ...values] = parseCursor(cursor)
  const fits = values.length === length && values.every((value) => value === null || typeof value === 'string')
  if (madeFor !== order || !fits) throw badRequest('cursor_invalid', 'The cursor does not belong to this query.')
  return values as (string | null)[]
}

function parseCursor(cursor: string): readonly unknown[] {
  try {
    if (cursor.length > LIMITS.cursorChars) throw notOurs()
    const binary = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0))
    const parsed: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return Array.isArray(parsed) ? parsed : []
  } catch {
    throw notOurs()
  }
}

const notOurs = () => badRequest('cursor_invalid', 'The cursor is not one this service made.')

/**
 * Translates the failure of a statement with a cursor: values that PostgreSQL cannot parse were manipulated, since ours came
 * from the same columns.
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
