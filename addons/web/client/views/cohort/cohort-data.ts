import type { WireDomain } from '../../../../../kernel/view/wire.ts'
import type { GroupedRow } from '../../store/queries.ts'
import type { Interval } from '../shared/analysis/intervals.ts'
import { type MeasureChoice, measureOf } from '../shared/analysis/measures.ts'
import { PERIOD_STEPS, periodName, periodsBetween } from '../shared/analysis/periods.ts'

export type CohortMode = 'retention' | 'churn'
export type CohortTimeline = 'forward' | 'backward'

/** Most columns. */
export const MAX_PERIODS = 16

export interface CohortQuery {
  readonly start: string
  readonly stop: string
  readonly interval: Interval
  readonly mode: CohortMode
  readonly timeline: CohortTimeline
}

/** The records of one cohort that have stayed, or stopped, some periods after it began. */
export interface CohortCell {
  readonly offset: number
  readonly value: number
  readonly share: number
  readonly domain: WireDomain
}

export interface Cohort {
  readonly day: string
  readonly label: string
  readonly total: number
  readonly domain: WireDomain
  /** By column; null for a period that has not begun. */
  readonly cells: readonly (CohortCell | null)[]
}

export interface CohortData {
  readonly offsets: readonly number[]
  readonly cohorts: readonly Cohort[]
  /** The share of all cohorts that have reached a column. */
  readonly averages: readonly (number | null)[]
}

/**
 * A record is in the cohort of the period it starts in. It is gone at an offset if its stop is in that period or in an earlier
 * one, so that the share that stays can only fall. `starts` are the groups by start, the oldest first, `pairs` those by start and stop.
 */
export function cohortData(
  starts: readonly GroupedRow[],
  pairs: readonly GroupedRow[],
  query: CohortQuery,
  measure: MeasureChoice,
  today: string,
): CohortData {
  const { start, stop, interval, mode, timeline } = query
  const [startItem, stopItem] = [`${start}:${interval}`, `${stop}:${interval}`]
  const gone = new Map<string, { readonly offset: number; readonly value: number }[]>()
  for (const row of pairs) {
    const [from, to] = [row[startItem], row[stopItem]]
    if (typeof from !== 'string' || typeof to !== 'string') continue
    const entry = { offset: periodsBetween(from, to, interval), value: measureOf(row, measure) ?? 0 }
    gone.set(from, [...(gone.get(from) ?? []), entry])
  }
  const oldest = starts.map((row) => row[startItem]).find((day) => typeof day === 'string')
  const offsets = offsetsOf(oldest, [...gone.values()].flat(), query, today)
  const cohorts = starts.flatMap((row): readonly Cohort[] => {
    const day = row[startItem]
    if (typeof day !== 'string') return []
    const total = measureOf(row, measure) ?? 0
    const stopped = gone.get(day) ?? []
    const cells = offsets.map((offset): CohortCell | null => {
      if (timeline === 'forward' && PERIOD_STEPS[interval](day, offset) > today) return null
      const left = stopped.reduce((sum, each) => sum + (each.offset <= offset ? each.value : 0), 0)
      const value = mode === 'churn' ? left : total - left
      const end = PERIOD_STEPS[interval](day, offset + 1)
      const still: WireDomain = mode === 'churn' ? [[stop, '<', end]] : ['|', [stop, '=', null], [stop, '>=', end]]
      return { offset, value, share: total === 0 ? 0 : value / total, domain: [...row.__domain, ...still] }
    })
    return [{ day, label: periodName(day, interval), total, domain: row.__domain, cells }]
  })
  return { offsets, cohorts, averages: offsets.map((_, index) => averageOf(cohorts, index)) }
}

/** Forward up to the present, backward as far as records stop before their start; at most `MAX_PERIODS`. */
function offsetsOf(
  oldest: string | undefined,
  gone: readonly { readonly offset: number }[],
  { interval, timeline }: CohortQuery,
  today: string,
): readonly number[] {
  if (timeline === 'backward') {
    const first = Math.max(1 - MAX_PERIODS, Math.min(0, ...gone.map(({ offset }) => offset)))
    return Array.from({ length: 1 - first }, (_, index) => first + index)
  }
  let count = 0
  while (oldest !== undefined && count < MAX_PERIODS && PERIOD_STEPS[interval](oldest, count) <= today) count++
  return Array.from({ length: Math.max(1, count) }, (_, index) => index)
}

function averageOf(cohorts: readonly Cohort[], index: number): number | null {
  const reached = cohorts.filter(({ cells }) => cells[index] !== null)
  const total = reached.reduce((sum, cohort) => sum + cohort.total, 0)
  return total === 0 ? null : reached.reduce((sum, { cells }) => sum + (cells[index]?.value ?? 0), 0) / total
}
