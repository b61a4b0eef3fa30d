import type { WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import type { Route } from '../../../router/codec.ts'
import { searchOf } from '../../../search/query/search-model.ts'
import { SEARCH_KEYS } from '../../../search/query/search-state.ts'
import { splitGroupItem } from '../../../store/group.ts'
import type { TileRecord } from '../model/tile.ts'

/** Keys of a fragment that the domain of a tile replaces. */
const IN_DOMAIN: readonly string[] = SEARCH_KEYS.filter((key) => key !== 'group')

/** The view on screen as a tile without a place: its search becomes a domain, the rest stays parts of an address. */
export function tileOfView(workspace: WireWorkspace, route: Route): Omit<TileRecord, 'id' | 'x' | 'y' | 'w' | 'h'> {
  const { params, state } = route
  const search = searchOf(workspace, route)
  const kept = Object.entries(state).filter(([key]) => !IN_DOMAIN.includes(key))
  const filter = (params.filter ?? workspace.search.defaultFilters).join()
  return {
    name: workspace.title,
    viewType: workspace.viewType,
    model: workspace.model,
    actionId: workspace.actionId > 0 ? workspace.actionId : null,
    domain: search.extra,
    address: { ...Object.fromEntries(kept), filter, ...(params.q !== undefined && { q: params.q }) },
    sort: params.sort ?? null,
    // Cohorts compare periods, so the period of the dashboard, which would leave a single row, does not apply.
    dateField: workspace.viewType === 'cohort' ? null : dateFieldOf(workspace, search.groupBy()),
    companyField: null,
  }
}

/** The date that the period of a dashboard is about: one that the view groups by, or the first date of its search filters. */
export function dateFieldOf({ search, arch }: WireWorkspace, groupBy: readonly string[] = []): string | null {
  const grouped = groupBy.map((item) => splitGroupItem(item, arch.fields).field)
  const byView = grouped.find((field) => field?.type === 'date' || field?.type === 'datetime')?.name
  const filtered = search.filters.find(({ date }) => date !== undefined)?.date
  return byView ?? filtered ?? null
}
