import type { Env } from '../env.ts'
import type { Field, FieldTypeName } from '../model/fields/field.ts'

/** Writes values for people, in the language and the time zone of `env`. */
export interface ValueWriter {
  readonly tag: string
  /** `currency`: an ISO code, which decides how many decimals an amount has. Unset is the empty text. Texts of any length are written by `longText`. */
  text(field: Field, value: unknown, currency?: string | null): string
  number(value: number, digits: { readonly least: number; readonly most: number }): string
  /** The figure of an amount, without its currency. */
  amount(value: number, currency: string | null): string
  /** An amount with its currency. */
  money(value: number, currency: string | null): string
  date(day: string, style?: 'medium' | 'long'): string
  datetime(instant: string, style?: 'medium' | 'long'): string
  /** An instant; only its day if it is at midnight. */
  moment(instant: string): string
  /** The day of an instant, in full. */
  day(instant: string): string
}

type Format = (value: never, field: Field, currency: string | null) => string

const CURRENCY = /^[A-Z]{3}$/
const DECIMALS = 2
const KILO = 1_024

export function valueWriter({ t, tz, lang }: Pick<Env, 't' | 'tz' | 'lang'>): ValueWriter {
  const tag = knownLocale(lang)
  const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()
  const numbers = (options: Intl.NumberFormatOptions) =>
    remember(formats, `n${JSON.stringify(options)}`, () => new Intl.NumberFormat(tag, options))
  const dates = (options: Intl.DateTimeFormatOptions) =>
    remember(formats, `d${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(tag, options))

  const number: ValueWriter['number'] = (value, { least, most }) =>
    numbers({ minimumFractionDigits: least, maximumFractionDigits: most }).format(value)
  const decimals = (currency: string | null): number =>
    currency === null || !CURRENCY.test(currency)
      ? DECIMALS
      : (numbers({ style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? DECIMALS)
  const amount: ValueWriter['amount'] = (value, currency) => {
    const digits = decimals(currency)
    return number(value, { least: digits, most: digits })
  }
  const money: ValueWriter['money'] = (value, currency) =>
    currency === null
      ? amount(value, null)
      : CURRENCY.test(currency)
        ? numbers({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(value)
        : `${amount(value, currency)}\u00a0${currency}`
  const date: ValueWriter['date'] = (day, style = 'medium') =>
    whole(dates({ dateStyle: style, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`)))
  const datetime: ValueWriter['datetime'] = (instant, style = 'medium') =>
    whole(dates({ dateStyle: style, timeStyle: 'short', timeZone: tz }).format(new Date(instant)))

  const moment: ValueWriter['moment'] = (instant) => {
    const isMidnight = new Date(instant).toLocaleTimeString('en-GB', { timeZone: tz }) === '00:00:00'
    return isMidnight
      ? whole(dates({ dateStyle: 'medium', timeZone: tz }).format(new Date(instant)))
      : datetime(instant)
  }
  const day: ValueWriter['day'] = (instant) =>
    whole(dates({ dateStyle: 'long', timeZone: tz }).format(new Date(instant)))

  const formatted: Partial<Record<FieldTypeName, Format>> = {
    integer: (value: number) => number(value, { least: 0, most: 0 }),
    float: (value: number, { digits }) => {
      const scale = digits?.[1] ?? 6
      return number(value, { least: scale === DECIMALS ? DECIMALS : 0, most: scale })
    },
    monetary: (value: number, _field, currency) => amount(value, currency),
    boolean: (value: boolean) => (value ? t('Yes') : t('No')),
    date: (value: string) => date(value),
    datetime: (value: string) => datetime(value),
    selection: (value: string, { selection }) => t(selection?.get(value) ?? value),
    json: (value: unknown) => JSON.stringify(value),
    binary: (value: number | string) => bytesText(value, number),
    image: (value: number | string) => bytesText(value, number),
  }

  return {
    tag,
    number,
    amount,
    money,
    date,
    datetime,
    day,
    moment,
    text(field, value, currency = null) {
      if (value === null || value === undefined) return ''
      if (Array.isArray(value) && field.type.name !== 'json') return value.join(', ')
      const format = formatted[field.type.name]
      return format === undefined ? String(value) : format(value as never, field, currency)
    },
  }
}

/** A text with no-break spaces, so that it stays on one line. */
const whole = (text: string): string => text.replaceAll(' ', '\u00a0')

/** The size of a file, given as base64 or as the length of its base64. */
function bytesText(file: number | string, number: ValueWriter['number']): string {
  const bytes = ((typeof file === 'number' ? file : file.length) * 3) / 4
  return `${number(Math.max(1, bytes / KILO), { least: 0, most: 0 })}\u00a0kB`
}

function remember<T>(known: Map<string, unknown>, key: string, make: () => T): T {
  // The key names the constructor and its options, so what is kept under it is a T.
  const found = known.get(key) as T | undefined
  if (found !== undefined) return found
  const made = make()
  known.set(key, made)
  return made
}

/** The language as a tag that `Intl` takes, else English. */
function knownLocale(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang.replaceAll('_', '-'))[0] ?? 'en'
  } catch {
    return 'en'
  }
}
