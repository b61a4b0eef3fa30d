import { useMemo } from 'preact/hooks'
import type { WireDomain, WireWorkspace } from '../../../../../kernel/view/wire.ts'
import type { Route } from '../../router/codec.ts'
import { fieldDomain, panelDomain, searchDomain } from './search-domain.ts'
import { readSearchState, type SearchState, splitNames } from './search-state.ts'

/** What a view shows of its model. */
export interface Search {
  /** The action's own domain, what the parameters narrow it to, and `extra`: every call of a view starts from it. */
  readonly domain: WireDomain
  /** What only the fragment knows: values looked for, own filters, the search panel. */
  readonly extra: WireDomain
  /** Whether the workspace's own records and totals are too many, because the server does not know `extra`. */
  readonly isNarrowed: boolean
  readonly state: SearchState
  /** What records are grouped by: the fragment, the group-by filters that are on, or what the view says. */
  groupBy(fallback?: string): readonly string[]
}

export function searchOf(workspace: WireWorkspace, { params, state }: Pick<Route, 'params' | 'state'>): Search {
  const own = readSearchState(state)
  const extra = extraDomain(workspace, own)
  return {
    domain: [...workspace.domain, ...workspace.searchDomain, ...extra],
    extra,
    isNarrowed: extra.length > 0,
    state: own,
    groupBy(fallback = '') {
      if (own.group !== null) return own.group
      const named = groupsOf(workspace, activeFilters(workspace, params.filter))
      return named.length > 0 ? named : splitNames(fallback)
    },
  }
}

/** The same object while neither workspace nor address change what is searched. */
export function useSearch(workspace: WireWorkspace, { params, state }: Route): Search {
  const address = JSON.stringify([params.filter, state])
  return useMemo(() => searchOf(workspace, { params, state }), [workspace, address])
}

/** `without`: leaves one section of the panel out, for its own counts. */
export function extraDomain({ search, ...workspace }: WireWorkspace, state: SearchState, without?: string): WireDomain {
  const panel = state.panel.filter(({ field }) => field !== without)
  return [
    ...searchDomain(state.by, fieldDomain({ search, ...workspace })),
    ...state.where.flatMap(({ domain }) => domain),
    ...searchDomain(panel, panelDomain(search.panel)),
  ]
}

/** Names of the filters that are on: those of the address, or those the action switches on. */
export const activeFilters = ({ search }: WireWorkspace, asked: readonly string[] | undefined): readonly string[] =>
  asked ?? search.defaultFilters

const groupsOf = ({ search }: WireWorkspace, names: readonly string[]): readonly string[] => {
  const active = new Set(names)
  return search.filters.flatMap(({ name, groupBy }) => (groupBy !== undefined && active.has(name) ? [groupBy] : []))
}
