import type { Db } from './database.ts'
import { type Sql, sql } from './sql.ts'

declare const checkedText: unique symbol

/** SQL text made only from constant text, quoted names and quoted values. */
export interface Ddl {
  readonly text: string
  readonly [checkedText]: true
}

/** A class, so that the `sql` tag can tell it from a value; not exported, so that text becomes DDL in this file only. */
class CheckedText implements Ddl {
  declare readonly [checkedText]: true
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const asDdl = (text: string): Ddl => new CheckedText(text)

/** DDL text, which cannot take bound values. Holes take only what `identifier`, `literal`, `joinDdl` or this tag made. */
export function ddl(strings: TemplateStringsArray, ...parts: readonly Ddl[]): Ddl {
  return asDdl(strings.reduce((text, piece, i) => `${text}${parts[i - 1]?.text ?? ''}${piece}`))
}

export const joinDdl = (parts: readonly Ddl[], separator = ', ') =>
  asDdl(parts.map((part) => part.text).join(separator))

/** A quoted name. PostgreSQL silently truncates names at 63 bytes, so longer ones are refused. */
export function identifier(name: string): Ddl {
  if (name === '' || name.includes('\0') || new TextEncoder().encode(name).length > 63) {
    throw new Error(`Not a usable SQL identifier: ${JSON.stringify(name)}`)
  }
  return asDdl(`"${name.replaceAll('"', '""')}"`)
}

export function literal(value: string | number | boolean | null): Ddl {
  if (value === null) return asDdl('NULL')
  if (typeof value === 'boolean') return asDdl(value ? 'TRUE' : 'FALSE')
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`Not a usable SQL number: ${value}`)
    return asDdl(String(value))
  }
  if (value.includes('\0')) throw new Error('A text literal cannot hold NUL.')
  const quoted = `'${value.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`
  return asDdl(value.includes('\\') ? `E${quoted}` : quoted)
}

export const runDdl = (db: Db, statement: Ddl) => runScript(db, statement.text)

/** Runs the text of a migration file: trusted, any number of statements, no values. */
export async function runScript(db: Db, text: string): Promise<void> {
  await sql.raw(text).execute(db)
}

/** A number that is part of the text of a query, where an index is over an expression with it. */
export const numeral = (value: number): Sql<number> => sql.raw<number>(literal(value).text)

/** A list of ids that is part of the text of a query; it gets its type from a cast behind it. */
export function idList(ids: readonly number[]): Sql<readonly number[]> {
  if (!ids.every(Number.isSafeInteger)) throw new Error('Not a list of ids.')
  return sql.raw(`'{${ids.join()}}'`)
}

const TYPE_NAME = /^[a-z]+(\(\d+(,\d+)?\))?$/

/** The name of a column type, as a field type declares it, inside a query. */
export function typeName(name: string): Sql<unknown> {
  if (!TYPE_NAME.test(name)) throw new Error(`Not the name of a column type: ${name}`)
  return sql.raw(name)
}
