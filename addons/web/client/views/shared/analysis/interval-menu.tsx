import type { WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import type { Route } from '../../../router/codec.ts'
import { askedRoute } from '../../../search/query/asked-route.ts'
import { searchChanges } from '../../../search/query/change-search.ts'
import { services } from '../../../services.ts'
import { ChoiceMenu } from './choice-menu.tsx'
import { intervalOf } from './group-items.ts'
import { INTERVAL_LABELS, type Interval } from './intervals.ts'

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
    const changes = searchChanges(workspace, askedRoute(route), groupFallback)
    void services().router.go(changes.change({}, { group }), { replace: true })
  }
  return <ChoiceMenu choices={INTERVAL_LABELS} active={current} icon="calendar" onChoose={choose} />
}
