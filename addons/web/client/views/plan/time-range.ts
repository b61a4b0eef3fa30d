import { dayToWall, wallToDay } from '../../../../../kernel/domain/zone.ts'
import type { WireDomain, WireWindow } from '../../../../../kernel/view/wire.ts'
import type { SpanFields } from './span.ts'
import { floorDay, wallNow } from './wall.ts'

/** A period in wall time, `to` exclusive. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** Records that touch the period; one without an end counts at its start. The server reads days in the user's time zone. */
export function duringPeriod({ from, to }: TimeRange, { start, stop }: SpanFields): WireDomain {
  const [first, next] = [wallToDay(from), wallToDay(to)]
  const begins = [start.name, '>=', first]
  const before = [start.name, '<', next]
  if (!stop) return [begins, before]
  return [before, '|', [stop.name, '>=', first], '&', [stop.name, '=', null], begins]
}

/** Whether the days that came with the page cover the period. */
export const isCovered = ({ from, to }: TimeRange, window: WireWindow | undefined): boolean =>
  window !== undefined && window.from <= wallToDay(from) && wallToDay(to) <= window.to

/** The day of the fragment; today if there is none. */
export const readDay = (text: string | undefined): number =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(dayToWall(text))
    ? dayToWall(text)
    : floorDay(wallNow())
