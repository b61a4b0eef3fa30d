import type { WireField } from '../../../../kernel/view/wire.ts'
import { formatDate } from '../core/format.ts'
import { t } from '../core/i18n.ts'
import { findField } from '../core/registries.ts'
import { type Group, splitGroupItem } from '../store/group.ts'
import { plainRecord } from '../store/plain-record.ts'

/** The heading of a group. */
export function groupLabel(
  group: Pick<Group, 'item' | 'value' | 'name' | 'range'>,
  fields: readonly WireField[],
): string {
  const { field, granularity } = splitGroupItem(group.item, fields)
  const { value, name, range } = group
  if (value === null || value === undefined) return t('Not set')
  if (name !== null) return name
  if (range !== null) return periodLabel(String(value), granularity)
  const format = field && findField('list', field.type).format
  return format ? format(value, field, plainRecord({ model: '' }, {})) : String(value)
}

function periodLabel(day: string, granularity: string | null): string {
  const year = day.slice(0, 4)
  switch (granularity) {
    case 'year':
      return year
    case 'quarter':
      return t('Q{quarter} {year}', { quarter: Math.ceil(Number(day.slice(5, 7)) / 3), year })
    case 'week':
      return t('Week of {day}', { day: formatDate(day, 'long') })
    case 'day':
      return formatDate(day, 'long')
    default:
      return formatDate(day, 'month')
  }
}

/** The groups that are open by default: from the first on, until about a screen is full. */
export function opensAtFirst(groups: readonly Group[], screenful: number): ReadonlySet<Group> {
  const open = new Set<Group>()
  let rows = 0
  for (const group of groups) {
    if (rows >= screenful) break
    open.add(group)
    rows += group.count + 1
  }
  return open
}
