import { addDays, dayToWall, wallToDay } from '../../../../../../kernel/domain/zone.ts'
import type { WireDomain } from '../../../../../../kernel/view/wire.ts'
import { addUnits, startOf, unitsIn } from '../../plan/periods.ts'
import { periodName } from '../../shared/analysis/periods.ts'

export const PERIOD_UNITS = ['week', 'month', 'quarter', 'year'] as const

export type PeriodUnit = (typeof PERIOD_UNITS)[number]

export const isPeriodUnit = (text: string): text is PeriodUnit => PERIOD_UNITS.some((unit) => unit === text)

/** The days that a dashboard shows. */
export interface DashboardPeriod {
  readonly unit: PeriodUnit
  readonly from: string
  /** The last day. */
  readonly to: string
}

/** The period that a day is in. */
export function periodAround(unit: PeriodUnit, day: string): DashboardPeriod {
  const from = startOf(unit, dayToWall(day))
  return { unit, from: wallToDay(from), to: addDays(wallToDay(addUnits(unit, from, 1)), -1) }
}

/** The period `by` units later. */
export const stepPeriod = ({ unit, from }: DashboardPeriod, by: number): DashboardPeriod =>
  periodAround(unit, wallToDay(addUnits(unit, dayToWall(from), by)))

export const nameOfPeriod = ({ unit, from }: DashboardPeriod): string => periodName(from, unit)

/** Records whose date is in the period; days are those of the user's time zone. */
export const duringDays = (field: string, { from, to }: Pick<DashboardPeriod, 'from' | 'to'>): WireDomain => [
  [field, '>=', from],
  [field, '<=', to],
]

/**
 * The period to compare with: the previous one; if the period is not over yet, only as many days of it as have passed.
 */
export function periodBefore(period: DashboardPeriod, today: string): DashboardPeriod {
  const before = stepPeriod(period, -1)
  if (today < period.from || today >= period.to) return before
  const elapsed = (Date.parse(today) - Date.parse(period.from)) / 86_400_000
  const [to = before.to] = [addDays(before.from, elapsed), before.to].toSorted()
  return { ...before, to }
}

/** The unit of each point of a sparkline. */
export const SPARK_UNITS = { week: 'day', month: 'day', quarter: 'week', year: 'month' } as const

/** First days of the points of a sparkline, up to today. */
export function sparkDays({ unit, from, to }: DashboardPeriod, today: string): readonly string[] {
  const end = today >= from && today < to ? today : to
  return unitsIn(SPARK_UNITS[unit], dayToWall(from), dayToWall(addDays(end, 1))).map(wallToDay)
}
