import type { WireField, WireFilter, WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import type { Route } from '../../router/codec.ts'
import type { IconName } from '../../ui/icon-names.ts'
import { defaultWanted, type SearchChanges, searchChanges } from './change-search.ts'
import { groupByKey } from './group-by-key.ts'
import { periodLabel, splitPeriod } from './periods.ts'
import { activeFilters, searchOf } from './search-model.ts'
import type { Wanted } from './search-state.ts'

/** A part of the search as the search bar shows it. */
export interface Facet {
  readonly key: string
  readonly icon: IconName
  /** What it filters by; null if the values make that clear. */
  readonly label: string | null
  /** Filter values are combined with "or"; groupings are nested. */
  readonly values: readonly string[]
  readonly isGroup?: true
  /** The route without this facet. */
  without(): Route
}

/** All facets of the current search, in display order. */
export function facetsOf(workspace: WireWorkspace, route: Route, groupFallback = ''): readonly Facet[] {
  const changes = searchChanges(workspace, route, groupFallback)
  const { state, groupBy } = searchOf(workspace, route)
  const names = activeFilters(workspace, route.params.filter)
  const { q } = route.params
  const by = route.params.filter === undefined ? [...defaultWanted(workspace.search), ...state.by] : state.by
  const groups = groupBy(groupFallback)
  return [
    ...filterFacets(workspace, names, changes),
    ...wantedFacets(by, 'by', (name) => labelOf(workspace, name), changes),
    ...wantedFacets(state.panel, 'panel', (name) => labelOf(workspace, name), changes),
    ...state.where.map(
      ({ label }, index): Facet => ({
        key: `where${index}`,
        icon: 'filter',
        label: null,
        values: [label],
        without: () => changes.change({}, { where: state.where.toSpliced(index, 1) }),
      }),
    ),
    ...(q === undefined
      ? []
      : [{ key: 'q', icon: 'search', label: null, values: [q], without: () => changes.findText('') } as const]),
    ...(groups.length === 0 ? [] : [groupFacet(workspace, groups, names, changes)]),
  ]
}

function filterFacets(workspace: WireWorkspace, names: readonly string[], changes: SearchChanges): readonly Facet[] {
  const active = names.flatMap((text) => {
    const [name, period] = splitPeriod(text)
    const filter = workspace.search.filters.find((each) => each.name === name)
    return filter === undefined || isGrouping(filter) ? [] : [{ text, filter, period }]
  })
  const sets = groupByKey(active, ({ filter }) => `${filter.set}${filter.date === undefined ? '' : filter.name}`)
  return [...sets].map(([key, members]): Facet => {
    const [{ filter }] = members
    const gone = new Set(members.map(({ text }) => text))
    return {
      key: `filter${key}`,
      icon: filter.date === undefined ? 'list-filter' : 'calendar',
      label: filter.date === undefined ? null : filter.label,
      values: members.map((each) => (each.filter.date === undefined ? each.filter.label : periodLabel(each.period))),
      without: () => changes.change({ filter: names.filter((text) => !gone.has(text)) }, {}),
    }
  })
}

/** Whether a filter only groups and does not filter records. */
export const isGrouping = ({ domain, date, groupBy }: WireFilter): boolean =>
  groupBy !== undefined && domain === undefined && date === undefined

function wantedFacets(
  wanted: readonly Wanted[],
  part: 'by' | 'panel',
  labelFor: (field: string) => string,
  changes: SearchChanges,
): readonly Facet[] {
  return [...groupByKey(wanted, ({ field }) => field)].map(([field, members]) => ({
    key: `${part}-${field}`,
    icon: part === 'by' ? 'search' : 'list-filter',
    label: labelFor(field),
    values: members.map(({ label }) => (label === '' ? t('Not set') : label)),
    without: () => changes.change({}, { [part]: wanted.filter((each) => each.field !== field) }),
  }))
}

function groupFacet(
  workspace: WireWorkspace,
  groups: readonly string[],
  names: readonly string[],
  changes: SearchChanges,
): Facet {
  const grouping = new Set(workspace.search.filters.filter(isGrouping).map(({ name }) => name))
  return {
    key: 'group',
    icon: 'rows-3',
    label: t('Group'),
    values: groups.map((item) => groupItemLabel(workspace, item)),
    isGroup: true,
    without: () => changes.change({ filter: names.filter((name) => !grouping.has(name)) }, { group: [] }),
  }
}

/** Label of a grouping such as `date_order:month`. */
export function groupItemLabel(workspace: WireWorkspace, item: string): string {
  const filter = workspace.search.filters.find(({ groupBy }) => groupBy === item)
  if (filter !== undefined) return filter.label
  const [name, granularity] = splitPeriod(item)
  const label = labelOf(workspace, name)
  return granularity === '' ? label : t('{field} by {period}', { field: label, period: granularityLabel(granularity) })
}

export function granularityLabel(name: string): string {
  switch (name) {
    case 'year':
      return t('year')
    case 'quarter':
      return t('quarter')
    case 'week':
      return t('week')
    case 'day':
      return t('day')
    default:
      return t('month')
  }
}

function labelOf({ search, arch }: WireWorkspace, name: string): string {
  const named: readonly (Pick<WireField, 'name' | 'label'> | { readonly name: string; readonly label: string })[] = [
    ...search.fields,
    ...search.panel.map(({ field, label }) => ({ name: field, label })),
    ...arch.fields,
    ...search.grouped,
  ]
  return named.find((each) => each.name === name)?.label ?? name
}
