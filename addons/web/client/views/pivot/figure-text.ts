import { formatFloat, moneyParts } from '../../core/format.ts'
import { formatDecimal } from '../../fields/value/number-text.ts'
import type { MeasureChoice } from '../shared/analysis/measures.ts'

/** A figure with the decimals of its currency, or as its field is shown elsewhere. */
export function figureText(value: number | null, { field, aggregate }: MeasureChoice, currency: string | null): string {
  if (value === null) return '–'
  if (field?.type === 'monetary') {
    const { sign, figure } = moneyParts(value, currency)
    return sign + figure
  }
  if (field === null || aggregate === 'count_distinct') return formatFloat(value, 0)
  return field.type === 'integer' ? formatFloat(value, aggregate === 'sum' ? 0 : 2) : formatDecimal(value, field)
}
