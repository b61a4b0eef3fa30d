import type { Env } from '../../env.ts'
import { csvParts } from './csv.ts'
import type { ExportParams, PreparedExport } from './export-query.ts'
import { type ExportRow, exportRows } from './export-rows.ts'
import { plainCsv } from './plain-csv.ts'
import { encodeParts } from './stream-export.ts'
import { startTotals, withTotals } from './totals.ts'
import { xlsxParts } from './xlsx.ts'

type Pages = AsyncGenerator<readonly ExportRow[]>

interface TableFormat {
  readonly mime: string
  parts(env: Env, prepared: PreparedExport, params: ExportParams, pages: Pages): AsyncGenerator<Uint8Array>
}

/** The kinds of file that hold records as a table, by the ending of their names. */
export const TABLE_FORMATS: Readonly<Record<'csv' | 'xlsx', TableFormat>> = {
  csv: {
    mime: 'text/csv; charset=utf-8',
    parts: (env, { columns }, params, pages) => encodeParts(csvParts(env, columns, pages, params)),
  },
  xlsx: {
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    parts: (env, { columns, name }, params, pages) => xlsxParts(env, columns, pages, { title: name, ...params }),
  },
}

export type TableFormatName = keyof typeof TABLE_FORMATS

/** The bytes of a file, made as they are read; `onPage` is called with the number of rows of each page. */
export function tableParts(
  env: Env,
  format: TableFormatName,
  prepared: PreparedExport,
  params: ExportParams,
  onPage: (rows: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const { tree, columns, query, currencyOf } = prepared
  // Totals need the values as numbers.
  const plain = format === 'csv' && !params.totals ? plainCsv(env, prepared, params, onPage) : null
  if (plain !== null) return plain
  const rows = async function* () {
    for await (const page of exportRows(env, tree, query)) {
      onPage(page.length)
      yield page
    }
  }
  const pages = async function* () {
    yield* params.totals ? withTotals(rows(), await startTotals(env, tree.root.model, columns, currencyOf)) : rows()
  }
  return TABLE_FORMATS[format].parts(env, prepared, params, pages())
}
