import { type FieldProps, type FieldRecord, formatFloat, moneyParts, type WireField } from '../sdk.ts'
import { NOTATIONS, parseWith } from './number-text.ts'
import { ParsedInput } from './parsed-input.tsx'
import { ReadOnly } from './read-only.tsx'
import { linkOf, numberOf } from './values.ts'

/** ISO code of the currency an amount is in: the name of the record its field links to. */
export const currencyOf = ({ currencyField }: WireField, record: Pick<FieldRecord, 'get'>): string | null =>
  currencyField === undefined ? null : (linkOf(record.get(currencyField))?.name ?? null) || null

export interface AmountProps {
  readonly value: number
  readonly currency: string | null
}

/** The sign of the currency stands back, where the language puts it. */
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

export function MonetaryField(props: FieldProps) {
  const value = numberOf(props.value)
  const currency = currencyOf(props.field, props.record)
  if (props.readonly) {
    return (
      <ReadOnly of={props} class="tn">
        {value !== null && <Amount value={value} currency={currency} />}
      </ReadOnly>
    )
  }
  const { symbol, figure, sign, symbolFirst } = moneyParts(value ?? 0, currency)
  const text = value === null ? '' : `${sign}${figure}`
  // A price per piece may be finer than its currency; one edits what is kept.
  const isRounded = value !== null && Number(value.toFixed(2)) !== value
  const mark = symbol !== '' && value !== null && props.view === 'form' ? <span class="cur">{symbol}</span> : undefined
  return (
    <ParsedInput
      of={props}
      text={text}
      editText={isRounded ? formatFloat(value) : text}
      parse={(typed) => parseWith(NOTATIONS.float, symbol === '' ? typed : typed.replace(symbol, ''), props.field)}
      inputMode="decimal"
      class={props.view === 'form' ? 'tn' : 'num'}
      {...(mark !== undefined && (symbolFirst ? { before: mark } : { after: mark }))}
    />
  )
}
