import type { Field } from '../model/fields/field.ts'
import type { DatePart } from '../model/models.ts'
import { dayToWall, wallTime, weekday, type Zone } from './zone.ts'

const DAY = 86_400_000

/** One part of a stored date, or of a datetime in the local time of the zone. */
export function datePart(part: DatePart, value: string, field: Field, zone: Zone): number {
  const isInstant = field.type.comparison === 'datetime'
  return PARTS[part](new Date(isInstant ? wallTime(zone, Date.parse(value)) : dayToWall(value)))
}

const PARTS: Readonly<Record<DatePart, (wall: Date) => number>> = {
  // There is no year 0: PostgreSQL counts 1 BC as -1.
  year: (wall) => (wall.getUTCFullYear() > 0 ? wall.getUTCFullYear() : wall.getUTCFullYear() - 1),
  quarter: (wall) => Math.floor(wall.getUTCMonth() / 3) + 1,
  month: (wall) => wall.getUTCMonth() + 1,
  week: isoWeek,
  day: (wall) => wall.getUTCDate(),
  weekday: (wall) => weekday(wall.getTime()),
  hour: (wall) => wall.getUTCHours(),
}

/** Weeks begin on Monday; the first of a year is the one with its first Thursday. */
function isoWeek(wall: Date): number {
  const midnight = Math.floor(wall.getTime() / DAY) * DAY
  const thursday = new Date(midnight + (4 - weekday(midnight)) * DAY)
  const newYear = new Date(thursday)
  newYear.setUTCMonth(0, 1)
  return Math.floor((thursday.getTime() - newYear.getTime()) / DAY / 7) + 1
}
