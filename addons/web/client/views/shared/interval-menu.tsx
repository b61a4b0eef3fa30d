import type { WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { msg, t } from '../../core/i18n.ts'
import type { Route } from '../../router/codec.ts'
import { searchChanges } from '../../search/query/change-search.ts'
import { services } from '../../services.ts'
import { MenuButton } from '../../ui/menu.tsx'
import { INTERVALS, type Interval, intervalOf } from './group-items.ts'

/** As a button says them. */
export const INTERVAL_LABELS: Readonly<Record<Interval, string>> = {
  day: msg('Day'),
  week: msg('Week'),
  month: msg('Month'),
  quarter: msg('Quarter'),
  year: msg('Year'),
}

interface IntervalMenuProps {
  readonly workspace: WireWorkspace
  readonly route: Route
  /** How the view is grouped. */
  readonly items: readonly string[]
  readonly groupFallback: string
}

/** Changes the interval of the first date that is grouped by; not rendered without one. */
export function IntervalMenu({ workspace, route, items, groupFallback }: IntervalMenuProps) {
  const at = items.findIndex((item) => intervalOf(item) !== null)
  const item = items[at]
  const current = item === undefined ? null : intervalOf(item)
  if (item === undefined || current === null) return null
  const choose = (interval: Interval) => {
    const group = items.with(at, item.replace(/:\w+$/, `:${interval}`))
    void services().router.go(searchChanges(workspace, route, groupFallback).change({}, { group }), { replace: true })
  }
  return (
    <MenuButton
      label={t(INTERVAL_LABELS[current])}
      icon="calendar"
      kind="ghost"
      size="sm"
      align="end"
      items={() =>
        INTERVALS.map((interval) => ({
          label: t(INTERVAL_LABELS[interval]),
          checked: interval === current,
          run: () => choose(interval),
        }))
      }
    />
  )
}
