import type { Placed } from '../../plan/placed.ts'
import type { Span } from '../../plan/span.ts'
import { DAY, floorDay } from '../../plan/wall.ts'

/** A record in a row of days. */
export interface InRow extends Placed {
  /** Days from the first of the row. */
  readonly first: number
  readonly days: number
  readonly lane: number
  /** Whether it begins before or ends after the row. */
  readonly isContinued: boolean
  readonly isContinuing: boolean
}

export const lastDay = ({ end }: Span): number => floorDay(end - 1)

/** Longer than a day: a bar over its days, also where it has times. */
export const isBar = (span: Span): boolean => span.isAllDay || lastDay(span) > floorDay(span.start)

/** Bars first, then by time. */
export const inOrder = (a: Placed, b: Placed): number =>
  floorDay(a.span.start) - floorDay(b.span.start) ||
  lastDay(b.span) - lastDay(a.span) ||
  Number(b.span.isAllDay) - Number(a.span.isAllDay) ||
  a.span.start - b.span.start ||
  a.id - b.id

/** Lays records out over `count` days from `from`, each in the first lane that is free on all its days. */
export function layOutRow(placed: readonly Placed[], from: number, count: number): readonly InRow[] {
  const to = from + count * DAY
  const taken: boolean[][] = []
  return placed
    .filter(({ span }) => span.start < to && span.end > from)
    .toSorted(inOrder)
    .map(({ id, span }) => {
      const first = Math.max(0, (floorDay(span.start) - from) / DAY)
      const last = Math.min(count - 1, (lastDay(span) - from) / DAY)
      const days = Array.from({ length: last - first + 1 }, (_, at) => first + at)
      let lane = taken.findIndex((lane) => days.every((day) => !lane[day]))
      if (lane < 0) lane = taken.push([]) - 1
      for (const day of days) taken[lane]![day] = true
      return {
        id,
        span,
        first,
        days: days.length,
        lane,
        isContinued: span.start < from,
        isContinuing: span.end > to,
      }
    })
}

export interface FittedRow {
  readonly shown: readonly InRow[]
  /** Per day, how many records have no room. */
  readonly hidden: readonly number[]
}

/** The records that fit into `lanes` lanes; on a day with more, the last lane shows how many are hidden. */
export function fitRow(row: readonly InRow[], count: number, lanes: number): FittedRow {
  const touches = ({ first, days }: InRow, day: number) => first <= day && day < first + days
  const everyDay = Array.from({ length: count }, (_, day) => day)
  const isFull = everyDay.map((day) => row.some((item) => item.lane >= lanes && touches(item, day)))
  const fits = (item: InRow) =>
    item.lane < lanes - 1 || (item.lane < lanes && !everyDay.some((day) => isFull[day] && touches(item, day)))
  const rest = row.filter((item) => !fits(item))
  return {
    shown: row.filter(fits),
    hidden: everyDay.map((day) => rest.filter((item) => touches(item, day)).length),
  }
}

/** A record, or the part of it on one day, beside those at the same time. */
export interface InColumn extends Placed {
  readonly from: number
  readonly to: number
  readonly column: number
  readonly columns: number
}

/** Shortest height of a record, so that its name can be read. */
const MIN_LENGTH = 30 * 60_000

/** Lays the timed records of one day out: those that overlap share its width. */
export function layOutDay(placed: readonly Placed[], day: number): readonly InColumn[] {
  const parts = placed
    .filter(({ span }) => span.start < day + DAY && span.end > day)
    .map(({ id, span }) => ({ id, span, from: Math.max(span.start, day), to: Math.min(span.end, day + DAY) }))
    .toSorted((a, b) => a.from - b.from || b.to - a.to || a.id - b.id)
  const done: InColumn[] = []
  let cluster: { part: (typeof parts)[number]; column: number }[] = []
  let ends: number[] = []
  const flush = () => {
    for (const { part, column } of cluster) done.push({ ...part, column, columns: ends.length })
    cluster = []
    ends = []
  }
  for (const part of parts) {
    if (ends.every((end) => end <= part.from)) flush()
    let column = ends.findIndex((end) => end <= part.from)
    if (column < 0) column = ends.length
    ends[column] = Math.max(part.to, part.from + MIN_LENGTH)
    cluster.push({ part, column })
  }
  flush()
  return done
}
