import { signal } from '@preact/signals'

/** How numbers and dates are written for the user. */
export interface Locale {
  /** BCP 47. */
  readonly tag: string
  /** Time zone of datetimes. */
  readonly zone: string
}

const locale = signal<Locale>({ tag: 'en', zone: 'UTC' })

/**
 * A language without a region takes the region of the browser: `en` becomes `en-GB` if the browser prefers that. English is used in every
 * country, so it takes the region of any first language: `en-DE` in a German browser. If the browser does not know the language or
 * the time zone, its own fallback is used.
 */
export function setLocale(language: string, zone: string, preferred: readonly string[] = []): void {
  const region = language === 'en' && /-..$/.exec(preferred[0] ?? '')
  const tag = region ? language + region : (preferred.find((other) => other.startsWith(`${language}-`)) ?? language)
  locale.value = {
    tag: isKnown(() => new Intl.NumberFormat(tag)) ? tag : 'en',
    zone: isKnown(() => dateFormat(tag, { timeZone: zone })) ? zone : 'UTC',
  }
}

export const currentLocale = (): Locale => locale.value

function isKnown(make: () => unknown): boolean {
  try {
    make()
    return true
  } catch {
    return false
  }
}

// Making an Intl object costs about 50 µs, using one about 1; a list of 500 rows uses thousands.
const made = new Map<string, unknown>()

function cached<T>(key: string, make: () => T): T {
  // The key names the constructor and all its arguments, so what is kept under it is a T.
  const known = made.get(key) as T | undefined
  if (known !== undefined) return known
  const fresh = make()
  made.set(key, fresh)
  return fresh
}

const numberFormat = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  cached(`n${locale.value.tag}${JSON.stringify(options)}`, () => new Intl.NumberFormat(locale.value.tag, options))

const dateFormat = (tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  cached(`d${tag}${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(tag, options))

export const formatInteger = (value: number): string => numberFormat({ maximumFractionDigits: 0 }).format(value)

/** Exactly `digits` decimals; without it up to six. */
export const formatFloat = (value: number, digits?: number): string =>
  numberFormat(
    digits === undefined
      ? { maximumFractionDigits: 6 }
      : { minimumFractionDigits: digits, maximumFractionDigits: digits },
  ).format(value)

export const formatPercent = (fraction: number, digits = 0): string =>
  numberFormat({ style: 'percent', maximumFractionDigits: digits }).format(fraction)

/** 1.2K, 3.4M: for the totals of narrow columns. */
export const formatCompact = (value: number): string =>
  numberFormat({ notation: 'compact', maximumFractionDigits: 1 }).format(value)

/** An amount in parts, so that the symbol can be styled apart from the number. */
export interface MoneyParts {
  readonly sign: string
  readonly symbol: string
  readonly figure: string
  /** Whether the symbol stands before the figure in this language. */
  readonly symbolFirst: boolean
}

const MONEY_CODE = /^[A-Z]{3}$/

/** Null if it is no ISO code. */
const moneyFormat = (currency: string | null): Intl.NumberFormat | null =>
  currency !== null && MONEY_CODE.test(currency)
    ? numberFormat({ style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    : null

/** `currency`: an ISO code; anything else is shown as it is. */
export function moneyParts(value: number, currency: string | null, digits = 2): MoneyParts {
  const format = moneyFormat(currency)
  const parts = (format ?? numberFormat({})).formatToParts(value)
  const at = (wanted: string) => parts.findIndex(({ type }) => type === wanted)
  return {
    sign: parts[at('minusSign')]?.value ?? '',
    symbol: parts[at('currency')]?.value ?? currency ?? '',
    // Formatted like any other number: in `en-DE` browsers write amounts as €1,174.50 but other numbers as 1.174,5.
    figure: formatFloat(Math.abs(value), format?.resolvedOptions().maximumFractionDigits ?? digits),
    symbolFirst: at('currency') < at('integer'),
  }
}

export function formatMoney(value: number, currency: string | null, digits = 2): string {
  const { figure } = moneyParts(value, currency, digits)
  return (
    moneyFormat(currency)
      ?.format(value)
      .replace(/\p{Nd}(.*\p{Nd})?/u, figure) ?? formatFloat(value, digits) + (currency === null ? '' : ` ${currency}`)
  )
}

/** Fields of the user's short date, as digits: what `parseDate` reads back. */
const DAY: Intl.DateTimeFormatOptions = { year: 'numeric', month: '2-digit', day: '2-digit' }
const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' }

export type DateStyle = 'numeric' | 'short' | 'medium' | 'long' | 'month' | 'weekday'

const STYLES: Readonly<Record<DateStyle, Intl.DateTimeFormatOptions>> = {
  numeric: DAY,
  short: { day: 'numeric', month: 'short' },
  medium: { day: 'numeric', month: 'short', year: 'numeric' },
  long: { day: 'numeric', month: 'long', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  // The month in full: it stands in sentences, and a short one ends in a period in some languages.
  weekday: { weekday: 'long', day: 'numeric', month: 'long' },
}

/** A calendar day `YYYY-MM-DD`, the same day everywhere. */
export const formatDate = (day: string, style: DateStyle = 'numeric'): string =>
  dateFormat(locale.value.tag, { ...STYLES[style], timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

/** A moment, in the user's time zone. */
export const formatDatetime = (instant: string, style: DateStyle = 'numeric'): string =>
  dateFormat(locale.value.tag, { ...STYLES[style], ...TIME, timeZone: locale.value.zone }).format(new Date(instant))

export const formatTime = (instant: string): string =>
  dateFormat(locale.value.tag, { ...TIME, timeZone: locale.value.zone }).format(new Date(instant))

/** The calendar day of a moment in the user's time zone. */
export const dayOf = (instant: string): string =>
  dateFormat('en-CA', { ...DAY, timeZone: locale.value.zone }).format(new Date(instant))

/** The calendar day it is now in the user's time zone. */
export const today = (): string => dayOf(new Date().toISOString())

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** “3 hours ago”, “tomorrow”; to the nearest, as 90 days are a little less than three months. */
export function formatRelative(instant: string, now: Date): string {
  const ms = new Date(instant).getTime() - now.getTime()
  const relative = cached(
    `r${locale.value.tag}`,
    () => new Intl.RelativeTimeFormat(locale.value.tag, { numeric: 'auto' }),
  )
  const [unit, step] = STEPS.find(([, size]) => Math.abs(ms) >= size) ?? ['second', 1_000]
  return relative.format(Math.round(ms / step), unit)
}

export const formatList = (items: readonly string[]): string =>
  cached(`l${locale.value.tag}`, () => new Intl.ListFormat(locale.value.tag, { type: 'conjunction' })).format(items)

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(SIZES.length - 1, Math.floor(Math.log10(bytes) / 3))
  return numberFormat({
    style: 'unit',
    unit: SIZES[power]!,
    unitDisplay: 'short',
    maximumFractionDigits: power > 0 ? 1 : 0,
  }).format(bytes / 1_000 ** power)
}
