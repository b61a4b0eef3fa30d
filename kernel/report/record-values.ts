import type { DocumentDef, DocumentPath } from '../document/declare.ts'
import type { Env } from '../env.ts'
import type { ExportRow } from '../exchange/export/export-rows.ts'
import { LIMITS } from '../limits.ts'
import { collectRows } from './collect-rows.ts'
import { type ValueWriter, valueWriter } from './value-text.ts'

/** A letter shows texts of the record completely, and up to some pages of a text of a line. */
const ROOM = { own: LIMITS.textChars, line: 4_000 }

/** The values of a record by path. */
export interface DocumentValues {
  readonly writer: ValueWriter
  /** One row for each line of the record, at least one. */
  readonly rows: readonly ExportRow[]
  value(path: DocumentPath, row?: ExportRow): unknown
  text(path: DocumentPath, row?: ExportRow): string
  /** How `value` would be written in the place of a path. */
  textFor(value: unknown, path: DocumentPath, row: ExportRow): string
  /** The text of a value as a letter writes it: dates in full, without a time of day. */
  fact(path: DocumentPath): string
}

export async function readPaths(
  env: Env,
  def: DocumentDef,
  id: number,
  paths: readonly string[],
  tag = env.lang,
): Promise<DocumentValues> {
  const writer = valueWriter({ t: env.t, tz: env.tz, lang: tag })
  const fields = paths.length === 0 ? ['id'] : [...paths]
  const { rows, columns, text } = await collectRows(env, writer, { model: def.model, fields, id }, ROOM)
  const place = new Map(columns.map(({ path }, i) => [path, i]))
  const first = rows[0] ?? []
  return {
    writer,
    rows,
    value: (path, row = first) => row[place.get(path)!] ?? null,
    text: (path, row = first) => text(row, place.get(path)!),
    textFor: (value, path, row) => text(row.with(place.get(path)!, value), place.get(path)!),
    fact(path) {
      const [value, { field }] = [first[place.get(path)!], columns[place.get(path)!]!]
      if (typeof value !== 'string') return text(first, place.get(path)!)
      if (field.type.name === 'date') return writer.date(value, 'long')
      return field.type.name === 'datetime' ? writer.day(value) : text(first, place.get(path)!)
    },
  }
}
