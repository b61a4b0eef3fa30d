import { useState } from 'preact/hooks'
import type { WireFilter, WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { deferred } from '../../core/deferred.tsx'
import { today } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import type { Route } from '../../router/codec.ts'
import { services } from '../../services.ts'
import type { Layer } from '../../ui/dropdown.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { searchChanges } from '../query/change-search.ts'
import { isGrouping } from '../query/facets.ts'
import { joinPeriod, periodsAround, splitPeriod } from '../query/periods.ts'
import { activeFilters } from '../query/search-model.ts'
import { readSearchState } from '../query/search-state.ts'

const ownFilter = deferred(() => import('./own-filter.tsx'))

interface FilterItemsProps {
  readonly workspace: WireWorkspace
  readonly route: Route
  readonly layer: Layer
}

/**
 * Menu of the filters of the search view and the periods of its date filters, with an item to build a custom filter.
 */
export function FilterItems({ workspace, route, layer }: FilterItemsProps) {
  const [unfolded, setUnfolded] = useState<string | null>(null)
  const { router } = services()
  const active = activeFilters(workspace, route.params.filter)
  // The menu stays open: what was chosen a moment ago may not be loaded yet.
  const toggle = (name: string) => void router.go(searchChanges(workspace, router.route.peek()).toggleFilter(name))

  const itemsOf = (filter: WireFilter, isSeparated: boolean): readonly MenuItem[] => {
    const { name, label, date } = filter
    if (date === undefined) return [{ label, isSeparated, checked: active.includes(name), run: () => toggle(name) }]
    const isUnfolded = unfolded === name
    const chosen = active.filter((each) => splitPeriod(each)[0] === name)
    return [
      {
        label,
        isSeparated,
        icon: 'calendar',
        expanded: isUnfolded,
        ...(chosen.length > 0 && { note: String(chosen.length) }),
        run: () => setUnfolded(isUnfolded ? null : name),
      },
      ...(isUnfolded ? periodsAround(today()) : []).map((period) => ({
        label: period.label,
        isNested: true,
        checked: chosen.includes(joinPeriod(name, period.key)),
        run: () => toggle(joinPeriod(name, period.key)),
      })),
    ]
  }

  const filters = workspace.search.filters.filter((filter) => !isGrouping(filter))
  const items: readonly MenuItem[] = [
    ...filters.flatMap((filter, index) => itemsOf(filter, index > 0 && filters[index - 1]?.set !== filter.set)),
    {
      label: t('Custom filter…'),
      icon: 'sliders-horizontal',
      isSeparated: filters.length > 0,
      run: () => void addOwnFilter(workspace, route),
    },
  ]

  return <Menu items={items} label={t('Filter')} {...layer} />
}

async function addOwnFilter(workspace: WireWorkspace, route: Route): Promise<void> {
  const { editOwnFilter } = await ownFilter.load()
  const filter = await editOwnFilter(workspace)
  if (filter === null) return
  const { where } = readSearchState(route.state)
  await services().router.go(searchChanges(workspace, route).change({}, { where: [...where, filter] }))
}
