import { t } from '../../../core/i18n.ts'
import { addUnits, dayName, formatWall, startOf, type Unit, unitsIn, weekNumber } from '../../plan/periods.ts'
import type { TimeRange } from '../../plan/time-range.ts'
import { DAY, HOUR, MINUTE } from '../../plan/wall.ts'

export const GANTT_SCALES = ['day', 'week', 'month', 'quarter', 'year'] as const
export type GanttScale = (typeof GANTT_SCALES)[number]

export const scaleNames = (): readonly (readonly [GanttScale, string])[] => [
  ['day', t('Day')],
  ['week', t('Week')],
  ['month', t('Month')],
  ['quarter', t('Quarter')],
  ['year', t('Year')],
]

/** A column or a heading over several. */
export interface TimeColumn extends TimeRange {
  readonly label: string
  readonly more?: string
}

interface Layout {
  range(date: number): TimeRange
  /** Unit of the headings above the columns. */
  readonly heads: Unit
  headLabel(at: number): readonly [label: string, more?: string]
  readonly columns: Unit | 'hour'
  columnLabel(at: number): string
  /** What dragging rounds to. */
  readonly snap: number
}

const whole = (unit: Unit) => (date: number) => {
  const from = startOf(unit, date)
  return { from, to: addUnits(unit, from, 1) }
}
const dayOfMonth = (at: number): string => formatWall(at, { day: 'numeric' })
const weekHead = (at: number): readonly [string, string] => [dayName(at, 'short'), t('Week {n}', { n: weekNumber(at) })]

const LAYOUTS: Readonly<Record<GanttScale, Layout>> = {
  day: {
    range: whole('day'),
    heads: 'day',
    headLabel: (at) => [dayName(at)],
    columns: 'hour',
    columnLabel: (at) => formatWall(at, { hour: 'numeric' }),
    snap: 15 * MINUTE,
  },
  week: {
    range: whole('week'),
    heads: 'week',
    headLabel: weekHead,
    columns: 'day',
    columnLabel: (at) => `${formatWall(at, { weekday: 'short' })} ${dayOfMonth(at)}`,
    snap: HOUR,
  },
  month: {
    // Six whole weeks, so that the width of a day is always the same.
    range: (date) => {
      const from = startOf('week', startOf('month', date))
      return { from, to: from + 42 * DAY }
    },
    heads: 'week',
    headLabel: weekHead,
    columns: 'day',
    columnLabel: dayOfMonth,
    snap: DAY,
  },
  quarter: {
    range: whole('quarter'),
    heads: 'month',
    headLabel: (at) => [formatWall(at, { month: 'long' }), formatWall(at, { year: 'numeric' })],
    columns: 'week',
    columnLabel: dayOfMonth,
    snap: DAY,
  },
  year: {
    range: whole('year'),
    heads: 'quarter',
    headLabel: (at) => [
      t('Q{quarter} {year}', {
        quarter: Math.floor(new Date(at).getUTCMonth() / 3) + 1,
        year: formatWall(at, { year: 'numeric' }),
      }),
    ],
    columns: 'month',
    columnLabel: (at) => formatWall(at, { month: 'short' }),
    snap: DAY,
  },
}

export const ganttRange = (scale: GanttScale, date: number): TimeRange => LAYOUTS[scale].range(date)
export const snapOf = (scale: GanttScale): number => LAYOUTS[scale].snap

/** The two lines of the head. */
export function headsOf(
  scale: GanttScale,
  range: TimeRange,
): { readonly heads: readonly TimeColumn[]; readonly columns: readonly TimeColumn[] } {
  const { heads, headLabel, columns, columnLabel } = LAYOUTS[scale]
  const clip = (at: number, next: number) => ({ from: Math.max(at, range.from), to: Math.min(next, range.to) })
  const starts =
    columns === 'hour'
      ? Array.from({ length: 24 }, (_, hour) => range.from + hour * HOUR)
      : unitsIn(columns, range.from, range.to)
  return {
    heads: unitsIn(heads, range.from, range.to).map((at) => {
      const [label, more] = headLabel(at)
      return { ...clip(at, addUnits(heads, at, 1)), label, ...(more !== undefined && { more }) }
    }),
    columns: starts.map((at) => ({
      ...clip(at, columns === 'hour' ? at + HOUR : addUnits(columns, at, 1)),
      label: columnLabel(at),
    })),
  }
}

export function ganttTitle(scale: GanttScale, date: number): readonly [string, string] {
  const year = formatWall(date, { year: 'numeric' })
  if (scale === 'year') return [year, '']
  if (scale === 'quarter')
    return [t('Q{quarter} {year}', { quarter: Math.floor(new Date(date).getUTCMonth() / 3) + 1, year }), '']
  if (scale === 'day') return [dayName(date), year]
  if (scale === 'month') return [formatWall(date, { month: 'long' }), year]
  const { from, to } = ganttRange(scale, date)
  return [`${dayName(from, 'short')} – ${dayName(to - DAY, 'short')}`, year]
}
