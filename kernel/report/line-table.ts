import type { AcrossRow, Block, TableCell, TableRow } from '../document/content.ts'
import type { DocumentColumn, DocumentLines, DocumentPath } from '../document/declare.ts'
import type { Env } from '../env.ts'
import type { ExportRow } from '../exchange/export/export-rows.ts'
import { sumMoney } from '../money.ts'
import { lineOf } from './brand.ts'
import type { DocumentValues } from './record-values.ts'
import { writeRows } from './write-rows.ts'

const NUMERIC: ReadonlySet<string> = new Set(['number', 'bigint'])

/** The lines of a record as a table. Lines that stand across it are not counted. */
export async function lineTable(env: Env, lines: DocumentLines, record: DocumentValues): Promise<Block> {
  const at = (path: DocumentPath) => `${lines.path}.${path}`
  const { across } = lines
  const kindOf = (row: ExportRow) => (across === undefined ? null : record.value(at(across.kind), row))
  const shown = record.rows.filter((row) => lines.columns.some(({ path }) => record.value(at(path), row) !== null))
  const rows = shown.filter((row) => kindOf(row) === null)
  const isUsed = ({ path, isPercent = false }: DocumentColumn) =>
    rows.some((row) => {
      const value = record.value(at(path), row)
      return value !== null && !(isPercent && value === 0) && !(Array.isArray(value) && value.length === 0)
    })
  const columns = lines.columns.filter(isUsed)
  const cell = ({ path, hasDetails, unit, isPercent }: DocumentColumn, row: ExportRow): TableCell => {
    const text = record.text(at(path), row)
    if (hasDetails) {
      const [first = '', ...details] = text.split('\n')
      return { text: first, details: details.join('\n') }
    }
    if (isPercent) return record.value(at(path), row) === 0 ? '' : `${text}\u00a0%`
    return lineOf([text, unit === undefined ? '' : record.text(at(unit), row)], '\u00a0')
  }
  const sumBelow = (all: readonly ExportRow[], index: number): AcrossRow['sum'] => {
    const column = columns.findIndex(({ path }) => path === across?.sum)
    if (column < 0) return null
    const path = at(columns[column]!.path)
    const next = all.findIndex((row, i) => i > index && kindOf(row) === 'section')
    const own = all.slice(index + 1, next < 0 ? undefined : next)
    const sum = sumMoney(own.map((row) => Number(record.value(path, row) ?? 0)))
    // The number of the row comes first.
    return { column: column + 1, text: record.textFor(sum, path, all[index]!) }
  }
  let nth = 0
  const isNumber = ({ path }: DocumentColumn) => rows.some((row) => NUMERIC.has(typeof record.value(at(path), row)))
  return {
    kind: 'table',
    heading: '',
    look: 'lines',
    columns: [
      { label: env.t('No.'), align: 'start' },
      ...columns.map((column) => ({
        label: env.t(column.label),
        align: isNumber(column) || column.unit !== undefined ? ('end' as const) : ('start' as const),
        ...(column.hasDetails && { isName: true }),
      })),
    ],
    rows: await writeRows(env, shown, columns.length, (row, i): TableRow => {
      const kind = kindOf(row)
      if (across === undefined || kind === null) {
        nth++
        return [String(nth), ...columns.map((column) => cell(column, row))]
      }
      const text = record.text(at(across.text), row)
      if (kind !== 'section') return { across: 'note', text, sum: null }
      return { across: 'section', text, sum: sumBelow(shown, i) }
    }),
    totals: [],
  }
}
