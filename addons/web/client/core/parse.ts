import { currentLocale, formatDate } from './format.ts'

/**
 * Parses a number as the user writes it: with group separators in the right positions, or without; with either minus sign. Null if it is not a number:
 * a misplaced separator is ambiguous, so it is refused instead of guessed.
 */
export function parseNumber(text: string): number | null {
  const { group, decimal, size } = findMarks()
  const plain = westernDigits(text)
    .trim()
    .replace(/^([+-])\s+/, '$1')
    .replaceAll(decimal, 'd')
  // `1.5` in a language with a comma cannot be a group.
  if (group === '.' && /^[+-]?\d*\.\d{1,2}$/.test(plain)) return Number(plain)
  // Spaces and apostrophes are group separators in every language.
  const grouped = [group, ' ', "'"].map((mark) => `\\d{1,${size}}(\\${mark}\\d{${size}})*\\${mark}\\d{3}`)
  const isNumber = new RegExp(`^[+-]?(\\d+|${grouped.join('|')})?(d\\d*)?$`).test(plain) && /\d/.test(plain)
  return isNumber ? Number(plain.replace(/[^\d+\-d]/g, '').replace('d', '.')) : null
}

export function parseInteger(text: string): number | null {
  const number = parseNumber(text)
  return number !== null && Number.isSafeInteger(number) ? number : null
}

/** Replaces digits of the user's script, minus signs, spaces and apostrophes by the ASCII ones, and removes direction marks. */
export function westernDigits(text: string): string {
  const own = [...new Intl.NumberFormat(currentLocale().tag, { useGrouping: false }).format(9_876_543_210)].reverse()
  return text
    .replace(/\p{Nd}/gu, (digit) => (own.includes(digit) ? String(own.indexOf(digit)) : digit))
    .replace(/[\u061c\u200e\u200f]/g, '')
    .replace(/\s/g, ' ')
    .replaceAll('\u2212', '-')
    .replaceAll('’', "'")
}

/** The separators of groups and decimals in the language, and the number of digits in a group; the last group always has three. */
function findMarks(): { readonly group: string; readonly decimal: string; readonly size: number } {
  const parts = new Intl.NumberFormat(currentLocale().tag, { minimumFractionDigits: 1 }).formatToParts(12_345_678.9)
  const mark = (wanted: string) => westernDigits(parts.find(({ type }) => type === wanted)?.value ?? '')
  return {
    group: mark('group'),
    decimal: mark('decimal'),
    size: parts.filter(({ type }) => type === 'integer').at(-2)?.value.length ?? 3,
  }
}

/** Reads a day as the user writes it in figures (`14.11.2026`, `11/14/26`, `2026-11-14`); null when there is no such day. */
export function parseDate(text: string, today: string): string | null {
  const trimmed = westernDigits(text).trim()
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(trimmed)
  if (iso) return toDay(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const numbers = trimmed.split(/[^\d]+/).filter((part) => part !== '')
  if (numbers.length < 2 || numbers.length > 3 || !/^[\d\s./-]+$/.test(trimmed)) return null
  const order = dayOrder().filter((part) => numbers.length === 3 || part !== 'year')
  const named = Object.fromEntries(order.map((part, index) => [part, Number(numbers[index])]))
  return toDay(fullYear(named['year'], today), named['month'] ?? 0, named['day'] ?? 0)
}

type DayPart = 'year' | 'month' | 'day'

/** The order of the parts in the user's short date. */
export function dayOrder(): readonly DayPart[] {
  const sample = westernDigits(formatDate('2099-03-04'))
  const places: readonly (readonly [DayPart, number])[] = [
    ['year', sample.indexOf('2099')],
    ['month', sample.indexOf('03')],
    ['day', sample.indexOf('04')],
  ]
  return places.toSorted(([, a], [, b]) => a - b).map(([part]) => part)
}

/** Without a year it is this one; two digits are of this century. */
export const fullYear = (year: number | undefined, today: string): number =>
  year === undefined ? Number(today.slice(0, 4)) : year < 100 ? 2000 + year : year

export function toDay(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = year >= 1000 && year <= 9999 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : null
}
