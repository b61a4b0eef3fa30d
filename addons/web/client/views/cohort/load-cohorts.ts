import type { WireDomain } from '../../../../../kernel/view/wire.ts'
import { deferred } from '../../core/deferred.tsx'
import { services } from '../../services.ts'
import { type GroupedRow, readGroup } from '../../store/queries.ts'
import { type MeasureChoice, measureQuery } from '../shared/analysis/measures.ts'
import { weekStart } from '../shared/week-start.ts'
import type { CohortQuery } from './cohort-data.ts'

const paging = deferred(() => import('./load-stops.ts'))

export interface LoadedCohorts {
  /** The newest cohorts, the oldest of them first. */
  readonly starts: readonly GroupedRow[]
  readonly pairs: readonly GroupedRow[]
  /** Whether there are older ones. */
  readonly hasOlder: boolean
}

/** Requests groups by start and stop in these sets, for the records of the given domain. */
export type AskForGroups = (
  more: WireDomain,
  sets: readonly (readonly string[])[],
  limit: number,
) => Promise<readonly GroupedRow[]>

export const COHORTS_PER_PAGE = 60
/** Groups that one answer may have: cohorts and stops of five years by month. */
const MAX_TOGETHER = 2_000

/** Loads the cohorts and when their records stop. If that is too much for one answer, the stops of the newest are loaded in pages. */
export async function loadCohorts(
  model: string,
  domain: WireDomain,
  query: CohortQuery,
  measure: MeasureChoice,
  count: number,
  signal: AbortSignal,
): Promise<LoadedCohorts> {
  const { start, stop, interval } = query
  const items = [`${start}:${interval}`, `${stop}:${interval}`] as const
  const [item] = items
  const ask: AskForGroups = (more, sets, limit) =>
    readGroup(
      services().rpc,
      model,
      { domain: [...domain, [start, '!=', null], ...more], groupby: items, sets, fields: measureQuery([measure]) },
      { week_start: weekStart(), signal, limit, order: `${item} desc` },
    )
  const limit = Math.max(MAX_TOGETHER, count + 1)
  const found = await ask([], [[item], items], limit)
  const newest = found.filter(({ __set }) => __set === 0)
  const starts = newest.slice(0, count).toReversed()
  const hasOlder = newest.length > count
  const oldest = String(starts[0]?.[item])
  const pairs =
    found.length < limit
      ? found.filter((row) => row.__set && String(row[item]) >= oldest)
      : await (await paging.load()).loadStops(starts, query, items, ask)
  return { starts, pairs, hasOlder }
}
