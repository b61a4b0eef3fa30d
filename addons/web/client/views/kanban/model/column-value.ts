import { addMonths } from '../../../../../../kernel/domain/zone.ts'
import type { WireField } from '../../../../../../kernel/view/wire.ts'
import { dayOf, formatTime } from '../../../core/format.ts'
import { type BoardColumnSpec, recordValue } from './columns.ts'

/** The value a card gets when it is moved to a column. */
export interface ColumnValue {
  /** In wire format, for the server. */
  readonly send: unknown
  /** As shown on the card until the response arrives. */
  readonly show: unknown
}

type ColumnTarget = Pick<BoardColumnSpec, 'value' | 'label' | 'domain'>

/**
 * The value of a card in column `to`. `from` is its previous column and `current` its current value; both are null for
 * a new card.
 */
export function valueInColumn(
  field: WireField,
  item: string,
  to: ColumnTarget,
  from: ColumnTarget | null,
  current: unknown,
): ColumnValue {
  if (field.type === 'many2many') return givenLink(to, from, current)
  if (field.type !== 'date' && field.type !== 'datetime') return { send: to.value, show: recordValue(to, field) }
  const value = valueInPeriod(field, item.split(':')[1] ?? 'day', to, from, current)
  return { send: value, show: value }
}

/**
 * Replaces the link of the previous column by that of the new one and keeps all other links. The column for unset
 * values removes all links.
 */
function givenLink(to: ColumnTarget, from: ColumnTarget | null, current: unknown): ColumnValue {
  if (to.value === null) return { send: [[6, 0, []]], show: [] }
  const known: readonly unknown[] = Array.isArray(current) ? current : []
  const isKept = (id: unknown) => id !== to.value && id !== from?.value
  const isLinked = typeof from?.value === 'number'
  return {
    send: [...(isLinked ? [[3, from.value]] : []), [4, to.value]],
    show: [...known.filter(isKept), to.value],
  }
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Periods measured in months; the others are measured in days. */
const MONTHLY: ReadonlySet<string> = new Set(['month', 'quarter', 'year'])

/**
 * Moves a date into another period, keeping its position and time. Without a current date it is the start of the
 * period.
 */
function valueInPeriod(
  field: WireField,
  size: string,
  to: ColumnTarget,
  from: ColumnTarget | null,
  current: unknown,
): unknown {
  if (typeof to.value !== 'string') return null
  const isInstant = field.type === 'datetime'
  if (typeof current !== 'string' || typeof from?.value !== 'string') return isInstant ? startOf(field, to) : to.value
  const day = isInstant ? dayOf(current) : current
  const moved = MONTHLY.has(size)
    ? addMonths(day, monthsBetween(from.value, to.value))
    : shift(day, from.value, to.value)
  return isInstant ? atSameTime(current, (Date.parse(moved) - Date.parse(day)) / DAY_MS) : moved
}

const startOf = ({ name }: WireField, { domain }: ColumnTarget): unknown =>
  domain.find((leaf) => Array.isArray(leaf) && leaf[0] === name && leaf[1] === '>=')?.[2 as never] ?? null

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

const shift = (day: string, from: string, to: string): string =>
  toDay(Date.parse(day) + Date.parse(to) - Date.parse(from))

const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
const monthsBetween = (from: string, to: string): number => monthOf(to) - monthOf(from)

/** Adds days and keeps the time of day, also across a change of daylight saving time. */
function atSameTime(instant: string, days: number): string {
  const moved = [0, HOUR_MS, -HOUR_MS].map((ms) => new Date(Date.parse(instant) + days * DAY_MS + ms).toISOString())
  return moved.find((each) => formatTime(each) === formatTime(instant)) ?? moved[0]!
}
