import { LIMITS } from '../limits.ts'
import type { Field } from '../model/fields/field.ts'
import type { DatePart } from '../model/models.ts'
import { type DomainNode, type Inequality, isInequality, or, type Span } from './ast.ts'
import { compare, isOneOf, nothing, orUnset, parsePlain, readInteger, readList, unsupported } from './operand.ts'
import { type Leaf, refuseValue } from './parsing.ts'
import { type Moment, parseMoment } from './relative.ts'
import { dayBounds, localDay } from './zone.ts'

const DATE_PARTS: readonly DatePart[] = ['year', 'quarter', 'month', 'week', 'day', 'weekday']
const PARTS: Readonly<Partial<Record<string, readonly DatePart[]>>> = {
  date: DATE_PARTS,
  datetime: [...DATE_PARTS, 'hour'],
}

/** The part of a date that the rest of a path names, null when it names none. */
export function partOf(field: Field, rest: readonly string[]): DatePart | null {
  return (rest.length === 1 && PARTS[field.type.comparison]?.find((part) => part === rest[0])) || null
}

export const parsePart = (leaf: Leaf, part: DatePart): DomainNode => parsePlain(leaf, orUnset(readInteger), part)

const readMoment = (leaf: Leaf, value: unknown, index?: number): Moment => {
  const { now, zone } = leaf.parsing
  const moment = typeof value === 'string' ? parseMoment(value, now, zone) : null
  return moment ?? refuseValue(leaf, `expected ${EXPECTED[leaf.field.type.comparison]}, "today", "now" or "-7d"`, index)
}

const EXPECTED: Readonly<Partial<Record<string, string>>> = {
  date: 'a date like 2026-01-31',
  datetime: 'a time like 2026-01-31T12:00:00Z, a date',
}

/** A day. `now` means today; an instant is refused. */
const readDay = (leaf: Leaf, value: unknown, index?: number): string => {
  const moment = readMoment(leaf, value, index)
  if (moment.kind === 'day') return moment.day
  if (!moment.isWord) return refuseValue(leaf, `expected ${EXPECTED['date']}`, index)
  return localDay(leaf.parsing.zone(), Date.parse(moment.instant))
}

export const parseDate = (leaf: Leaf): DomainNode => parsePlain(leaf, orUnset(readDay))

/** A day compared with a datetime means the whole day in the caller's time zone. */
export function parseDatetime(leaf: Leaf): DomainNode {
  const read = (value: unknown, index?: number) => {
    const isNull = value === null || value === false
    return isNull ? null : readMoment(leaf, value, index)
  }
  if (leaf.operator === '=') return equalsOneOf(leaf, [read(leaf.value)])
  if (leaf.operator === 'in') return equalsOneOf(leaf, readList(leaf).map(read))
  if (!isInequality(leaf.operator)) return unsupported(leaf)
  const moment = read(leaf.value)
  if (moment === null) return nothing(leaf)
  if (moment.kind === 'instant') return compare(leaf, leaf.operator, moment.instant)
  return BESIDE_DAY[leaf.operator](leaf, dayBounds(leaf.parsing.zone(), moment.day))
}

function equalsOneOf(leaf: Leaf, moments: readonly (Moment | null)[]): DomainNode {
  const exact = moments.flatMap((moment) =>
    moment === null ? [null] : moment.kind === 'instant' ? [moment.instant] : [],
  )
  const days = moments.flatMap((moment) => (moment?.kind === 'day' ? [moment.day] : []))
  const items: DomainNode[] = days.length > 0 ? [withinDays(leaf, days)] : []
  if (exact.length === 1) items.push(compare(leaf, '=', exact[0] ?? null))
  else if (exact.length > 1 || items.length === 0) items.push(isOneOf(leaf, exact))
  return or(items)
}

/**
 * Computing the bounds of a day takes about 12 µs, so the days of a whole domain have the same limit as the values of one
 * list.
 */
function withinDays(leaf: Leaf, days: readonly string[]): DomainNode {
  const { parsing, model, field } = leaf
  parsing.used.days += days.length
  if (parsing.used.days > LIMITS.domainValues) return refuseValue(leaf, `more than ${LIMITS.domainValues} days in all`)
  const spans = days.map((day) => spanOf(dayBounds(parsing.zone(), day)))
  return { kind: 'compare', model: model.name, field, part: null, operator: 'within', value: spans }
}

interface Bounds {
  readonly from: number
  readonly to: number
}

const BESIDE_DAY: Readonly<Record<Inequality, (leaf: Leaf, day: Bounds) => DomainNode>> = {
  '<': (leaf, day) => before(leaf, day.from),
  '<=': (leaf, day) => before(leaf, day.to),
  '>': (leaf, day) => from(leaf, day.to),
  '>=': (leaf, day) => from(leaf, day.from),
}

/** The range of datetimes. The first and the last day may exceed it in time zones other than UTC. */
const FIRST = Date.parse('0001-01-01T00:00:00.000Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')
const iso = (instant: number) => new Date(instant).toISOString()

const spanOf = (day: Bounds): Span => ({
  from: iso(Math.max(day.from, FIRST)),
  to: day.to > LAST ? null : iso(Math.max(day.to, FIRST)),
})

const from = (leaf: Leaf, instant: number): DomainNode =>
  instant > LAST ? nothing(leaf) : compare(leaf, '>=', iso(Math.max(instant, FIRST)))

const before = (leaf: Leaf, instant: number): DomainNode =>
  instant > LAST ? compare(leaf, '<=', iso(LAST)) : compare(leaf, '<', iso(Math.max(instant, FIRST)))
