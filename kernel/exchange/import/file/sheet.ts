import type { Env } from '../../../env.ts'
import { LIMITS } from '../../../limits.ts'
import { Refusal } from '../../../model/fields/field.ts'
import { csvRows } from './csv-rows.ts'
import { decodeText, detectEncoding, detectSeparator, type Encoding } from './decode.ts'

/** A file as a table of texts. */
export interface ImportSheet {
  readonly headers: readonly string[]
  readonly rows: readonly SheetRow[]
}

export interface SheetRow {
  /** As a spreadsheet numbers it: the header is row 1. */
  readonly number: number
  readonly cells: readonly string[]
}

/** How the bytes of a CSV file are to be read. */
export interface Dialect {
  readonly encoding: Encoding
  readonly separator: string
  /** Whether the first row names the columns. */
  readonly hasHeader: boolean
}

/** Characters of a file that are read before other requests get their turn: about five milliseconds. */
const SLICE_CHARS = 131_072
/** A row, even a blank one, counts as this many characters. */
const ROW_CHARS = 64
/** Rows of a file including blank ones. */
const MAX_ROWS = 2 * LIMITS.importRows
const FORBIDDEN_HEADERS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const MAX_HEADER_CHARS = 200

/** Reads a CSV file. Blank rows are left out, short ones are filled up. */
export async function readSheet(
  env: Env,
  bytes: Uint8Array,
  { encoding, separator, hasHeader }: Dialect,
): Promise<ImportSheet> {
  return sheetOfRows(env, csvRows(await decodeText(env, bytes, encoding), separator), hasHeader)
}

/** The table in rows of cells, read in slices. */
export async function sheetOfRows(
  env: Env,
  all: Iterable<readonly string[]>,
  hasHeader: boolean,
): Promise<ImportSheet> {
  const rows: SheetRow[] = []
  let headers: readonly string[] | null = null
  let number = 0
  let chars = 0
  for (const cells of all) {
    if (++number > MAX_ROWS)
      throw new Refusal('The file has more than {count} rows, blank ones included.', { count: MAX_ROWS })
    chars += ROW_CHARS
    for (const cell of cells) chars += cell.length + 1
    if (chars > SLICE_CHARS) {
      chars = 0
      await env.services.sleep(0)
    }
    if (cells.every((cell) => cell.trim() === '')) continue
    if (headers === null) {
      headers = hasHeader ? headersOf(cells) : cells.map((_cell, index) => columnName(index))
      if (hasHeader) continue
    }
    if (rows.length === LIMITS.importRows)
      throw new Refusal('The file has more than {count} rows.', { count: LIMITS.importRows })
    rows.push({ number, cells })
  }
  if (headers === null) throw new Refusal('The file is empty.')
  if (rows.length === 0) throw new Refusal('The file has a header and no rows.')
  return { headers, rows }
}

const columnName = (index: number) => `Column ${index + 1}`

function headersOf(cells: readonly string[]): readonly string[] {
  const last = cells.findLastIndex((cell) => cell.trim() !== '')
  const names = cells.slice(0, last + 1).map((cell, index) => cell.trim() || columnName(index))
  const seen = new Set<string>()
  for (const name of names) {
    if (name.length > MAX_HEADER_CHARS)
      throw new Refusal('A column name has more than {count} characters.', { count: MAX_HEADER_CHARS })
    if (FORBIDDEN_HEADERS.has(name)) throw new Refusal('A column must not be named {name}.', { name })
    if (seen.has(name)) throw new Refusal('The file has two columns named {name}.', { name })
    seen.add(name)
  }
  return names
}

/** Bytes in which the separator and the header are detected. */
const DETECT_BYTES = 262_144

/** Detects encoding, separator and header from the file. `isKnown` says whether a text is the name of a field. */
export async function detectDialect(env: Env, bytes: Uint8Array, isKnown: (name: string) => boolean): Promise<Dialect> {
  const encoding = await detectEncoding(env, bytes)
  const text = await decodeText(env, bytes.subarray(0, DETECT_BYTES), encoding)
  const separator = detectSeparator(text)
  const first = firstRow(text, separator)
  return { encoding, separator, hasHeader: looksLikeHeader(first, isKnown) }
}

function firstRow(text: string, separator: string): readonly string[] {
  for (const cells of csvRows(text, separator)) if (cells.some((cell) => cell.trim() !== '')) return cells
  return []
}

const DATA = /^[-+]?[\d.,/:-]*\d[\d.,/:-]*$|^[^\s@]+@[^\s@]+$/

/** A first row is data if it holds numbers, dates or addresses and no name of a field. */
function looksLikeHeader(cells: readonly string[], isKnown: (name: string) => boolean): boolean {
  const isData = cells.some((cell) => cell.length <= 100 && DATA.test(cell.trim()))
  return !isData || cells.some((cell) => isKnown(cell.trim()))
}
