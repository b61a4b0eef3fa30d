import { dayToWall, wallToDay } from '../../../../../kernel/domain/zone.ts'
import type { WireField } from '../../../../../kernel/view/wire.ts'
import type { Values } from '../../store/records.ts'
import { ceilDay, DAY, floorDay, HOUR, instantToWall, MINUTE, wallToIso } from './wall.ts'

/** Which fields say when a record happens. */
export interface SpanFields {
  readonly start: WireField
  readonly stop: WireField | null
  /** A boolean: the times of the record do not matter, only its days. */
  readonly allDay: WireField | null
}

/** When a record happens, in wall time; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly isAllDay: boolean
}

/** Null for a record without a start. A last day belongs to the span; without an end, a day or an hour is assumed. */
export function readSpan(values: Values, { start, stop, allDay }: SpanFields): Span | null {
  const from = readWall(start, values[start.name])
  if (from === null) return null
  const until = stop ? readWall(stop, values[stop.name]) : null
  const isLastDay = stop?.type === 'date'
  if (start.type === 'date' || (allDay !== null && values[allDay.name] === true)) {
    const first = floorDay(from)
    const end = until === null ? 0 : isLastDay ? until + DAY : ceilDay(until)
    return { start: first, end: Math.max(end, first + DAY), isAllDay: true }
  }
  const end = until === null ? from + HOUR : isLastDay ? until + DAY : until
  return { start: from, end: Math.max(end, from + MINUTE), isAllDay: false }
}

function readWall(field: WireField, value: unknown): number | null {
  if (typeof value !== 'string') return null
  const wall = field.type === 'date' ? dayToWall(value) : instantToWall(value)
  return Number.isNaN(wall) ? null : wall
}

/** The values that put a record there. An end that the record does not have is only written if the span was resized. */
export function writeSpan(span: Span, { start, stop, allDay }: SpanFields, before: Values, isResized = false): Values {
  const hasStop = stop !== null && (isResized || (before[stop.name] ?? null) !== null)
  const isSwitched = allDay !== null && (before[allDay.name] === true) !== span.isAllDay
  return {
    [start.name]: writeWall(start, span.start),
    ...(hasStop && { [stop.name]: writeWall(stop, stop.type === 'date' ? span.end - 1 : span.end) }),
    ...(isSwitched && { [allDay.name]: span.isAllDay }),
  }
}

const writeWall = (field: WireField, wall: number): string =>
  field.type === 'date' ? wallToDay(wall) : wallToIso(wall)

export const sameSpan = (a: Span | null, b: Span | null): boolean =>
  a?.start === b?.start && a?.end === b?.end && a?.isAllDay === b?.isAllDay

export const shiftSpan = (span: Span, by: number): Span => ({ ...span, start: span.start + by, end: span.end + by })
