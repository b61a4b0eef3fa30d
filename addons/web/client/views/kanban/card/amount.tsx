import type { WireField } from '../../../../../../kernel/view/wire.ts'
import { formatCompact, formatFloat, formatInteger, moneyParts } from '../../../core/format.ts'

interface AmountProps {
  readonly value: number
  readonly currency: string | null
}

/** An amount on a card or above a column: decimals only if there are any, and the currency symbol in a muted colour. */
export function CompactAmount({ value, currency }: AmountProps) {
  const { sign, symbol, figure, symbolFirst } = moneyParts(value, currency)
  const number = Number.isInteger(value) ? formatInteger(Math.abs(value)) : figure
  const mark = symbol !== '' && <span class="t3">{symbol}</span>
  return (
    <span class="tn">
      {sign}
      {symbolFirst && mark}
      {number}
      {!symbolFirst && mark && <> {mark}</>}
    </span>
  )
}

const LONG = 1e7

/** The sum of a column: without decimals, and abbreviated when it is long. */
export function ColumnSum({ value, field, currency }: AmountProps & { readonly field: WireField }) {
  if (Math.abs(value) >= LONG && field.type !== 'monetary') return <span class="tn">{formatCompact(value)}</span>
  if (field.type === 'monetary') return <CompactAmount value={Math.round(value)} currency={currency} />
  return <span class="tn">{Number.isInteger(value) ? formatInteger(value) : formatFloat(value, 1)}</span>
}
