import { msg } from '../../../core/i18n.ts'

export const INTERVALS = ['day', 'week', 'month', 'quarter', 'year'] as const
export type Interval = (typeof INTERVALS)[number]

/** As a button says them. */
export const INTERVAL_LABELS: Readonly<Record<Interval, string>> = {
  day: msg('Day'),
  week: msg('Week'),
  month: msg('Month'),
  quarter: msg('Quarter'),
  year: msg('Year'),
}
