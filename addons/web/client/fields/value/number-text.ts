import type { WireField } from '../../../../../kernel/view/wire.ts'
import { formatFloat, formatInteger, formatPercent } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { parseInteger, parseNumber } from '../../core/parse.ts'
import type { Parsed } from './values.ts'

/** How numbers are parsed and formatted, by widget or type. */
export interface NumberNotation {
  format(value: number, field: WireField): string
  /** The text to edit, where it differs from the one shown. */
  edit?(value: number, field: WireField): string
  parse(text: string, field: WireField): number | null
  readonly problem: () => string
}

/** The decimals of the field if they are at most two; of a finer field, such as a quantity, without trailing zeros. */
function formatDecimal(value: number, { digits }: WireField): string {
  const scale = digits?.[1] ?? 2
  return scale <= 2 ? formatFloat(value, scale) : formatFloat(roundTo(value, Math.min(scale, 6)))
}

const roundTo = (value: number, scale: number): number => Number(`${Math.round(Number(`${value}e${scale}`))}e-${scale}`)

function parseRounded(text: string, field: WireField): number | null {
  const number = parseNumber(text)
  return number === null || field.digits === undefined ? number : roundTo(number, field.digits[1])
}

const notANumber = () => t('Write a number like {example}.', { example: formatFloat(1234.5, 2) })

/** `7.5` hours as `7:30`. */
export function formatHours(hours: number): string {
  const minutes = Math.round(Math.abs(hours) * 60)
  return `${hours < 0 ? '-' : ''}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

/** `7:30`, `7h30`, `45m`, or a plain number of hours. */
export function parseHours(text: string): number | null {
  const clock = /^(-?)(\d{1,6})\s*[:h]\s*(\d{0,2})\s*m?$/i.exec(text.trim())
  if (clock) {
    const minutes = Number(clock[3] || '0')
    return minutes > 59 ? null : (clock[1] === '-' ? -1 : 1) * (Number(clock[2]) + minutes / 60)
  }
  const minutes = /^(\d{1,6})\s*m(in)?$/i.exec(text.trim())
  return minutes ? Number(minutes[1]) / 60 : parseNumber(text)
}

const parsePercent = (text: string, field: WireField): number | null =>
  parseRounded(text.replace(/[%٪]\s*$/u, '').trim(), field)

export const NOTATIONS = {
  integer: {
    format: formatInteger,
    parse: parseInteger,
    problem: () => t('This is not a whole number.'),
  },
  float: {
    format: formatDecimal,
    parse: parseRounded,
    problem: notANumber,
  },
  hours: {
    format: formatHours,
    parse: parseHours,
    problem: () => t('Write hours like 7:30 or 7.5.'),
  },
  /** The field holds 0 to 100. */
  percent: {
    format: (value) => formatPercent(value / 100, 2),
    parse: parsePercent,
    problem: notANumber,
  },
} as const satisfies Record<string, NumberNotation>

/** Text of a number field; empty is unset. */
export function parseWith(notation: NumberNotation, text: string, field: WireField): Parsed {
  if (text.trim() === '') return { value: null }
  const value = notation.parse(text, field)
  return value === null ? { problem: notation.problem() } : { value }
}
