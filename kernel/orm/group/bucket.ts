import { addDays, addMonths, dayToWall, wallTime, wallToDay, wallToInstant, type Zone } from '../../domain/zone.ts'
import { canonicalInstant, isCalendarDate } from '../../model/fields/date.ts'
import { type Sql, sql } from '../../sql/sql.ts'

/** The period that dates are grouped by. */
export type Granularity = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** First day of the next bucket. */
const NEXT: Readonly<Record<Exclude<Granularity, 'hour'>, (day: string) => string>> = {
  day: (day) => addDays(day, 1),
  week: (day) => addDays(day, 7),
  month: (day) => addMonths(day, 1),
  quarter: (day) => addMonths(day, 3),
  year: (day) => addMonths(day, 12),
}

export const isGranularity = (text: string): text is Granularity => text === 'hour' || Object.hasOwn(NEXT, text)

/** SQL for the start of the bucket that a local time is in: a date, or a timestamp for hours. */
export function truncateSql(local: Sql<unknown>, granularity: Granularity, weekStart: number): Sql<unknown> {
  if (granularity === 'hour') return sql`date_trunc('hour', ${local})`
  if (granularity !== 'week') return sql`date_trunc(${granularity}, ${local})::date`
  const days = sql`${weekStart - 1}::int`
  return sql`date_trunc('week', ${local} - make_interval(days => ${days}))::date + ${days}`
}

/** A group of dates or instants. Bounds are days, or instants in RFC 3339. */
export interface Bucket {
  readonly key: string
  readonly range: Span
  /** The parts of the range that belong to this bucket; more than one only where the clock was set back across a boundary. */
  readonly spans: readonly Span[]
}

interface Span {
  readonly from: string
  /** Exclusive. */
  readonly to: string
}

/** The bucket of days that begins at this wall time. */
export function dayBucket(start: number, granularity: Granularity): Bucket {
  const range = { from: wallToDay(start), to: wallToDay(endOf(start, granularity)) }
  return { key: range.from, range, spans: [range] }
}

/** The bucket of instants whose local time is in it. Its key is the local day, or the first instant for hours. */
export function instantBucket(start: number, granularity: Granularity, zone: Zone): Bucket {
  const starts = crossings(zone, start)
  const ends = crossings(zone, endOf(start, granularity))
  const range = { from: isoText(starts[0]!), to: isoText(ends.at(-1)!) }
  return { key: granularity === 'hour' ? range.from : wallToDay(start), range, spans: spansOf([...starts, ...ends]) }
}

const isoText = (instant: number) => new Date(instant).toISOString()

function endOf(start: number, granularity: Granularity): number {
  return granularity === 'hour' ? start + HOUR : dayToWall(NEXT[granularity](wallToDay(start)))
}

/**
 * The instants at which the zone's clock crosses `wall`: one, or three if the clock is set back from after it to before it: the
 * first time it gets there, the moment it is set back, and the second time.
 */
function crossings(zone: Zone, wall: number): readonly number[] {
  const offset = zone.offsetAt(wall - DAY)
  if (offset === zone.offsetAt(wall + DAY)) return [wall - offset]
  const first = wallToInstant(zone, wall, 'first')
  const last = wallToInstant(zone, wall, 'last')
  if (first === last || wallTime(zone, last - 1) >= wall) return [first]
  let [before, after] = [first, last]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (wallTime(zone, middle) >= wall) before = middle
    else after = middle
  }
  return [first, after, last]
}

/** The spans between the crossings of a bucket's start and end. Each crossing begins or ends a span; one of both start and end does neither. */
function spansOf(instants: readonly number[]): readonly Span[] {
  const counts = new Map<number, number>()
  for (const instant of instants) counts.set(instant, (counts.get(instant) ?? 0) + 1)
  const turns = [...counts.keys()].filter((instant) => counts.get(instant) === 1).sort((a, b) => a - b)
  return turns.flatMap((instant, index) =>
    index % 2 === 0 ? [{ from: isoText(instant), to: isoText(turns[index + 1]!) }] : [],
  )
}

/** The bucket as conditions of a domain, AND-ed. A bound outside the calendar is true for every value and is left out. */
export function bucketDomain(path: string, { range, spans }: Bucket): readonly unknown[] {
  const [first = boundsOf(path, range), ...rest] = spans.map((span) => boundsOf(path, span))
  if (rest.length === 0) return first
  const alternatives = [first, ...rest].flatMap((bounds) => [...bounds.slice(1).map(() => '&'), ...bounds])
  return [...rest.map(() => '|'), ...alternatives]
}

function boundsOf(path: string, { from, to }: Span): readonly unknown[] {
  const isKept = (text: string) => isCalendarDate(text) || canonicalInstant(text) !== null
  return [...(isKept(from) ? [[path, '>=', from]] : []), ...(isKept(to) ? [[path, '<', to]] : [])]
}
