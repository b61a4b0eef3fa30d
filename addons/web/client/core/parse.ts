import { currentLocale, formatDate } from './format.ts'

/** Reads a figure as the user writes it; also without group marks, with either minus sign. Null when it is none. */
export function parseNumber(text: string): number | null {
  const { group, decimal, digits } = marksOf(currentLocale().tag)
  const plain = [...text.trim()]
    .map((char) => digits.get(char) ?? char)
    .join('')
    .replace(/[\s\u00a0\u202f\u061c\u200e\u200f'’]/g, '')
    .replace('\u2212', '-')
  const western = plain.replaceAll(group, '').replace(decimal, '.')
  // `1.5` in a language with a comma: a lone point that cannot be a group mark is a decimal point.
  const lone = group === '.' && /^-?\d*\.\d{1,2}$/.test(plain) ? plain : western
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(lone) ? Number(lone) : null
}

export function parseInteger(text: string): number | null {
  const number = parseNumber(text)
  return number !== null && Number.isSafeInteger(number) ? number : null
}

interface Marks {
  readonly group: string
  readonly decimal: string
  /** Digits of the locale to western ones. */
  readonly digits: ReadonlyMap<string, string>
}

const known = new Map<string, Marks>()

function marksOf(tag: string): Marks {
  const made = known.get(tag)
  if (made) return made
  const format = new Intl.NumberFormat(tag, { useGrouping: true, minimumFractionDigits: 1 })
  const parts = format.formatToParts(12_345_678.9)
  const mark = (type: string, fallback: string) => parts.find((part) => part.type === type)?.value ?? fallback
  const single = new Intl.NumberFormat(tag, { useGrouping: false })
  const marks: Marks = {
    group: mark('group', ','),
    decimal: mark('decimal', '.'),
    digits: new Map([...'0123456789'].map((digit) => [single.format(Number(digit)), digit])),
  }
  known.set(tag, marks)
  return marks
}

/** Reads a day as the user writes it (`14.11.2026`, `11/14/26`, `2026-11-14`); null when there is no such day. */
export function parseDate(text: string, today: string): string | null {
  const trimmed = text.trim()
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(trimmed)
  if (iso) return toDay(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const numbers = trimmed.split(/[^\d]+/).filter((part) => part !== '')
  if (numbers.length < 2 || numbers.length > 3 || !/^[\d\s./-]+$/.test(trimmed)) return null
  const order = dayOrder().filter((part) => numbers.length === 3 || part !== 'year')
  const named = Object.fromEntries(order.map((part, index) => [part, Number(numbers[index])]))
  const year = named['year'] ?? Number(today.slice(0, 4))
  return toDay(year < 100 ? 2000 + year : year, named['month'] ?? 0, named['day'] ?? 0)
}

type DayPart = 'year' | 'month' | 'day'

/** The order of the parts in the user's short date. */
function dayOrder(): readonly DayPart[] {
  const sample = formatDate('2099-03-04')
  const places: readonly (readonly [DayPart, number])[] = [
    ['year', sample.indexOf('2099')],
    ['month', sample.indexOf('03')],
    ['day', sample.indexOf('04')],
  ]
  return places.toSorted(([, a], [, b]) => a - b).map(([part]) => part)
}

function toDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = year >= 1000 && year <= 9999 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : null
}
