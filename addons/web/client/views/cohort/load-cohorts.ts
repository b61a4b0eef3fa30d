import type { WireDomain } from '../../../../../kernel/view/wire.ts'
import { services } from '../../services.ts'
import { type GroupedRow, readGroup } from '../../store/queries.ts'
import { type MeasureChoice, measureQuery } from '../shared/measures.ts'
import { PERIOD_STEPS } from '../shared/periods.ts'
import { weekStart } from '../shared/week-start.ts'
import { type CohortQuery, MAX_PERIODS } from './cohort-data.ts'

export interface LoadedCohorts {
  /** The newest cohorts, the oldest of them first. */
  readonly starts: readonly GroupedRow[]
  readonly pairs: readonly GroupedRow[]
  /** Whether there are older ones. */
  readonly hasOlder: boolean
}

/** The stops of this many cohorts fit into one answer. */
export const COHORTS_PER_PAGE = 60
const MAX_PAIRS = 10_000

/** Asks for the newest cohorts, and then for when their records stop. */
export async function loadCohorts(
  model: string,
  domain: WireDomain,
  { start, stop, interval }: CohortQuery,
  measure: MeasureChoice,
  count: number,
  signal: AbortSignal,
): Promise<LoadedCohorts> {
  const { rpc } = services()
  const [startItem, stopItem] = [`${start}:${interval}`, `${stop}:${interval}`]
  const started: WireDomain = [...domain, [start, '!=', null]]
  const fields = measureQuery([measure])
  const options = { week_start: weekStart(), signal }
  const newest = await readGroup(
    rpc,
    model,
    { domain: started, groupby: [startItem], fields },
    { ...options, limit: count + 1, order: `${startItem} desc` },
  )
  const starts = newest.slice(0, count).toReversed()
  const pairs: GroupedRow[] = []
  // A page at a time, so that no answer is cut.
  for (let at = 0; at < starts.length; at += COHORTS_PER_PAGE) {
    const page = starts.slice(at, at + COHORTS_PER_PAGE)
    const [first, last] = [page[0]![startItem], page.at(-1)![startItem]]
    if (typeof first !== 'string' || typeof last !== 'string') continue
    const spans: WireDomain = [
      [start, '>=', first],
      [start, '<', PERIOD_STEPS[interval](last, 1)],
      [stop, '!=', null],
      // Later stops are in no column.
      [stop, '<', PERIOD_STEPS[interval](last, MAX_PERIODS)],
    ]
    pairs.push(
      ...(await readGroup(
        rpc,
        model,
        { domain: [...started, ...spans], groupby: [startItem, stopItem], fields },
        { ...options, limit: MAX_PAIRS },
      )),
    )
  }
  return { starts, pairs, hasOlder: newest.length > count }
}
