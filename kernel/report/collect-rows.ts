import type { Env } from '../env.ts'
import { badRequest } from '../errors.ts'
import type { ExportColumn } from '../exchange/export/columns.ts'
import { type ExportParams, type PreparedExport, prepareExport } from '../exchange/export/export-query.ts'
import { type ExportRow, exportRows } from '../exchange/export/export-rows.ts'
import { LIMITS } from '../limits.ts'
import { cutText, LONG_TYPES, longText, storedChars, type TextRoom } from './long-text.ts'
import type { ValueWriter } from './value-text.ts'

/** The rows of an export, all of them, and how to write their cells. Long texts are cut and ready to be read. */
export interface CollectedRows extends PreparedExport {
  readonly rows: readonly ExportRow[]
  text(row: ExportRow, column: number): string
}

/** Reads what a document shows, as every export does: with the rights of the caller. */
export async function collectRows(
  env: Env,
  writer: ValueWriter,
  params: ExportParams,
  room: TextRoom,
): Promise<CollectedRows> {
  const prepared = await prepareExport(env, params, true)
  const { columns, currencyOf } = prepared
  const chars = prepared.tree.columns.map(({ path }) => (isLine(env, params.model, path) ? room.line : room.own))
  return {
    ...prepared,
    rows: await readRows(env, prepared, chars),
    text: (row, column) => {
      const { field, form } = columns[column]!
      const value = row[column]
      if (value === null || value === undefined) return ''
      if (form !== 'name' || LONG_TYPES.has(field.type.name)) return String(value)
      return writer.text(field, value, currencyOf(row, column))
    },
  }
}

/** Characters that are written at once; markup takes some twenty nanoseconds for each. */
const SLICE = 100_000
/** Characters that are read for each one that is shown: markup, names of links, marks of JSON. */
const READ = 6

async function readRows(
  env: Env,
  { tree, query }: PreparedExport,
  chars: readonly number[],
): Promise<readonly ExportRow[]> {
  const rows: ExportRow[] = []
  const budget = { read: READ * LIMITS.pdfChars, shown: LIMITS.pdfChars }
  const take = (of: keyof typeof budget, count: number) => {
    budget[of] -= count
    if (budget[of] < 0) throw tooLong(env)
  }
  const pages = exportRows(env, tree, {
    ...query,
    limit: Math.min(query.limit ?? Number.POSITIVE_INFINITY, LIMITS.pdfRows + 1),
    rows: LIMITS.pdfRows,
    chars: tree.columns.map(({ field }, i) => storedChars(field, chars[i]!)),
    meter: (count) => take('read', count),
  })
  let worked = 0
  for await (const page of pages) {
    if (rows.length + page.length > LIMITS.pdfRows) throw tooManyRows(env)
    for (const row of page) {
      const shown = row.map((value, i) => shownValue(tree.columns[i]!, value, chars[i]!))
      rows.push(shown)
      take('shown', lengthOfRow(shown))
      worked += lengthOfRow(row)
      if (worked < SLICE) continue
      worked = 0
      await env.services.sleep(0)
    }
  }
  return rows
}

/** Cuts long texts and long lists of names to what is shown; other values stay as they are. */
function shownValue({ field, form }: ExportColumn, value: unknown, chars: number): unknown {
  if (value === null || value === undefined) return value
  if (form === 'name' && LONG_TYPES.has(field.type.name)) return longText(field, value, chars)
  if (typeof value === 'string' && field.relation !== null) return cutText(value, chars)
  return Array.isArray(value) ? cutList(value, chars) : value
}

/** The first names of a list, with a mark if there are more. */
function cutList(names: readonly unknown[], chars: number): readonly unknown[] {
  let length = 0
  const more = names.findIndex((name) => {
    length += String(name).length + 2
    return length > chars
  })
  if (more === -1) return names
  return more === 0 ? [cutText(String(names[0]), chars)] : [...names.slice(0, more), '…']
}

const NUMBER_CHARS = 8

const lengthOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.reduce<number>((sum, name) => sum + String(name).length + 2, 0)
  return value === null || value === undefined ? 0 : NUMBER_CHARS
}

const lengthOfRow = (row: ExportRow): number => row.reduce<number>((sum, value) => sum + lengthOf(value), 0)

const tooManyRows = ({ t }: Env) =>
  badRequest(
    'limit_exceeded',
    t('A PDF file has at most {count} rows. Narrow the search, or export CSV or Excel.', { count: LIMITS.pdfRows }),
  )

const tooLong = ({ t }: Env) =>
  badRequest(
    'limit_exceeded',
    t('A PDF file has at most {count} characters. Choose fewer records or fields, or export CSV or Excel.', {
      count: LIMITS.pdfChars,
    }),
  )

/** Whether a column leads over a link to several records. */
function isLine(env: Env, model: string, path: string): boolean {
  const [first = '', ...rest] = path.split(/[./]/)
  const relation = env.registry.model(model)?.fields.get(first)?.relation
  if (!relation || rest.length === 0) return false
  return relation.kind !== 'many2one' || isLine(env, relation.target, rest.join('/'))
}
