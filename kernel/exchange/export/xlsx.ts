import type { Env } from '../../env.ts'
import { numberCell, STYLE, textCell, type XlsxCell } from '../workbook/cell.ts'
import { workbookParts } from '../workbook/workbook.ts'
import { type ExportColumn, headingOf } from './columns.ts'
import type { ExportRow } from './export-rows.ts'
import { TotalCell } from './totals.ts'
import { xlsxCell } from './xlsx-cell.ts'

export interface XlsxOptions {
  readonly title: string
  readonly labels?: boolean | undefined
  /** `pages` may end with a row of sums. */
  readonly totals?: boolean | undefined
}

/** The bytes of an Excel workbook, made as they are read. */
export const xlsxParts = (
  env: Env,
  columns: readonly ExportColumn[],
  pages: AsyncGenerator<readonly ExportRow[]>,
  { title, labels = false, totals = false }: XlsxOptions,
): AsyncGenerator<Uint8Array> =>
  workbookParts({
    title,
    heads: columns.map((column) => headingOf(column, labels)),
    cells: columns.map((column) => {
      const cell = xlsxCell(env, column, labels)
      return totals ? orTotal(cell, column) : cell
    }),
    pages,
  })

const orTotal =
  (cell: XlsxCell, { field }: ExportColumn): XlsxCell =>
  (value) => {
    if (!(value instanceof TotalCell)) return cell(value)
    if (typeof value.value === 'string') return textCell(value.value, STYLE.header)
    return numberCell(value.value, field.type.name === 'monetary' ? STYLE.total : STYLE.header)
  }
