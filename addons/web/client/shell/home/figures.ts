import { addDays, addMonths } from '../../../../../kernel/domain/zone.ts'

/** Value of a figure on one day. */
export interface DayValue {
  /** `YYYY-MM-DD` */
  readonly day: string
  readonly value: number
  /** Currency of an amount; null if the value has none. */
  readonly currency: string | null
}

/** Values of a figure: this month so far, the same days of the previous month, and the last weeks. */
export interface FigureSummary {
  readonly current: number
  readonly previous: number
  /** Totals of seven days each, the last one ending today. */
  readonly weeks: readonly number[]
  readonly currency: string | null
  /** Whether amounts are in several currencies, so that there is no total; `amounts` has one for each. */
  readonly isMixed: boolean
  /** This month so far by currency, the largest first. */
  readonly amounts: readonly FigureAmount[]
}

export interface FigureAmount {
  readonly currency: string
  readonly current: number
}

const WEEKS = 12
const DAY_MS = 86_400_000

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)

export const monthStart = (day: string): string => `${day.slice(0, 7)}-01`

/** The same day one month earlier, or the last day of that month if it is shorter. */
export const monthBefore = (day: string): string => addMonths(day, -1)

/** The first day whose values a figure needs. */
export function firstDay(today: string): string {
  const weeks = daysBetween(addDays(today, 1 - WEEKS * 7), today)
  const months = daysBetween(monthStart(monthBefore(today)), today)
  return addDays(today, -Math.max(weeks, months))
}

export function summarise(values: readonly DayValue[], today: string): FigureSummary {
  const sum = (from: string, to: string, of = values) =>
    of.reduce((total, { day, value }) => (day >= from && day <= to ? total + value : total), 0)
  const before = monthBefore(today)
  const currencies = new Set(values.flatMap(({ currency }) => currency ?? []))
  const [currency = null] = currencies
  return {
    current: sum(monthStart(today), today),
    previous: sum(monthStart(before), before),
    weeks: Array.from({ length: WEEKS }, (_, week) => {
      const last = addDays(today, -7 * (WEEKS - 1 - week))
      return sum(addDays(last, -6), last)
    }),
    currency,
    isMixed: currencies.size > 1,
    amounts: [...currencies]
      .filter((code) => values.some(({ day, currency }) => currency === code && day >= monthStart(today)))
      .map((code) => ({
        currency: code,
        current: sum(
          monthStart(today),
          today,
          values.filter(({ currency }) => currency === code),
        ),
      }))
      .toSorted((a, b) => b.current - a.current),
  }
}
