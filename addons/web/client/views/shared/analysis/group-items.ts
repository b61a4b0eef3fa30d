import type { WireField, WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { elementsOf } from '../../../core/arch.ts'
import { formatDatetime } from '../../../core/format.ts'
import { granularityLabel } from '../../../search/query/facets.ts'
import { splitGroupItem } from '../../../store/group.ts'
import type { GroupedRow } from '../../../store/queries.ts'
import { groupLabel } from '../../group-label.ts'
import { INTERVALS, type Interval } from './intervals.ts'

/** The items that elements of the arch group by, `date_order:month`; `type` is their attribute, none for a graph's. */
export const archItems = ({ arch }: WireWorkspace, type?: string): readonly string[] =>
  elementsOf(arch.root).flatMap(({ tag, attrs }) => {
    const { name, interval } = attrs
    if (tag !== 'field' || name === undefined || attrs['type'] !== type) return []
    return [interval === undefined ? withInterval(name, arch.fields) : `${name}:${interval}`]
  })

/** A date without an interval is grouped by month. */
export function withInterval(item: string, fields: readonly WireField[]): string {
  const { field, granularity } = splitGroupItem(item, fields)
  return isDay(field) && granularity === null ? `${item}:month` : item
}

export const isDay = (field: WireField | undefined): boolean => field?.type === 'date' || field?.type === 'datetime'

/** The interval of an item; null if it is no date. */
export const intervalOf = (item: string): Interval | null => INTERVALS.find((each) => item.endsWith(`:${each}`)) ?? null

/** Items without repetitions. */
export const distinctItems = (items: readonly string[]): readonly string[] => [...new Set(items)]

/** How the value of an item is written. */
export function itemLabel(row: GroupedRow, item: string, fields: readonly WireField[]): string {
  const key = row[item] ?? null
  const [value, name] = Array.isArray(key) ? [key[0], key[1] === null ? `#${key[0]}` : String(key[1])] : [key, null]
  if (typeof value === 'string' && item.endsWith(':hour')) return formatDatetime(value)
  return groupLabel({ item, value, name, range: row.__range?.[item] ?? null }, fields)
}

/** Tells values of an item apart. */
export function itemKey(row: GroupedRow, item: string): string {
  const key = row[item] ?? null
  return JSON.stringify(Array.isArray(key) ? key[0] : key)
}

/** What an item is called in a heading: the field, for a date the interval. */
export function itemTitle(item: string, fields: readonly WireField[]): string {
  const { field, granularity } = splitGroupItem(item, fields)
  return granularity === null ? (field?.label ?? item) : granularityLabel(granularity)
}
