import type { WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { changeRoute, type Route, type RouteChange } from '../../router/codec.ts'
import { defaultFavourite } from './favourites.ts'
import { searchOf } from './search-model.ts'
import { readSearchState, type SearchState, type Wanted, writeSearchState } from './search-state.ts'

/** The changes of a search. Each returns the route after the change, at the first page. */
export interface SearchChanges {
  toggleFilter(name: string): Route
  /** Searches for a text in any column and replaces the previous text. */
  findText(text: string): Route
  want(wanted: Wanted): Route
  toggleGroup(item: string): Route
  /** Changes any part of the search. */
  change(params: RouteChange, state: Partial<SearchState>): Route
  /** Removes all filters, including the default filters of the action. */
  clear(): Route
}

export function searchChanges(workspace: WireWorkspace, route: Route, groupFallback = ''): SearchChanges {
  const state = readSearchState(route.state)
  const explicit = explicitSearch(workspace, route, state)

  const change: SearchChanges['change'] = (params, changes) => {
    const next = { ...state, by: explicit.by, favourite: null, ...changes }
    // "No grouping" is only written to the address if the view has a default grouping to override.
    const group = next.group?.length === 0 && groupFallback === '' ? null : next.group
    const { filter, ...others } = { filter: explicit.filter, ...params }
    // An empty filter list is only written to the address if the action opens with a search to override.
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

/**
 * Removes grouping filters, used when the user changes the grouping: from then on the fragment holds the whole
 * grouping.
 */
function withoutGroups({ search }: WireWorkspace, names: readonly string[]): readonly string[] {
  const grouping = new Set(search.filters.filter(({ groupBy }) => groupBy !== undefined).map(({ name }) => name))
  return names.filter((name) => !grouping.has(name))
}

/**
 * The active filters and values, with the defaults of the action resolved. An address that names filters replaces the
 * defaults, so they must be named along with any change.
 */
function explicitSearch(
  { search }: WireWorkspace,
  { params }: Route,
  { by }: SearchState,
): { readonly filter: readonly string[]; readonly by: readonly Wanted[] } {
  if (params.filter !== undefined) return { filter: params.filter, by }
  return { filter: search.defaultFilters, by: [...defaultWanted(search), ...by] }
}

const hasDefaults = ({ search, model, actionId }: WireWorkspace): boolean =>
  search.defaultFilters.length > 0 ||
  Object.keys(search.defaultValues).length > 0 ||
  defaultFavourite(model, actionId) !== undefined

/** Values the action searches for by default, which apply while the address names no filters. */
export const defaultWanted = ({ defaultValues }: WireWorkspace['search']): readonly Wanted[] =>
  Object.entries(defaultValues).flatMap(([field, value]) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [{ field, value, label: String(value) }]
      : [],
  )
