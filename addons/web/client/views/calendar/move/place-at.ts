import { dayToWall } from '../../../../../../kernel/domain/zone.ts'
import type { Span } from '../../plan/span.ts'
import { DAY, HOUR, MINUTE } from '../../plan/wall.ts'
import type { CalendarArch } from '../model/arch.ts'
import { lastDay } from '../model/lanes.ts'

/** A point of the grid: a day, or a time of it. */
export interface GridPlace {
  readonly wall: number
  readonly hasTime: boolean
}

export const SNAP = 15 * MINUTE

/** The place at a point. Cells are found by their boxes, since bars extend beyond the cell they begin in. */
export function placeAt(root: HTMLElement, x: number, y: number): GridPlace | null {
  for (const cell of root.querySelectorAll<HTMLElement>('[data-day]')) {
    const { left, right, top, bottom, height } = cell.getBoundingClientRect()
    if (x < left || x >= right || y < top || y >= bottom) continue
    const wall = dayToWall(cell.dataset['day'] ?? '')
    const hasTime = cell.dataset['hours'] !== undefined
    return { wall: hasTime ? wall + snap(((y - top) / height) * DAY) : wall, hasTime }
  }
  return null
}

const snap = (ms: number): number => Math.floor(ms / SNAP) * SNAP

/** The span of a record that was grabbed at one place and dragged to another. */
export function movedSpan(arch: CalendarArch, span: Span, from: GridPlace, to: GridPlace): Span {
  if (from.hasTime === to.hasTime) return moveBy(span, to.wall - from.wall)
  // Between whole days and hours a record can only move if a field stores whether it takes whole days.
  const days = Math.floor(to.wall / DAY) - Math.floor(from.wall / DAY)
  if (!arch.span?.allDay) return moveBy(span, days * DAY)
  return to.hasTime
    ? { start: to.wall, end: to.wall + HOUR, isAllDay: false }
    : { start: to.wall, end: to.wall + DAY, isAllDay: true }
}

const moveBy = (span: Span, by: number): Span => ({ ...span, start: span.start + by, end: span.end + by })

/** The span after its end was dragged to a place: a time, or a day, which keeps the time of the end. */
export function resizedSpan(span: Span, to: GridPlace): Span {
  if (to.hasTime) return { ...span, end: Math.max(to.wall + SNAP, span.start + SNAP) }
  const end = span.end + to.wall - lastDay(span)
  return { ...span, end: end > span.start ? end : span.end }
}

/** The span of a new record between two places. Days of records with times begin at nine, unless a field marks them as whole days. */
export function newSpan(arch: CalendarArch, from: GridPlace, to: GridPlace): Span {
  const [first, last] = from.wall <= to.wall ? [from, to] : [to, from]
  const hasTimes = arch.span?.start.type === 'datetime'
  if (first.hasTime && hasTimes) {
    return { start: first.wall, end: from.wall === to.wall ? first.wall + HOUR : last.wall + SNAP, isAllDay: false }
  }
  if (!hasTimes || arch.span?.allDay) return { start: first.wall, end: last.wall + DAY, isAllDay: true }
  const start = first.wall + 9 * HOUR
  return { start, end: first.wall === last.wall ? start + HOUR : last.wall + 17 * HOUR, isAllDay: false }
}
