import { mayReadField } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import { badRequest } from '../../errors.ts'
import type { ExportColumn } from '../../exchange/export/columns.ts'
import { type ExportParams, type PreparedExport, prepareExport } from '../../exchange/export/export-query.ts'
import { type ExportRow, exportRows } from '../../exchange/export/export-rows.ts'
import { LIMITS } from '../../limits.ts'
import type { ValueWriter } from './value-text.ts'

/** The rows of an export, all of them, and how to write their cells. */
export interface CollectedRows extends PreparedExport {
  /** Those asked for. */
  readonly columns: readonly ExportColumn[]
  readonly rows: readonly ExportRow[]
  text(row: ExportRow, column: number): string
  /** The currency of an amount; null for other values, and where it is unknown. */
  currency(row: ExportRow, column: number): string | null
}

/** Reads what a document shows, as every export does: with the rights of the caller. */
export async function collectRows(env: Env, writer: ValueWriter, params: ExportParams): Promise<CollectedRows> {
  const { tree } = await prepareExport(env, params)
  const { columns } = tree
  const currencies = columns.map((column) => currencyPath(env, column))
  const extra = [...new Set(currencies.filter((path) => path !== null && !params.fields.includes(path)))] as string[]
  const fields = [...params.fields, ...extra]
  const prepared = await prepareExport(env, { ...params, fields })
  const currencyAt = currencies.map((path) => (path === null ? -1 : fields.indexOf(path)))
  const currency = (row: ExportRow, column: number) => (row[currencyAt[column]!] as string | null | undefined) ?? null
  return {
    ...prepared,
    columns,
    rows: await readRows(env, prepared),
    currency,
    text: (row, column) => {
      const { field, form } = columns[column]!
      const value = row[column]
      if (form !== 'name') return value === null || value === undefined ? '' : String(value)
      return writer.text(field, value, currency(row, column))
    },
  }
}

async function readRows(env: Env, { tree, query }: PreparedExport): Promise<readonly ExportRow[]> {
  const rows: ExportRow[] = []
  const limit = Math.min(query.limit ?? Number.POSITIVE_INFINITY, LIMITS.pdfRows + 1)
  for await (const page of exportRows(env, tree, { ...query, limit })) {
    rows.push(...page)
    if (rows.length > LIMITS.pdfRows)
      throw badRequest(
        'limit_exceeded',
        env.t('A PDF file has at most {count} rows. Narrow the search, or export CSV or Excel.', {
          count: LIMITS.pdfRows,
        }),
      )
  }
  return rows
}

/** The path of the currency beside an amount; null for other fields, and if the caller may not read it. */
function currencyPath(env: Env, { path, field }: ExportColumn): string | null {
  if (field.type.name !== 'monetary' || field.currencyField === null) return null
  const currency = env.registry.model(field.model)?.fields.get(field.currencyField)
  if (currency === undefined || !mayReadField(env, currency)) return null
  return path.slice(0, path.length - path.split(/[./]/).at(-1)!.length) + currency.name
}
