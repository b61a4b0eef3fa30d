import { t } from '../../core/i18n.ts'
import { dayName, formatClock } from './periods.ts'
import type { Span } from './span.ts'
import { DAY, floorDay } from './wall.ts'

/** A span in words: “17 Nov”, “17 Nov to 19 Nov”, “17 Nov, 09:00 to 10:00”. */
export function spanText({ start, end, isAllDay }: Span): string {
  const last = floorDay(end - 1)
  const isOneDay = last === floorDay(start)
  const from = dayName(start, 'short')
  if (isAllDay) return isOneDay ? from : t('{from} to {to}', { from, to: dayName(last, 'short') })
  const begin = `${from}, ${formatClock(start)}`
  // Until midnight is still the same day.
  const until =
    isOneDay && end < floorDay(start) + DAY ? formatClock(end) : `${dayName(end, 'short')}, ${formatClock(end)}`
  return t('{from} to {to}', { from: begin, to: until })
}
