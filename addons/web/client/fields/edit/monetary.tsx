import { formatFloat, moneyParts } from '../../core/format.ts'
import type { FieldProps } from '../../core/registries.ts'
import { currencyOf } from '../value/money.tsx'
import { numberOf } from '../value/values.ts'
import { NOTATIONS, parseWith } from './number-notation.ts'
import { ParsedInput } from './parsed-input.tsx'

export function MoneyInput(props: FieldProps) {
  const value = numberOf(props.value)
  const currency = currencyOf(props.field, props.record)
  const { symbol, figure, sign, symbolFirst } = moneyParts(value ?? 0, currency)
  const text = value === null ? '' : `${sign}${figure}`
  // A unit price may have more decimals than its currency; the editable text keeps them all.
  const isRounded = value !== null && Number(value.toFixed(2)) !== value
  const mark = symbol === '' ? null : <span class="cur">{symbol}</span>
  return (
    <ParsedInput
      of={props}
      text={text}
      editText={isRounded ? formatFloat(value) : text}
      parse={(typed) => parseWith(NOTATIONS.float, symbol === '' ? typed : typed.replace(symbol, ''), props.field)}
      inputMode="decimal"
      class={props.view === 'form' ? 'tn' : 'num'}
      {...(props.view === 'form' && { before: symbolFirst && mark, after: !symbolFirst && mark })}
    />
  )
}
