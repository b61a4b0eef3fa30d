import { fold } from '../domain/fold.ts'

/** Numbers that a text shows: as digits with a point, or as the language writes them, with or without a currency sign. */
export function typedNumbers(text: string, lang: string): readonly number[] {
  const { group, decimal } = marksOf(lang)
  const typed = plainSigns(text)
    .replace(/\p{Sc}/gu, '')
    .trim()
  const grouped = new RegExp(`^-?\\d{1,3}(\\${group}\\d{2,3})*\\${group}\\d{3}(\\${decimal}\\d{1,10})?$`)
  const ungrouped = new RegExp(`^-?\\d{1,15}(\\${decimal}\\d{1,10})?$`)
  const isOwn = typed.length <= MAX_CHARS && (grouped.test(typed) || ungrouped.test(typed))
  const own = isOwn ? [Number(typed.replaceAll(group, '').replace(decimal, '.'))] : []
  return [...new Set([...(PLAIN.test(typed) ? [Number(typed)] : []), ...own])]
}

const PLAIN = /^-?\d{1,15}(\.\d{1,10})?$/
const MAX_CHARS = 30

/** Signs that look like a blank, an apostrophe or a minus. */
const plainSigns = (text: string) => text.replace(/\s/g, ' ').replaceAll('’', "'").replaceAll('\u2212', '-')

function marksOf(lang: string): { readonly group: string; readonly decimal: string } {
  const parts = new Intl.NumberFormat(lang, { minimumFractionDigits: 1 }).formatToParts(12_345_678.9)
  const mark = (wanted: string, missing: string) =>
    plainSigns(parts.find(({ type }) => type === wanted)?.value ?? missing)
  return { group: mark('group', ' '), decimal: mark('decimal', '.') }
}

/** The ways in which screens show a day. */
const STYLES: readonly Intl.DateTimeFormatOptions[] = [
  { year: 'numeric', month: '2-digit', day: '2-digit' },
  { day: 'numeric', month: 'short' },
  { day: 'numeric', month: 'short', year: 'numeric' },
  { day: 'numeric', month: 'long', year: 'numeric' },
]

const ISO = /^(\d{4})-(\d{2})-(\d{2})$/

/**
 * The day `YYYY-MM-DD` that a text shows: in ISO form, or in one of the ways the language writes it; null if it shows none.
 * Without a year it is this one, as on the screens.
 */
export function typedDay(text: string, lang: string, today: string): string | null {
  if (ISO.test(text)) return dayOf(...(text.split('-').map(Number) as [number, number, number]))
  const numbers = text.length > MAX_CHARS ? [] : (text.match(/\d+/g) ?? []).map(Number)
  const years = numbers.filter((number) => number > 999)
  const year = years[0] ?? Number(today.slice(0, 4))
  const asked = comparable(text)
  const formats =
    numbers.length === 0 ? [] : STYLES.map((style) => new Intl.DateTimeFormat(lang, { ...style, timeZone: 'UTC' }))
  for (const day of new Set(numbers.filter((number) => number >= 1 && number <= 31))) {
    for (let month = 1; month <= 12; month++) {
      const found = dayOf(year, month, day)
      if (found === null) continue
      if (formats.some((format) => comparable(format.format(new Date(found))) === asked)) return found
    }
  }
  return null
}

/** Text without case, accents, leading zeros and double blanks. */
const comparable = (text: string) =>
  fold(text)
    .replace(/\s+/g, ' ')
    .replace(/\b0+(?=\d)/g, '')
    .trim()

function dayOf(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = year >= 1000 && year <= 9999 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : null
}
