import { useMemo } from 'preact/hooks'
import type { WireDomain, WireWorkspace } from '../../../../../kernel/view/wire.ts'
import type { Route } from '../../router/codec.ts'
import { fieldDomain, panelDomain, searchDomain } from './search-domain.ts'
import { readSearchState, type SearchState, splitNames } from './search-state.ts'

/** The search of a view: which records it shows and how they are grouped. */
export interface Search {
  /** The complete domain: that of the action, of the query parameters, and `extra`. All requests of a view use it. */
  readonly domain: WireDomain
  /** The part of the domain that is only in the fragment: searched values, custom filters and the search panel. */
  readonly extra: WireDomain
  /**
   * Whether `extra` filters further. The records and totals in the workspace then do not apply, since the server never
   * receives the fragment.
   */
  readonly isNarrowed: boolean
  readonly state: SearchState
  /** The grouping: from the fragment, otherwise from the active grouping filters, otherwise `fallback`. */
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

/** Returns the same object until the workspace or the search in the address changes. */
export function useSearch(workspace: WireWorkspace, { params, state }: Route): Search {
  const address = JSON.stringify([params.filter, state])
  return useMemo(() => searchOf(workspace, { params, state }), [workspace, address])
}

/**
 * Domain of the fragment. `without` leaves out one section of the panel, so that its counts do not depend on its own
 * choice.
 */
export function extraDomain({ search, ...workspace }: WireWorkspace, state: SearchState, without?: string): WireDomain {
  const panel = state.panel.filter(({ field }) => field !== without)
  return [
    ...searchDomain(state.by, fieldDomain({ search, ...workspace })),
    ...state.where.flatMap(({ domain }) => domain),
    ...searchDomain(panel, panelDomain(search.panel)),
  ]
}

/** Names of the active filters: those in the address, otherwise the defaults of the action. */
export const activeFilters = ({ search }: WireWorkspace, asked: readonly string[] | undefined): readonly string[] =>
  asked ?? search.defaultFilters

const groupsOf = ({ search }: WireWorkspace, names: readonly string[]): readonly string[] => {
  const active = new Set(names)
  return search.filters.flatMap(({ name, groupBy }) => (groupBy !== undefined && active.has(name) ? [groupBy] : []))
}
