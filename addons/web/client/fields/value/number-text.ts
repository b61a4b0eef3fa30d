import type { WireField } from '../../../../../kernel/view/wire.ts'
import { formatFloat, formatInteger, formatPercent } from '../../core/format.ts'

export type FormatNumber = (value: number, field: WireField) => string

/** With the decimals of the field if they are at most two; for a finer field, such as a quantity, without trailing zeros. */
export const formatDecimal: FormatNumber = (value, { digits }) => {
  const scale = digits?.[1] ?? 2
  return scale <= 2 ? formatFloat(value, scale) : formatFloat(roundTo(value, Math.min(scale, 6)))
}

export const roundTo = (value: number, scale: number): number =>
  Number(`${Math.round(Number(`${value}e${scale}`))}e-${scale}`)

/** `7.5` hours as `7:30`. */
export function formatHours(hours: number): string {
  const minutes = Math.round(Math.abs(hours) * 60)
  return `${hours < 0 ? '-' : ''}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** How numbers are shown, by widget or type. How they are read is in `edit/number-notation.ts`, which the first paint does without. */
export const NUMBER_FORMATS = {
  integer: formatInteger,
  float: formatDecimal,
  hours: formatHours,
  /** The field holds 0 to 100. */
  percent: (value) => formatPercent(value / 100, 2),
} as const satisfies Record<string, FormatNumber>
