import type { Field } from '../../model/fields/field.ts'
import { typeName } from '../../sql/ddl.ts'
import { type Sql, sql } from '../../sql/sql.ts'

/** Stored values of one row by field name. */
export type StoredRow = ReadonlyMap<string, unknown>

/** SQL type of a bound value of the field. */
export const bindTypeOf = (field: Field) => typeName(field.type.bindType ?? field.sqlType!)

/** SQL for the value of a recordset column in the form the table stores. */
export const fromRecordset = (field: Field) => field.type.bind(sql.ref(`r.${field.name}`), field)

interface SentColumn {
  readonly name: string
  readonly type: Sql<unknown>
  readonly isJson: boolean
}

/** From this number of rows on PostgreSQL reads a list for each column in half the time of an object for each row. */
const MANY_ROWS = 50

/** `r(name, …)`: rows as a table, in their order, with the types of the given fields. */
export function recordset(rows: readonly StoredRow[], fields: readonly Field[], withId = false): Sql<unknown> {
  const columns: readonly SentColumn[] = [
    ...(withId ? [{ name: 'id', type: sql`integer`, isJson: false }] : []),
    ...fields.map((field) => ({ name: field.name, type: bindTypeOf(field), isJson: field.sqlType === 'jsonb' })),
  ]
  return rows.length < MANY_ROWS ? fromObjects(rows, columns) : fromLists(rows, columns)
}

function fromObjects(rows: readonly StoredRow[], columns: readonly SentColumn[]): Sql<unknown> {
  const json = JSON.stringify(rows.map((row) => objectOf(row, columns)))
  const types = columns.map(({ name, type }) => sql`${sql.id(name)} ${type}`)
  return sql`json_to_recordset(${json}::json) as r(${sql.join(types)})`
}

/** Objects that get their keys in one order are built and written several times as fast. */
function objectOf(row: StoredRow, columns: readonly SentColumn[]): Readonly<Record<string, unknown>> {
  const object: Record<string, unknown> = {}
  for (const { name } of columns) object[name] = row.get(name)
  return object
}

function fromLists(rows: readonly StoredRow[], columns: readonly SentColumn[]): Sql<unknown> {
  const names = columns.map(({ name }) => sql.id(name))
  const lists = columns.map(({ name, isJson }) => {
    // A value that a row does not have is undefined, which JSON writes as null in a list.
    const json = JSON.stringify(rows.map((row) => row.get(name)))
    return isJson ? sql`json_array_elements(${json}::json)` : sql`json_array_elements_text(${json}::json)`
  })
  const values = columns.map(({ name, type, isJson }) => {
    const text = isJson ? sql`nullif(${sql.id(name)}::text, 'null')` : sql.id(name)
    return sql`${text}::${type} as ${sql.id(name)}`
  })
  return sql`(select ${sql.join(values)} from rows from (${sql.join(lists)}) as l(${sql.join(names)})) as r`
}
