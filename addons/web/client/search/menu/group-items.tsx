import { useState } from 'preact/hooks'
import type { WireField } from '../../../../../kernel/view/wire.ts'
import { t } from '../../core/i18n.ts'
import { services } from '../../services.ts'
import type { Layer } from '../../ui/dropdown.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { searchChanges } from '../query/change-search.ts'
import { granularityLabel } from '../query/facets.ts'
import { splitPeriod } from '../query/periods.ts'
import { searchOf } from '../query/search-model.ts'
import type { GroupMenuProps } from './group-menu.tsx'

const GRANULARITIES = ['year', 'quarter', 'month', 'week', 'day'] as const

interface GroupItemsProps extends GroupMenuProps {
  readonly layer: Layer
}

/** Menu of the groupings: those of the search view first, then the other groupable fields. */
export function GroupItems({ workspace, route, groupFallback, isSingle, layer }: GroupItemsProps) {
  const [unfolded, setUnfolded] = useState<string | null>(null)
  const { router } = services()
  const active = searchOf(workspace, route).groupBy(groupFallback)
  const choose = (item: string) => {
    // The menu stays open: what was chosen a moment ago may not be drawn yet.
    const changes = searchChanges(workspace, router.route.peek(), groupFallback)
    void router.go(
      isSingle ? changes.change({}, { group: active.includes(item) ? null : [item] }) : changes.toggleGroup(item),
    )
  }

  const named = workspace.search.filters.flatMap(({ groupBy, label }) =>
    groupBy === undefined ? [] : [{ groupBy, label }],
  )
  const listed = new Set(named.map(({ groupBy }) => groupBy))
  const others = workspace.arch.fields.filter(({ name, groupable }) => groupable && !listed.has(name))

  const fieldItems = (field: WireField): readonly MenuItem[] => {
    if (field.type !== 'date' && field.type !== 'datetime')
      return [{ label: field.label, checked: active.includes(field.name), run: () => choose(field.name) }]
    const isUnfolded = unfolded === field.name
    const chosen = active.filter((item) => splitPeriod(item)[0] === field.name)
    return [
      {
        label: field.label,
        icon: 'calendar',
        expanded: isUnfolded,
        ...(chosen.length > 0 && { note: String(chosen.length) }),
        run: () => setUnfolded(isUnfolded ? null : field.name),
      },
      ...(isUnfolded ? GRANULARITIES : []).map((granularity) => ({
        label: t('By {period}', { period: granularityLabel(granularity) }),
        isNested: true,
        checked: active.includes(`${field.name}:${granularity}`),
        run: () => choose(`${field.name}:${granularity}`),
      })),
    ]
  }

  const items: readonly MenuItem[] = [
    ...named.map(({ groupBy, label }) => ({ label, checked: active.includes(groupBy), run: () => choose(groupBy) })),
    ...others
      .flatMap(fieldItems)
      .map((item, index) => (index === 0 && named.length > 0 ? { ...item, isSeparated: true } : item)),
  ]
  return <Menu items={items} label={t('Group')} {...layer} />
}
