import { DIRECT, orNull } from './direct.ts'
import type { Optional, Readable } from './field.ts'
import { type FieldDef, type FieldOptions, type FieldType, type Measure, Refusal } from './field.ts'

const DATE = /^\d{4}-\d{2}-\d{2}$/
const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/
const MEASURES: readonly Measure[] = ['min', 'max', 'count', 'count_distinct']

/** Whether the text is an existing date. `Date` alone would turn 31 February into March. */
export function isCalendarDate(text: string): boolean {
  if (!DATE.test(text) || text < '0001-01-01') return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/** RFC 3339 with an offset → the canonical UTC form every engine compares, or null when it is not an instant. */
export function canonicalInstant(text: string): string | null {
  const match = INSTANT.exec(text)
  if (!match || !isCalendarDate(match[1]!)) return null
  const instant = new Date(text)
  return Number.isNaN(instant.getTime()) || instant.getUTCFullYear() < 1 || instant.getUTCFullYear() > 9999
    ? null
    : instant.toISOString()
}

export const dateType: FieldType = {
  ...DIRECT,
  name: 'date',
  comparison: 'date',
  sqlType: () => 'date',
  parse(value) {
    if (typeof value !== 'string' || !isCalendarDate(value)) throw new Refusal('Must be a date like 2026-01-31.')
    return value
  },
  measures: MEASURES,
  widget: 'date',
  schema: (field) => orNull(field, { type: 'string', format: 'date' }),
}

export const datetimeType: FieldType = {
  ...DIRECT,
  name: 'datetime',
  comparison: 'datetime',
  sqlType: () => 'timestamptz(3)',
  parse(value) {
    const instant = typeof value === 'string' ? canonicalInstant(value) : null
    if (instant === null) throw new Refusal('Must be a time like 2026-01-31T12:00:00Z.')
    return instant
  },
  measures: MEASURES,
  widget: 'datetime',
  schema: (field) => orNull(field, { type: 'string', format: 'date-time' }),
}

/** A calendar day without time or zone. */
export const date = <const O extends FieldOptions<string | null>>(
  options?: O,
): FieldDef<Readable<O, string>, Optional<O, string>> => ({ type: 'date', options: options ?? {} })

/** An instant, to the millisecond, in UTC. */
export const datetime = <const O extends FieldOptions<string | null>>(
  options?: O,
): FieldDef<Readable<O, string>, Optional<O, string>> => ({ type: 'datetime', options: options ?? {} })
