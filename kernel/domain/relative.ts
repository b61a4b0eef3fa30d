import { canonicalInstant, isCalendarDate } from '../model/fields/date.ts'
import { addDays, addMonths, localDay, type Zone } from './zone.ts'

/** A date or time in a domain: a whole day, or an instant in canonical UTC form. */
export type Moment =
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'instant'; readonly instant: string; readonly isWord: boolean }

const OFFSET = /^([+-]\d{1,5})([dwmyh])$/
const HOUR = 3_600_000

/** By unit: the day that is `count` units from today. */
const STEPS: Readonly<Record<string, (today: string, count: number) => string>> = {
  d: addDays,
  w: (today, count) => addDays(today, count * 7),
  m: addMonths,
  y: (today, count) => addMonths(today, count * 12),
}

/** A date, an instant, `today`, `now`, or an offset like `-7d` (d w m y from today, h from now); null: none of these. */
export function parseMoment(text: string, now: Date, zone: () => Zone): Moment | null {
  if (isCalendarDate(text)) return { kind: 'day', day: text }
  if (text === 'now') return word(now.getTime())
  if (text === 'today') return { kind: 'day', day: localDay(zone(), now.getTime()) }
  const [, count, unit] = OFFSET.exec(text) ?? []
  if (unit === 'h') return word(now.getTime() + Number(count) * HOUR)
  if (unit !== undefined) {
    const day = STEPS[unit]!(localDay(zone(), now.getTime()), Number(count))
    return isCalendarDate(day) ? { kind: 'day', day } : null
  }
  const instant = canonicalInstant(text)
  return instant === null ? null : { kind: 'instant', instant, isWord: false }
}

const word = (time: number): Moment => ({ kind: 'instant', instant: new Date(time).toISOString(), isWord: true })
