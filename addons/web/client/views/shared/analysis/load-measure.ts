import type { WireDomain, WireField } from '../../../../../../kernel/view/wire.ts'
import { linkOf } from '../../../fields/value/values.ts'
import { viewFields } from '../../../search/query/field-catalogue.ts'
import { services } from '../../../services.ts'
import { type GroupedRow, readGroup } from '../../../store/queries.ts'
import { COUNT, findMeasure, type MeasureChoice, measureOf, measureQuery } from './measures.ts'

export interface AmountIn {
  readonly currency: string
  readonly value: number
}

/** The value of a measure in a group: without records a sum is 0, and an average has no value. */
export const figureOf = (row: GroupedRow | undefined, measure: MeasureChoice): number | null =>
  (row && measureOf(row, measure)) ?? (measure.isSum ? 0 : null)

/** The measure of a key, also of a field that the view does not show; the count where there is none of that name. */
export async function measureFor(model: string, fields: readonly WireField[], key: string): Promise<MeasureChoice> {
  return findMeasure(fields, key) ?? findMeasure(await viewFields(model), key) ?? findMeasure([], COUNT)!
}

/** Amounts by currency, the largest first: those in different currencies are not added up. Empty for a measure that is no amount. */
export async function loadAmounts(
  model: string,
  domain: WireDomain,
  measure: MeasureChoice,
  signal: AbortSignal,
): Promise<readonly AmountIn[]> {
  const currencyField = measure.field?.currencyField
  if (currencyField === undefined) return []
  const query = { domain, groupby: [currencyField], fields: measureQuery([measure]) }
  const rows = await readGroup(services().rpc, model, query, { signal })
  return rows
    .flatMap((row) => {
      const currency = linkOf(row[currencyField])?.name
      return currency === undefined ? [] : [{ currency, value: figureOf(row, measure) ?? 0 }]
    })
    .toSorted((a, b) => b.value - a.value)
}
