import { formatFloat, moneyParts } from '../../core/format.ts'
import type { FieldProps } from '../../core/registries.ts'
import { currencyOf } from '../value/money.tsx'
import { numberOf } from '../value/values.ts'
import { NOTATIONS, parseWith } from './number-notation.ts'
import { ParsedInput } from './parsed-input.tsx'

/** An amount. In a form its currency is shown before or after the number, as in the user's language. */
export function MoneyInput(props: FieldProps) {
  const isForm = props.view === 'form'
  const value = numberOf(props.value)
  const currency = currencyOf(props.field, props.record)
  const { symbol, figure, sign, symbolFirst } = moneyParts(value ?? 0, currency)
  const number = value === null ? '' : `${sign}${figure}`
  // A unit price may have more decimals than its currency; the editable text keeps them all.
  const isRounded = value !== null && Number(value.toFixed(2)) !== value
  return (
    <ParsedInput
      of={props}
      text={isForm && !symbolFirst && number !== '' ? `${number}\u00a0${symbol}` : number}
      editText={isRounded ? formatFloat(value) : number}
      parse={(typed) => parseWith(NOTATIONS.float, symbol === '' ? typed : typed.replace(symbol, ''), props.field)}
      inputMode="decimal"
      class={isForm ? 'tn' : 'num'}
      {...(isForm && { before: symbolFirst && symbol !== '' && <span class="cur">{symbol}</span> })}
    />
  )
}
