import { addMonths, dayToWall, weekStart as startOfWeek, wallToDay } from '../../../../../kernel/domain/zone.ts'
import { currentLocale, formatDate } from '../../core/format.ts'
import { weekStart } from '../shared/week-start.ts'
import { DAY } from './wall.ts'

/** Units of calendars; weeks begin as those of grouped dates do. */
export type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year'

const MONTHS: Readonly<Partial<Record<Unit, number>>> = { month: 1, quarter: 3, year: 12 }

/** Midnight of the first day of the unit. */
export function startOf(unit: Unit, wall: number): number {
  const day = wallToDay(wall)
  if (unit === 'day') return dayToWall(day)
  if (unit === 'week') return dayToWall(startOfWeek(day, weekStart()))
  const months = MONTHS[unit] ?? 1
  const month = Number(day.slice(5, 7)) - 1
  return dayToWall(addMonths(`${day.slice(0, 7)}-01`, -(month % months)))
}

export function addUnits(unit: Unit, wall: number, count: number): number {
  if (unit === 'day') return wall + count * DAY
  if (unit === 'week') return wall + count * 7 * DAY
  const day = wallToDay(wall)
  return dayToWall(addMonths(day, count * (MONTHS[unit] ?? 1))) + (wall - dayToWall(day))
}

/** The beginnings of the units that touch a period. */
export function unitsIn(unit: Unit, from: number, to: number): readonly number[] {
  const found: number[] = []
  for (let at = startOf(unit, from); at < to; at = addUnits(unit, at, 1)) found.push(at)
  return found
}

export const isWeekend = (wall: number): boolean => [0, 6].includes(new Date(wall).getUTCDay())

/** Number of the ISO week that most days of the user's week are in, which may begin on another day. */
export function weekNumber(wall: number): number {
  const middle = startOf('week', wall) + 3 * DAY
  const thursday = dayToWall(startOfWeek(wallToDay(middle))) + 3 * DAY
  return Math.floor((thursday - startOf('year', thursday)) / (7 * DAY)) + 1
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** A wall time in the user's language. */
export function formatWall(wall: number, options: Intl.DateTimeFormatOptions): string {
  const { tag } = currentLocale()
  const key = tag + JSON.stringify(options)
  const format = formats.get(key) ?? new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' })
  formats.set(key, format)
  return format.format(wall)
}

export const formatClock = (wall: number): string => formatWall(wall, { hour: 'numeric', minute: '2-digit' })

export const dayName = (wall: number, style: Parameters<typeof formatDate>[1] = 'weekday'): string =>
  formatDate(wallToDay(wall), style)
