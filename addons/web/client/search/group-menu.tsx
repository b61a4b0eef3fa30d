import { useRef, useState } from 'preact/hooks'
import type { WireField, WireWorkspace } from '../../../../kernel/view/wire.ts'
import { t } from '../core/i18n.ts'
import type { Route } from '../router/codec.ts'
import { services } from '../services.ts'
import { Button } from '../ui/button.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { searchChanges } from './change-search.ts'
import { granularityLabel, groupItemLabel } from './facets.ts'
import { splitPeriod } from './periods.ts'
import { searchOf } from './search-model.ts'

const GRANULARITIES = ['year', 'quarter', 'month', 'week', 'day'] as const

interface GroupMenuProps {
  readonly workspace: WireWorkspace
  readonly route: Route
  readonly groupFallback: string
  /** The view groups by one thing at a time. */
  readonly isSingle: boolean
}

/** What records can be grouped by: the groupings of the search view, then the other fields of the view. */
export function GroupMenu({ workspace, route, groupFallback, isSingle }: GroupMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const [unfolded, setUnfolded] = useState<string | null>(null)
  const anchor = useRef<HTMLButtonElement>(null)
  const { router } = services()
  const changes = searchChanges(workspace, route, groupFallback)
  const active = searchOf(workspace, route).groupBy(groupFallback)
  const choose = (item: string) =>
    void router.go(
      isSingle ? changes.change({}, { group: active.includes(item) ? null : [item] }) : changes.toggleGroup(item),
    )

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
  if (items.length === 0) return null
  const [first] = active
  return (
    <>
      <Button
        label={
          isSingle && first !== undefined
            ? t('Group: {field}', { field: groupItemLabel(workspace, first) })
            : t('Group')
        }
        icon="rows-3"
        kind="ghost"
        hasPopup="menu"
        expanded={isOpen}
        buttonRef={anchor}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && <Menu items={items} label={t('Group')} anchor={anchor} onClose={() => setOpen(false)} />}
    </>
  )
}
