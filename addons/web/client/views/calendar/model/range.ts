import { t } from '../../../core/i18n.ts'
import { addUnits, dayName, formatWall, startOf } from '../../plan/periods.ts'
import type { TimeRange } from '../../plan/time-range.ts'
import { DAY } from '../../plan/wall.ts'

export const SCALES = ['day', 'week', 'month', 'agenda'] as const
export type Scale = (typeof SCALES)[number]

export const isScale = (text: string | undefined): text is Scale => SCALES.some((scale) => scale === text)

export const scaleLabels = (): readonly (readonly [Scale, string])[] => [
  ['day', t('Day')],
  ['week', t('Week')],
  ['month', t('Month')],
  ['agenda', t('Agenda')],
]

/** The days on screen: a month with the rest of its first and last week; an agenda is one month. */
export function rangeOf(scale: Scale, date: number): TimeRange {
  if (scale === 'day') return { from: date, to: date + DAY }
  if (scale === 'week') return { from: startOf('week', date), to: startOf('week', date) + 7 * DAY }
  const from = startOf('month', date)
  const to = addUnits('month', from, 1)
  return scale === 'agenda' ? { from, to } : { from: startOf('week', from), to: startOf('week', to - DAY) + 7 * DAY }
}

export const step = (scale: Scale, date: number, by: number): number =>
  addUnits(scale === 'agenda' ? 'month' : scale, date, by)

/** Main part and year of the heading. */
export function rangeTitle(scale: Scale, date: number): readonly [string, string] {
  const { from, to } = rangeOf(scale, date)
  const year = formatWall(date, { year: 'numeric' })
  if (scale === 'day') return [dayName(date, 'weekday'), year]
  if (scale === 'week')
    return [`${dayName(from, 'short')} – ${dayName(to - DAY, 'short')}`, formatWall(to - DAY, { year: 'numeric' })]
  return [formatWall(date, { month: 'long' }), year]
}
