import type { WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { changeRoute, type Route, type RouteChange } from '../../router/codec.ts'
import { searchOf } from './search-model.ts'
import { readSearchState, type SearchState, type Wanted, writeSearchState } from './search-state.ts'

/** Every step of a search as another address. All of them begin again at the first page. */
export interface SearchChanges {
  toggleFilter(name: string): Route
  /** A text in any column; replaces the one before. */
  findText(text: string): Route
  want(wanted: Wanted): Route
  toggleGroup(item: string): Route
  /** Takes part of a search away, or puts it there. */
  change(params: RouteChange, state: Partial<SearchState>): Route
  /** Everything, also what the action itself switches on. */
  clear(): Route
}

export function searchChanges(workspace: WireWorkspace, route: Route, groupFallback = ''): SearchChanges {
  const state = readSearchState(route.state)
  const explicit = explicitSearch(workspace, route, state)

  const change: SearchChanges['change'] = (params, changes) => {
    const next = { ...state, by: explicit.by, favourite: null, ...changes }
    // Without a grouping of its own to give up, a view says nothing about it.
    const group = next.group?.length === 0 && groupFallback === '' ? null : next.group
    const { filter, ...others } = { filter: explicit.filter, ...params }
    // Where the action switches nothing on, no filters need not be said.
    const isSaid = filter !== undefined && (filter.length > 0 || hasDefaults(workspace))
    return changeRoute(
      route,
      { ...others, filter: isSaid ? filter : undefined, offset: undefined },
      writeSearchState({ ...next, group }),
    )
  }

  return {
    change,
    toggleFilter: (name) => change({ filter: toggle(explicit.filter, name) }, {}),
    findText: (text) => change({ q: text === '' ? undefined : text }, {}),
    want: (wanted) => change({}, { by: [...explicit.by.filter((each) => !isSame(each, wanted)), wanted] }),
    toggleGroup(item) {
      const now = searchOf(workspace, route).groupBy(groupFallback)
      return change({ filter: withoutGroups(workspace, explicit.filter) }, { group: toggle(now, item) })
    },
    clear: () => change({ filter: [], q: undefined }, { by: [], where: [], panel: [], group: null }),
  }
}

const toggle = (list: readonly string[], item: string): readonly string[] =>
  list.includes(item) ? list.filter((each) => each !== item) : [...list, item]

export const isSame = (a: Wanted, b: Wanted): boolean => a.field === b.field && a.value === b.value

/** Filters that group leave when somebody groups by hand: then the fragment says it all. */
function withoutGroups({ search }: WireWorkspace, names: readonly string[]): readonly string[] {
  const grouping = new Set(search.filters.filter(({ groupBy }) => groupBy !== undefined).map(({ name }) => name))
  return names.filter((name) => !grouping.has(name))
}

/** An address that names filters says all of them; what the action switches on by itself is then named too. */
function explicitSearch(
  { search }: WireWorkspace,
  { params }: Route,
  { by }: SearchState,
): { readonly filter: readonly string[]; readonly by: readonly Wanted[] } {
  if (params.filter !== undefined) return { filter: params.filter, by }
  return { filter: search.defaultFilters, by: [...defaultWanted(search), ...by] }
}

const hasDefaults = ({ search }: WireWorkspace): boolean =>
  search.defaultFilters.length > 0 || Object.keys(search.defaultValues).length > 0

/** Values the action looks for by itself, while the address names no filters. */
export const defaultWanted = ({ defaultValues }: WireWorkspace['search']): readonly Wanted[] =>
  Object.entries(defaultValues).flatMap(([field, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [{ field, value, label: String(value) }]
      : [],
  )
