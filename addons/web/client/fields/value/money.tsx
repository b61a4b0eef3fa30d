import type { WireField } from '../../../../../kernel/view/wire.ts'
import { moneyParts } from '../../core/format.ts'
import type { FieldRecord } from '../../core/registries.ts'
import { linkOf } from './values.ts'

/** ISO code of the currency an amount is in: the name of the record its field links to. */
export const currencyOf = ({ currencyField }: WireField, record: Pick<FieldRecord, 'get'>): string | null =>
  currencyField === undefined ? null : (linkOf(record.get(currencyField))?.name ?? null) || null

export interface AmountProps {
  readonly value: number
  readonly currency: string | null
}

/** An amount with its currency symbol in a muted colour, before or after the number as the language has it. */
export function Amount({ value, currency }: AmountProps) {
  const { sign, symbol, figure, symbolFirst } = moneyParts(value, currency)
  const cur = symbol !== '' && <span class="cur">{symbol}</span>
  return (
    <>
      {sign}
      {symbolFirst && cur}
      {figure}
      {!symbolFirst && cur && <> {cur}</>}
    </>
  )
}
