import { groupLabel } from '../../group-label.ts'
import type { Interval } from './intervals.ts'

const DAY_MS = 86_400_000

const at = (day: string): Date => new Date(`${day}T00:00:00Z`)
const dayOfDate = (date: Date): string => date.toISOString().slice(0, 10)

// Not by kernel/domain/zone.ts, whose time zones graphs and cohorts would load for this alone.
const daysLater = (day: string, days: number): string => dayOfDate(new Date(at(day).getTime() + days * DAY_MS))

function monthsLater(day: string, months: number): string {
  const date = at(day)
  return dayOfDate(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)))
}

/** Days of a day and a week, months of the others. */
const LENGTHS: Readonly<Record<Interval, number>> = { day: 1, week: 7, month: 1, quarter: 3, year: 12 }

/** First day of the period that is `count` after the one that begins on this day. */
export const PERIOD_STEPS: Readonly<Record<Interval, (day: string, count: number) => string>> = {
  day: daysLater,
  week: (day, count) => daysLater(day, 7 * count),
  month: monthsLater,
  quarter: (day, count) => monthsLater(day, 3 * count),
  year: (day, count) => monthsLater(day, 12 * count),
}

/** A period as a heading. */
export const periodName = (day: string, interval: Interval): string =>
  groupLabel({ item: `:${interval}`, value: day, name: null, range: { from: day, to: day } }, [])

/** How many periods later the second one begins; both are first days. */
export function periodsBetween(from: string, to: string, interval: Interval): number {
  const [a, b] = [at(from), at(to)]
  const months = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth()
  const length = LENGTHS[interval]
  return interval === 'day' || interval === 'week'
    ? Math.round((b.getTime() - a.getTime()) / DAY_MS / length)
    : months / length
}
