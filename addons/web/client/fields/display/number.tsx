import { formatPercent } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { type FieldProps, fields } from '../../core/registries.ts'
import { hueOf } from '../../ui/avatar.tsx'
import { labelOf } from '../value/control.ts'
import { Amount, currencyOf } from '../value/money.tsx'
import { type FormatNumber, NUMBER_FORMATS } from '../value/number-text.ts'
import { ReadOnly } from '../value/read-only.tsx'
import { numberOf, textOf } from '../value/values.ts'

const lookOf = (format: FormatNumber) => (props: FieldProps) => {
  const value = numberOf(props.value)
  return (
    <ReadOnly of={props} class="tn">
      {value !== null && format(value, props.field)}
    </ReadOnly>
  )
}

export const IntegerDisplay = lookOf(NUMBER_FORMATS.integer)
export const FloatDisplay = lookOf(NUMBER_FORMATS.float)
export const HoursDisplay = lookOf(NUMBER_FORMATS.hours)
export const PercentDisplay = lookOf(NUMBER_FORMATS.percent)

export function MoneyDisplay(props: FieldProps) {
  const value = numberOf(props.value)
  return (
    <ReadOnly of={props} class="tn">
      {value !== null && <Amount value={value} currency={currencyOf(props.field, props.record)} />}
    </ReadOnly>
  )
}

/** Progress in percent, 0 to 100. */
export function Gauge({ of: props }: { readonly of: FieldProps }) {
  const filled = Math.max(0, Math.min(100, numberOf(props.value) ?? 0))
  return (
    <span
      class="bar"
      role="progressbar"
      aria-label={labelOf(props)}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(filled)}
    >
      <span class={filled >= 100 ? 'success' : ''} style={{ width: `${filled}%` }} />
    </span>
  )
}

/** A progress bar with its number. */
export function ProgressDisplay(props: FieldProps) {
  const value = numberOf(props.value)
  if (value === null) return <ReadOnly of={props} />
  return (
    <ReadOnly of={props} class="gauge">
      <Gauge of={props} />
      <span class="tn">{formatPercent(value / 100)}</span>
    </ReadOnly>
  )
}

/** An index into the palette. */
export function ColorDisplay(props: FieldProps) {
  const value = numberOf(props.value)
  return (
    <ReadOnly of={props}>
      {value !== null && (
        <span class="swatch" data-hue={hueOf(value)} role="img" aria-label={t('Colour {n}', { n: value + 1 })} />
      )}
    </ReadOnly>
  )
}

/** The number of a smart button, above its label. */
export function StatInfo(props: FieldProps) {
  const { field, value, record } = props
  const text = fields.get(field.type)?.format?.(value, field, record) ?? textOf(value)
  return (
    <span>
      <b class="tn">{text}</b>
      {labelOf(props)}
    </span>
  )
}
