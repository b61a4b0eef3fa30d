import {
  formatDate,
  formatFloat,
  formatInteger,
  type Group,
  type Route,
  splitGroupItem,
  t,
  type WireField,
  type WireWorkspace,
} from '../../sdk.ts'

/** In the fragment: a view that groups by itself is wanted without groups. */
export const UNGROUPED = 'none'

/** What rows are grouped by: the fragment, the group-by filters that are on, or what the view says. */
export function groupItems({ state }: Route, workspace: WireWorkspace, fallback: string): readonly string[] {
  if (state['group'] === UNGROUPED) return []
  if (state['group'] !== undefined) return split(state['group'])
  const active = new Set(split(workspace.listFilter))
  const named = workspace.search.filters.flatMap(({ name, groupBy }) =>
    groupBy !== undefined && active.has(name) ? [groupBy] : [],
  )
  return named.length > 0 ? named : split(fallback)
}

const split = (text: string): readonly string[] => text.split(',').flatMap((part) => part.trim() || [])

/** The heading of a group. */
export function groupLabel(group: Group, fields: readonly WireField[]): string {
  const { field, granularity } = splitGroupItem(group.item, fields)
  const { value, name, range } = group
  if (value === null || value === undefined) return t('Not set')
  if (name !== null) return name
  if (range !== null) return periodLabel(range.from.slice(0, 10), granularity)
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (field?.type === 'selection') return selectionLabel(field, value)
  if (field?.type === 'integer' && typeof value === 'number') return formatInteger(value)
  if (typeof value === 'number') return formatFloat(value)
  return field?.type === 'date' || field?.type === 'datetime'
    ? periodLabel(String(value).slice(0, 10), granularity)
    : String(value)
}

export const selectionLabel = ({ selection }: WireField, value: unknown): string =>
  selection?.find(([key]) => key === value)?.[1] ?? String(value ?? '')

function periodLabel(day: string, granularity: string | null): string {
  switch (granularity) {
    case 'year':
      return day.slice(0, 4)
    case 'quarter':
      return t('Q{quarter} {year}', { quarter: Math.ceil(Number(day.slice(5, 7)) / 3), year: day.slice(0, 4) })
    case 'week':
      return t('Week of {day}', { day: formatDate(day, 'long') })
    case 'day':
      return formatDate(day, 'long')
    default:
      return formatDate(day, 'month')
  }
}

/** Groups that are open when nobody has said otherwise: from the first on, until about a screen is full. */
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
