import { mayReadField } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import type { Model } from '../../model/registry.ts'
import { columnKey, type ExportColumn, type ExportTree, parseColumns } from './columns.ts'
import type { ExportRow } from './export-rows.ts'

/** The currency of an amount in a row; null for other values, and where it is unknown. */
export type CurrencyOf = (row: ExportRow, column: number) => string | null

/** Reads the currencies of amounts too, in columns after the requested ones. */
export function withCurrencies(
  env: Env,
  model: Model,
  { columns }: ExportTree,
): { readonly tree: ExportTree; readonly currencyOf: CurrencyOf } {
  const currencies = columns.map((column) => currencyPath(env, column))
  const paths = new Map(columns.map(({ path }) => [columnKey(path), path]))
  for (const path of currencies) if (path !== null && !paths.has(columnKey(path))) paths.set(columnKey(path), path)
  const keys = [...paths.keys()]
  const places = currencies.map((path) => (path === null ? -1 : keys.indexOf(columnKey(path))))
  return {
    tree: parseColumns(env, model, [...paths.values()]),
    currencyOf: (row, column) => (row[places[column]!] as string | null | undefined) ?? null,
  }
}

/** The path of the currency beside an amount; null for other fields, and if the caller may not read it. */
function currencyPath(env: Env, { path, field }: ExportColumn): string | null {
  if (field.type.name !== 'monetary' || field.currencyField === null) return null
  const currency = env.registry.model(field.model)?.fields.get(field.currencyField)
  if (currency === undefined || !mayReadField(env, currency)) return null
  return path.slice(0, path.length - path.split(/[./]/).at(-1)!.length) + currency.name
}
