import type { Env } from '../../env.ts'
import { workbookParts } from '../workbook/workbook.ts'
import type { ExportColumn } from './columns.ts'
import type { ExportRow } from './export-rows.ts'
import { xlsxCell } from './xlsx-cell.ts'

/** The bytes of an Excel workbook, made as they are read. */
export const xlsxParts = (
  env: Env,
  columns: readonly ExportColumn[],
  pages: AsyncGenerator<readonly ExportRow[]>,
  { title, labels = false }: { readonly title: string; readonly labels?: boolean | undefined },
): AsyncGenerator<Uint8Array> =>
  workbookParts({
    title,
    heads: columns.map(({ label, path }) => (labels ? label : path)),
    cells: columns.map((column) => xlsxCell(env, column, labels)),
    pages,
  })
