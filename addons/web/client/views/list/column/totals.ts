import type { WireDomain } from '../../../../../../kernel/view/wire.ts'
import type { Rpc } from '../../../net/rpc.ts'
import { type Measure, readGroup, searchRead } from '../../../store/queries.ts'
import type { Values } from '../../../store/records.ts'
import type { FieldColumn, ListArch } from './arch.ts'

/** Totals by field name; null if there are no values. */
export type Totals = Readonly<Record<string, number | null>>

/** Name of the measure that counts the currencies of an amount. */
export const currenciesName = (field: string): string => `${field}_currencies`

export const totalColumns = ({ columns }: ListArch): readonly FieldColumn[] =>
  columns.filter((column): column is FieldColumn => column.kind === 'field' && column.total !== null)

/** The measures to request for the footer and for each group. */
export function measuresOf(arch: ListArch): readonly Measure[] {
  return totalColumns(arch).flatMap(({ field, total }) => {
    if (total === null || !field.aggregatable) return []
    const own: Measure = { name: field.name, field: field.name, measure: total.measure }
    const { currencyField } = field
    if (currencyField === undefined) return [own]
    return [own, { name: currenciesName(field.name), field: currencyField, measure: 'count_distinct' as const }]
  })
}

/** Loads the totals. `isCounted`: with the number of records as `__count`, even if no field is added up. */
export async function loadTotals(rpc: Rpc, arch: ListArch, domain: WireDomain, isCounted: boolean): Promise<Totals> {
  const measures = measuresOf(arch)
  if (measures.length === 0 && !isCounted) return {}
  const [row] = await readGroup(rpc, arch.model, { domain, groupby: [], fields: measures })
  return { ...toTotals(row ?? {}, measures), __count: row?.__count ?? 0 }
}

const toTotals = (row: Values, measures: readonly Measure[]): Totals =>
  Object.fromEntries(measures.map(({ name }) => [name, typeof row[name] === 'number' ? (row[name] as number) : null]))

/** The currency of amounts by its field, taken from any record with an amount; only valid if all are in one currency. */
export async function loadCurrencies(rpc: Rpc, arch: ListArch, domain: WireDomain): Promise<Values> {
  const names = [...new Set(totalColumns(arch).flatMap(({ field }) => field.currencyField ?? []))]
  if (names.length === 0) return {}
  const known = names.map((name) => [name, '!=', false] as const)
  const [first = {}] = await searchRead(rpc, arch.model, [...domain, ...known], names, { limit: 1 })
  return first
}

/** Whether the amounts are in several currencies, so that they cannot be added up. */
export const isMixed = (totals: Totals, field: string): boolean => (totals[currenciesName(field)] ?? 1) > 1
