import { createZone, wallTime, wallToInstant, type Zone } from '../../../../../kernel/domain/zone.ts'
import { currentLocale } from '../../core/format.ts'

/**
 * Times on a calendar are wall times: what the user's clock shows, in milliseconds as if it ran in UTC. Adding a day to one is adding
 * 24 hours, also where summer time begins. `YYYY-MM-DD` is midnight.
 */
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

let zone: Zone | null = null

const userZone = (): Zone => {
  const name = currentLocale().zone
  if (zone?.name !== name) zone = createZone(name)
  return zone
}

export const instantToWall = (instant: string): number => wallTime(userZone(), Date.parse(instant))

export const wallToIso = (wall: number): string => new Date(wallToInstant(userZone(), wall)).toISOString()

/** What the user's clock shows now. */
export const wallNow = (): number => wallTime(userZone(), Date.now())

export const floorDay = (wall: number): number => Math.floor(wall / DAY) * DAY
export const ceilDay = (wall: number): number => Math.ceil(wall / DAY) * DAY
