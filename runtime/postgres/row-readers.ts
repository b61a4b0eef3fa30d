import type pg from 'pg'
import { columnCount, type JsonMember } from '../../kernel/sql/json-rows.ts'
import { columnReader, type ReadColumn } from './column-readers.ts'
import { jsonWriter, UNSET } from './json-columns.ts'
import { JsonText } from './json-text.ts'
import type { PreparedStatement } from './prepared-statements.ts'

/** Reads the columns of a row, which begin at `at`. */
export type ReadRow = (bytes: Buffer, at: number) => Readonly<Record<string, unknown>>

const LENGTH_BYTES = 4
/** The length that marks a null column. */
const NONE = -1

/** A row as an object of values. */
export function valueRows(columns: readonly pg.FieldDef[], types: pg.CustomTypesConfig): ReadRow {
  const names = columns.map(({ name }) => name)
  const readers = columns.map((column) => columnReader(column, types))
  return (bytes, at) => readColumns(bytes, at, names, readers)
}

function readColumns(
  bytes: Buffer,
  start: number,
  names: readonly string[],
  readers: readonly ReadColumn[],
): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  let at = start
  for (let i = 0; i < names.length; i++) {
    const length = bytes.readInt32BE(at)
    at += LENGTH_BYTES
    row[names[i]!] = length === NONE ? null : readers[i]!(bytes, at, at + length)
    if (length > 0) at += length
  }
  return row
}

/** Room at the beginning; it grows. */
const PAGE_BYTES = 4_096
const OPEN = '{'.charCodeAt(0)
const COMMA = ','.charCodeAt(0)
const LIST = '['.charCodeAt(0)
const LIST_END = ']'.charCodeAt(0)
const CLOSE = '}'.charCodeAt(0)
const NULL = Buffer.from('null')

/** The buffer to which the rows of a statement are written. */
export class JsonPage {
  readonly ends: number[] = []
  readonly #text = new JsonText(PAGE_BYTES)

  get bytes(): Uint8Array {
    return this.#text.written
  }

  get length(): number {
    return this.#text.length
  }

  /** Reads a row as JSON, and the columns after the members as values. The writers of a prepared statement are cached with it. */
  reader(
    columns: readonly pg.FieldDef[],
    types: pg.CustomTypesConfig,
    members: readonly JsonMember[],
    prepared: PreparedStatement | undefined,
  ): ReadRow {
    const parts = prepared?.parts?.members === members ? prepared.parts : partsOf(columns, members)
    if (prepared) prepared.parts = parts
    const rest = columns.slice(members.reduce((sum, member) => sum + columnCount(member), 0))
    const readRest = valueRows(rest, types)
    return (bytes, at) => {
      if (this.ends.length > 0) this.#text.byte(COMMA)
      const end = writeMembers(this.#text, parts, bytes, at)
      this.ends.push(this.#text.length)
      return readRest(bytes, end)
    }
  }
}

/** The writers of JSON members for certain columns. */
export interface JsonParts {
  readonly members: readonly JsonMember[]
  readonly parts: readonly JsonPart[]
}

interface JsonPart {
  /** The text before the value: a comma and the name. */
  readonly key: Buffer
  readonly unset: Buffer
  readonly write: ReturnType<typeof jsonWriter>
  /** Writer of the second column, if the member has one. */
  readonly writeName: ReturnType<typeof jsonWriter> | null
}

function partsOf(columns: readonly pg.FieldDef[], members: readonly JsonMember[]): JsonParts {
  let next = 0
  const parts = members.map((member, index): JsonPart => {
    const { name, form } = member
    const first = columns[next]!
    const second = form === 'pair' ? columns[next + 1]! : null
    next += columnCount(member)
    return {
      key: Buffer.from(`${index === 0 ? '' : ','}${JSON.stringify(name)}:`),
      unset: UNSET[form],
      write: jsonWriter(first, form),
      writeName: second && jsonWriter(second, 'value'),
    }
  })
  return { members, parts }
}

/** Writes the members of a row; returns where the columns after them begin. */
function writeMembers(out: JsonText, { parts }: JsonParts, bytes: Buffer, start: number): number {
  let at = start
  out.byte(OPEN)
  for (const { key, unset, write, writeName } of parts) {
    out.all(key)
    const length = bytes.readInt32BE(at)
    at += LENGTH_BYTES
    const from = at
    if (length > 0) at += length
    if (writeName === null) {
      if (length === NONE) out.all(unset)
      else write(out, bytes, from, at)
      continue
    }
    const nameLength = bytes.readInt32BE(at)
    const nameFrom = at + LENGTH_BYTES
    at = nameFrom + Math.max(0, nameLength)
    if (length === NONE) out.all(unset)
    else {
      out.byte(LIST)
      write(out, bytes, from, from + length)
      out.byte(COMMA)
      if (nameLength === NONE) out.all(NULL)
      else writeName(out, bytes, nameFrom, at)
      out.byte(LIST_END)
    }
  }
  out.byte(CLOSE)
  return at
}
