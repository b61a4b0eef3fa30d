import type { WireField } from '../../../../../kernel/view/wire.ts'
import { formatFloat } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { parseInteger, parseNumber } from '../../core/parse.ts'
import { type FormatNumber, NUMBER_FORMATS, roundTo } from '../value/number-text.ts'
import type { Parsed } from '../value/values.ts'

/** How numbers are written and read, by widget or type. */
export interface NumberNotation {
  readonly format: FormatNumber
  parse(text: string, field: WireField): number | null
  readonly problem: () => string
}

function parseRounded(text: string, field: WireField): number | null {
  const number = parseNumber(text)
  return number === null || field.digits === undefined ? number : roundTo(number, field.digits[1])
}

const notANumber = () => t('Write a number like {example}.', { example: formatFloat(1234.5, 2) })

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
    format: NUMBER_FORMATS.integer,
    parse: parseInteger,
    problem: () => t('This is not a whole number.'),
  },
  float: {
    format: NUMBER_FORMATS.float,
    parse: parseRounded,
    problem: notANumber,
  },
  hours: {
    format: NUMBER_FORMATS.hours,
    parse: parseHours,
    problem: () => t('Write hours like 7:30 or 7.5.'),
  },
  percent: {
    format: NUMBER_FORMATS.percent,
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
