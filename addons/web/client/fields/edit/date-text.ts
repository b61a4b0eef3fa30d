import {
  addDays,
  addMonths,
  createZone,
  dayToWall,
  UTC,
  wallTime,
  wallToDay,
  wallToInstant,
  type Zone,
} from '../../../../../kernel/domain/zone.ts'
import { currentLocale } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { parseDate, westernDigits } from '../../core/parse.ts'
import { parseNamedDate } from './named-date.ts'

/**
 * Parses typed dates and times. `today` is an argument and the zone comes from the user's locale; nothing here reads
 * the clock.
 */

let zone: Zone = UTC

/** The user's time zone. Cached, because creating one takes 30 µs. */
export function userZone(): Zone {
  const { zone: name } = currentLocale()
  if (zone.name !== name) zone = createZone(name)
  return zone
}

const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7 }

/** Parses `today`, `now`, `+3d`, `-2w`, `+1m`, `+1y`, or a date in the user's format; null if it is not a date. */
export function parseDay(text: string, today: string): string | null {
  const word = text.trim().toLowerCase()
  const named = [t('yesterday'), t('today'), t('tomorrow')].findIndex((name) => name.toLowerCase() === word)
  if (named >= 0) return addDays(today, named - 1)
  if (isNow(text)) return today
  const step = /^([+-]\d{1,4})\s*([dwmy]?)$/.exec(word)
  if (!step) return parseDate(text, today) ?? parseNamedDate(text, today)
  const [, count = '0', unit = ''] = step
  const days = DAYS[unit === '' ? 'd' : unit]
  return days === undefined
    ? addMonths(today, Number(count) * (unit === 'y' ? 12 : 1))
    : addDays(today, Number(count) * days)
}

export const isNow = (text: string): boolean => text.trim().toLowerCase() === t('now').toLowerCase()

/** Parses `14:30`, `2:30 pm` or `9` into minutes of the day. */
export function parseTime(text: string): number | null {
  const match = /^(\d{1,2})(?:[:.h](\d{2})?)?\s*([ap])?\.?m?\.?$/i.exec(text.trim())
  if (!match) return null
  const half = match[3]?.toLowerCase()
  const hour = Number(match[1])
  const minute = Number(match[2] ?? '0')
  if (minute > 59 || hour > (half ? 12 : 23) || (half && hour === 0)) return null
  return ((half ? hour % 12 : hour) + (half === 'p' ? 12 : 0)) * 60 + minute
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/i

/**
 * Parses a date and time in the user's time zone, or in the zone it contains, into an instant. Without a time, the time
 * of `before` is kept, or midnight.
 */
export function parseMoment(text: string, today: string, before: string | null): string | null {
  const trimmed = westernDigits(text).trim()
  const iso = ISO.exec(trimmed)
  if (iso) {
    // Without a zone it is in the user's; seconds are dropped.
    return iso[1] === undefined ? fromLocalInput(trimmed.slice(0, 16)) : toIso(Date.parse(trimmed))
  }
  const cut = /[\s,T]+(?=\d{1,2}(?:[:.h]\d{0,2})?\s*(?:[ap]\.?m\.?)?$)/i.exec(trimmed)
  const whole = parseDay(trimmed, today)
  if (whole !== null || cut === null) {
    return whole === null ? null : toInstant(whole, before === null ? 0 : minutesOf(before))
  }
  const day = parseDay(trimmed.slice(0, cut.index), today)
  const minutes = parseTime(trimmed.slice(cut.index + cut[0].length))
  return day === null || minutes === null ? null : toInstant(day, minutes)
}

const MINUTE = 60_000

const toIso = (ms: number): string | null => (Number.isNaN(ms) ? null : new Date(ms).toISOString())

const toInstant = (day: string, minutes: number): string =>
  new Date(wallToInstant(userZone(), dayToWall(day) + minutes * MINUTE)).toISOString()

const minutesOf = (instant: string): number => {
  const wall = wallTime(userZone(), Date.parse(instant))
  return Math.floor((wall - dayToWall(wallToDay(wall))) / MINUTE)
}

/** The wall time in the user's zone, for `<input type="datetime-local">`. */
export const toLocalInput = (instant: string): string =>
  new Date(wallTime(userZone(), Date.parse(instant))).toISOString().slice(0, 16)

export function fromLocalInput(text: string): string | null {
  const [day, time] = text.split('T')
  const minutes = time === undefined ? null : parseTime(time.slice(0, 5))
  return day === undefined || minutes === null || parseDate(day, day) === null ? null : toInstant(day, minutes)
}
