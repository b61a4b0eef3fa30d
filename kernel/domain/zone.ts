/**
 * Time zone arithmetic with `Intl` alone, so that server, worker and browser agree. Instants and wall times are
 * milliseconds; a wall time counts as if its clock ran in UTC. Days are `YYYY-MM-DD`.
 */
export interface Zone {
  readonly name: string
  /** Milliseconds the zone's clock is ahead of UTC at an instant. */
  offsetAt(instant: number): number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** IANA names only: PostgreSQL reads `+02:00` and `GMT+2` with the sign the other way round. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_]*([/+-][A-Za-z0-9_]+)*$/
const OFFSET = /GMT(?:([+-])(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

export function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string' || name.length > 64 || !ZONE_NAME.test(name)) return false
  try {
    offsetFormat(name)
    return true
  } catch {
    return false
  }
}

/** Reuse the value: creating its formatter takes about 30 µs, a lookup about 2 µs. */
export function createZone(name: string): Zone {
  if (name === 'UTC') return UTC
  const format = offsetFormat(name)
  return Object.freeze({ name, offsetAt: (instant: number) => parseOffset(format.format(instant)) })
}

export const UTC: Zone = Object.freeze({ name: 'UTC', offsetAt: () => 0 })

const offsetFormat = (timeZone: string) => new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })

/** The text ends in `GMT`, `GMT+05:45` or, before standard time, `GMT-03:06:28`. */
function parseOffset(text: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = OFFSET.exec(text) ?? []
  const size = Number(hours) * HOUR + Number(minutes) * 60_000 + Number(seconds) * 1_000
  return sign === '-' ? -size : size
}

/** The local time of the zone at an instant. */
export const wallTime = (zone: Zone, instant: number): number => instant + zone.offsetAt(instant)

/**
 * The instant at which the zone's clock shows `wall`: its first or its last one where an hour repeats; where the clock skips
 * `wall`, the moment it jumps. So a later `wall` never gives an earlier instant.
 */
export function wallToInstant(zone: Zone, wall: number, which: 'first' | 'last' = 'first'): number {
  const before = zone.offsetAt(wall - DAY)
  const after = zone.offsetAt(wall + DAY)
  if (before === after) return wall - before
  const candidates = [wall - before, wall - after].filter((instant) => wallTime(zone, instant) === wall)
  if (candidates.length === 0) return findJump(zone, wall, wall - after, wall - before)
  return which === 'first' ? Math.min(...candidates) : Math.max(...candidates)
}

/** The first instant in `(low, high]` whose wall time is past the skipped `wall`. */
function findJump(zone: Zone, wall: number, low: number, high: number): number {
  let [before, after] = low < high ? [low, high] : [high, low]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (wallTime(zone, middle) < wall) before = middle
    else after = middle
  }
  return after
}

/** The instants of a day, `to` exclusive. A day that the zone skips is empty. */
export function dayBounds(zone: Zone, day: string): { readonly from: number; readonly to: number } {
  const midnight = dayToWall(day)
  return { from: wallToInstant(zone, midnight), to: wallToInstant(zone, midnight + DAY) }
}

export const localDay = (zone: Zone, instant: number): string => wallToDay(wallTime(zone, instant))

/** Midnight of a day as a wall time. */
export const dayToWall = (day: string): number => Date.parse(`${day}T00:00:00.000Z`)

/** The day of a wall time. Before year 1 and after 9999 the text is longer and not a valid calendar date. */
export function wallToDay(wall: number): string {
  const text = new Date(wall).toISOString()
  return text.slice(0, text.indexOf('T'))
}

export const addDays = (day: string, days: number): string => wallToDay(dayToWall(day) + days * DAY)

/** The same day of another month, or that month's last day when it is shorter. */
export function addMonths(day: string, months: number): string {
  const date = new Date(dayToWall(day))
  const dayOfMonth = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months + 1, 0)
  date.setUTCDate(Math.min(dayOfMonth, date.getUTCDate()))
  return wallToDay(date.getTime())
}

/** Monday = 1 … Sunday = 7. */
export const weekday = (wall: number): number => new Date(wall).getUTCDay() || 7

/** The first day of the week that holds `day`, in weeks that begin on `firstWeekday` (Monday = 1 … Sunday = 7). */
export const weekStart = (day: string, firstWeekday = 1): string =>
  addDays(day, -((weekday(dayToWall(day)) - firstWeekday + 7) % 7))
