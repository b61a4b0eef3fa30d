import { type Env, readSetting } from '#kernel'
import { leastMinutes, roundingMinutes } from '../settings/entered-minutes.ts'

/** Hours have two decimals, so a third of an hour is some seconds more than 20 minutes; these must not count as the next step. */
const TOLERANCE_MINUTES = 0.3

/** The rounding of entered hours by the settings of the app; null: they stay as they are. */
export async function hoursRule(env: Env): Promise<((hours: number) => number) | null> {
  const step = await readSetting(env, roundingMinutes)
  const least = await readSetting(env, leastMinutes)
  return step === null && least === null ? null : (hours) => enteredHours(hours, step ?? 0, least ?? 0)
}

/** Rounds entered hours; hours that no day can have are returned unchanged, since a check refuses them. */
export function enteredHours(hours: number, step: number, least: number): number {
  if (hours <= 0 || hours > 24) return hours
  const minutes = Math.max(hours * 60, least)
  const steps = step === 0 ? minutes : Math.ceil((minutes - TOLERANCE_MINUTES) / step) * step
  return Math.min(24, Math.round((Math.max(steps, least) / 60) * 100) / 100)
}
