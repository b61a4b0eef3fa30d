import type { Env } from '../../env.ts'
import type { FieldTypeName } from '../../model/fields/field.ts'
import { cellText } from '../cell/cell-text.ts'
import { csvCell, csvLine, guardedCell } from '../cell/csv-line.ts'
import { guardFormula } from '../cell/formula-guard.ts'
import { joinNames } from '../cell/name-list.ts'
import { decimalText } from '../workbook/decimal-text.ts'
import { type ExportColumn, headingOf } from './columns.ts'
import type { ExportRow } from './export-rows.ts'
import { TotalCell } from './totals.ts'

export interface CsvOptions {
  /** Begin with a byte order mark, by which Excel recognises UTF-8. */
  readonly bom?: boolean | undefined
  /** Labels instead of the names of fields and the keys of selections, for people. */
  readonly labels?: boolean | undefined
  /** `pages` may end with a row of sums. */
  readonly totals?: boolean | undefined
}

type ToCell = (value: unknown) => string

/** Types that are written as the text they are. */
const TEXTS: ReadonlySet<FieldTypeName> = new Set([
  'char',
  'text',
  'html',
  'selection',
  'many2one',
  'one2many',
  'many2many',
  'reference',
])

/** Types whose text never needs quotes. */
const BARE: ReadonlySet<FieldTypeName> = new Set(['integer', 'float', 'monetary', 'boolean', 'date', 'datetime'])

/** The parts of a CSV file; the header line comes with the first rows, so that an error in reading them is answered instead of a file. */
export async function* csvParts(
  env: Env,
  columns: readonly ExportColumn[],
  pages: AsyncIterable<readonly ExportRow[]>,
  options: CsvOptions = {},
): AsyncGenerator<string> {
  let head = csvHead(columns, options)
  const linesOf = csvLines(env, columns, options)
  for await (const rows of pages) {
    yield head + linesOf(rows)
    head = ''
  }
  if (head !== '') yield head
}

/** The beginning of a file: the byte order mark, if wanted, and the header line. */
export const csvHead = (columns: readonly ExportColumn[], { bom = false, labels = false }: CsvOptions): string =>
  (bom ? '\ufeff' : '') + csvHeader(columns, labels)

/** Rows as lines. */
export function csvLines(
  env: Env,
  columns: readonly ExportColumn[],
  { labels = false, totals = false }: CsvOptions,
): (rows: readonly ExportRow[]) => string {
  const cells = columns.map((column) => (totals ? orTotal(toCell(env, column, labels)) : toCell(env, column, labels)))
  const last = cells.length - 1
  return (rows) => {
    let text = ''
    for (const row of rows) {
      const start = text.length
      for (let i = 0; i <= last; i++) text += i === last ? cells[i]!(row[i]) : `${cells[i]!(row[i])},`
      // An empty line would not count as a record, so a single empty cell is quoted.
      text += text.length === start ? '""\r\n' : '\r\n'
    }
    return text
  }
}

/** The header line: the paths as requested, the labels, or the headings that the caller chose. */
export const csvHeader = (columns: readonly ExportColumn[], labels = false): string =>
  csvLine(columns.map((column) => guardFormula(headingOf(column, labels))))

const orTotal =
  (cell: ToCell): ToCell =>
  (value) => {
    if (!(value instanceof TotalCell)) return cell(value)
    return typeof value.value === 'number' ? decimalText(value.value) : csvCell(guardFormula(value.value))
  }

/** The cell of a text, or of the names of links. */
const textCell: ToCell = (value) => {
  if (value === null || value === undefined) return ''
  return guardedCell(Array.isArray(value) ? joinNames(value) : String(value))
}

function toCell(env: Env, { field, form }: ExportColumn, labels: boolean): ToCell {
  const type = field.type.name
  const { selection } = field
  if (labels && selection !== null)
    return (value) =>
      csvCell(guardFormula(value === null ? '' : env.t(selection.get(value as string) ?? String(value))))
  if (BARE.has(type) && form === 'name') return (value) => cellText(type, value)
  const written = form === 'external' ? 'char' : type
  if (TEXTS.has(written)) return textCell
  return (value) =>
    csvCell(Array.isArray(value) && type !== 'json' ? guardFormula(joinNames(value)) : cellText(written, value))
}
