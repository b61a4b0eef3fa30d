import { currentLocale, formatDate } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { groupLabel } from '../group-label.ts'
import type { Interval } from '../shared/group-items.ts'

const DAY_MS = 86_400_000

const at = (day: string): Date => new Date(`${day}T00:00:00Z`)
const dayOfDate = (date: Date): string => date.toISOString().slice(0, 10)

const addDays = (day: string, days: number): string => dayOfDate(new Date(at(day).getTime() + days * DAY_MS))

function addMonths(day: string, months: number): string {
  const date = at(day)
  return dayOfDate(new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)))
}

/** First day of the period that is `count` after the one that begins on this day. */
export const PERIOD_STEPS: Readonly<Record<Interval, (day: string, count: number) => string>> = {
  day: (day, count) => addDays(day, count),
  week: (day, count) => addDays(day, 7 * count),
  month: (day, count) => addMonths(day, count),
  quarter: (day, count) => addMonths(day, 3 * count),
  year: (day, count) => addMonths(day, 12 * count),
}

/** With more periods than this the gaps are left out. */
const MAX_PERIODS = 400

/** All periods from the first of these days to the last one; only those given if there are too many. */
export function missingPeriods(
  days: readonly string[],
  interval: Interval,
): readonly { readonly day: string; readonly label: string }[] {
  const sorted = days.toSorted()
  const last = sorted.at(-1)
  const all: string[] = []
  for (
    let day = sorted[0];
    day !== undefined && last !== undefined && day <= last;
    day = PERIOD_STEPS[interval](day, 1)
  ) {
    all.push(day)
    if (all.length > MAX_PERIODS) return sorted.map((each) => named(each, interval))
  }
  return all.map((each) => named(each, interval))
}

const named = (day: string, interval: Interval) => ({ day, label: periodName(day, interval) })

/** A period as a heading. */
export const periodName = (day: string, interval: Interval): string =>
  groupLabel({ item: `:${interval}`, value: day, name: null, range: { from: day, to: day } }, [])

/** A period on an axis, in at most two lines. */
export function shortPeriod(day: string, interval: Interval): readonly string[] {
  const year = day.slice(0, 4)
  switch (interval) {
    case 'year':
      return [year]
    case 'quarter':
      return [t('Q{quarter}', { quarter: Math.ceil(Number(day.slice(5, 7)) / 3) }), year]
    case 'month':
      return [shortMonth(day), year]
    default:
      return [formatDate(day, 'short'), year]
  }
}

const shortMonth = (day: string): string =>
  new Intl.DateTimeFormat(currentLocale().tag, { month: 'short', timeZone: 'UTC' }).format(at(day))
