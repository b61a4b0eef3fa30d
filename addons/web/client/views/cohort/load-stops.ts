import type { WireDomain } from '../../../../../kernel/view/wire.ts'
import type { GroupedRow } from '../../store/queries.ts'
import { PERIOD_STEPS } from '../shared/analysis/periods.ts'
import { type CohortQuery, MAX_PERIODS } from './cohort-data.ts'
import type { AskForGroups } from './load-cohorts.ts'

/** The stops of this many cohorts fit into one answer. */
const COHORTS_AT_ONCE = 60
const MAX_PAIRS = 10_000

/** When the records of these cohorts stop, some cohorts at a time, so that no answer is cut. */
export async function loadStops(
  starts: readonly GroupedRow[],
  { start, stop, interval }: CohortQuery,
  items: readonly [start: string, stop: string],
  ask: AskForGroups,
): Promise<readonly GroupedRow[]> {
  const pairs: GroupedRow[] = []
  for (let at = 0; at < starts.length; at += COHORTS_AT_ONCE) {
    const some = starts.slice(at, at + COHORTS_AT_ONCE)
    const dayOf = (row: GroupedRow | undefined) => String(row?.[items[0]])
    const last = dayOf(some.at(-1))
    const spans: WireDomain = [
      [start, '>=', dayOf(some[0])],
      [start, '<', PERIOD_STEPS[interval](last, 1)],
      [stop, '!=', null],
      // The table has no columns for later stops.
      [stop, '<', PERIOD_STEPS[interval](last, MAX_PERIODS)],
    ]
    pairs.push(...(await ask(spans, [items], MAX_PAIRS)))
  }
  return pairs
}
