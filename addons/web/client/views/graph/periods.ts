import { currentLocale, formatDate } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import type { Interval } from '../shared/analysis/intervals.ts'
import { PERIOD_STEPS, periodName } from '../shared/analysis/periods.ts'

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
  new Intl.DateTimeFormat(currentLocale().tag, { month: 'short', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
