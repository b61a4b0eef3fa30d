import { formatFloat, moneyParts } from '../../core/format.ts'
import type { MeasureChoice } from '../shared/measures.ts'

/** A figure with the decimals of its currency or field, so that those of a column stand below each other. */
export function figureText(value: number | null, { field, aggregate }: MeasureChoice, currency: string | null): string {
  if (value === null) return '–'
  if (field?.type === 'monetary') {
    const { sign, figure } = moneyParts(value, currency)
    return sign + figure
  }
  if (field === null || aggregate === 'count_distinct') return formatFloat(value, 0)
  return formatFloat(value, field.type === 'integer' ? (aggregate === 'sum' ? 0 : 2) : (field.digits?.[1] ?? 2))
}
