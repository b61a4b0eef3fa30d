import type { WireDomain, WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { changeRoute, formatRoute, type Route } from '../../../router/codec.ts'
import { readSearchState, SEARCH_KEYS, writeSearchState } from '../../../search/query/search-state.ts'
import type { MeasuredCurrency } from './currency.ts'
import type { MeasureChoice } from './measures.ts'

/**
 * Address of the list with the records behind a part of the view: the current search, and the domain as one more filter, which
 * the search bar shows by the label, and the measure of the part. Of several currencies only that of the part.
 */
export function recordsHref(
  { model }: WireWorkspace,
  route: Route,
  label: string,
  domain: WireDomain,
  currency: MeasuredCurrency,
  { field, key: measure }: MeasureChoice,
): string {
  const state = readSearchState(route.state)
  const kept = Object.fromEntries(
    SEARCH_KEYS.flatMap((key) => (route.state[key] === undefined ? [] : [[key, route.state[key]]])),
  )
  const where = [...state.where, ...(domain.length === 0 ? [] : [{ label, domain }]), ...currency.where]
  const next = changeRoute(
    { ...route, state: { ...kept, ...(field && { measure }) } },
    // An action without a list has one all the same: that of its model.
    { view_type: 'list', offset: undefined, ...(route.params.action === undefined && { model }) },
    writeSearchState({ ...state, group: null, where }),
  )
  return formatRoute(next)
}
