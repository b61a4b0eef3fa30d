import type { WireField, WireWorkspace } from '../../../../../kernel/view/wire.ts'
import type { Route } from '../../router/codec.ts'
import { searchChanges } from '../../search/query/change-search.ts'
import type { Search } from '../../search/query/search-model.ts'
import { splitNames } from '../../search/query/search-state.ts'
import { services } from '../../services.ts'
import { changeFragment } from '../shared/fragment.ts'
import { archItems, distinctItems, withInterval } from '../shared/group-items.ts'
import { COUNT, findMeasure, type MeasureChoice } from '../shared/measures.ts'
import type { PivotOrder } from './pivot-data.ts'

/** Most levels of each axis. */
export const MAX_LEVELS = 3

/** What the address and the arch say of a pivot table: rows by the grouping of the search, the rest in the fragment. */
export interface PivotState {
  readonly rows: readonly string[]
  readonly cols: readonly string[]
  readonly measures: readonly MeasureChoice[]
  readonly order: PivotOrder | null
  readonly rowFallback: string
}

const NONE = 'none'

export function pivotState(
  workspace: WireWorkspace,
  route: Route,
  search: Search,
  fields: readonly WireField[],
): PivotState {
  const rowFallback = archItems(workspace, 'row').join()
  const dated = (items: readonly string[]) =>
    distinctItems(items.map((item) => withInterval(item, fields))).slice(0, MAX_LEVELS)
  const rows = dated(search.groupBy(rowFallback))
  const asked = route.state['cols']
  const named = asked === undefined ? archItems(workspace, 'col') : asked === NONE ? [] : splitNames(asked)
  const own = archItems(workspace, 'measure').map((item) => item.split(':')[0] ?? '')
  const keys = route.state['measures'] === undefined ? own : splitNames(route.state['measures'])
  const measures = keys.flatMap((key) => findMeasure(fields, key) ?? [])
  return {
    rows,
    cols: dated(named).filter((item) => !rows.includes(item)),
    measures: measures.length > 0 ? measures : [findMeasure([], COUNT)!],
    order: readOrder(route.state['order']),
    rowFallback,
  }
}

function readOrder(text: string | undefined): PivotOrder | null {
  try {
    const [col, measure, direction]: readonly unknown[] = JSON.parse(text ?? '[]')
    return typeof col === 'string' && typeof measure === 'string'
      ? { col, measure, isDescending: direction !== 'asc' }
      : null
  } catch {
    // An edited address.
    return null
  }
}

/** Changes of the address; none is a step of the history, except other rows, which are a change of the search. */
export function pivotChanges(workspace: WireWorkspace, route: Route, state: PivotState) {
  const { rows, cols, measures, order, rowFallback } = state
  const colsText = (items: readonly string[]) => (items.length === 0 ? NONE : items.join())
  const setAxes = (nextRows: readonly string[], nextCols: readonly string[]) => {
    const next = searchChanges(workspace, route, rowFallback).change({}, { group: nextRows })
    const kept = { ...next.state, cols: colsText(nextCols) }
    delete (kept as Record<string, string>)['order']
    void services().router.go({ ...next, state: kept }, { replace: true })
  }
  return {
    setAxes,
    flip: () => setAxes(cols, rows),
    toggleMeasure(key: string) {
      const keys = measures.map((measure) => measure.key)
      const next = keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key]
      if (next.length > 0) changeFragment(route, { measures: next.join() })
    },
    /** Largest first, then smallest first, then in the groups' own order. */
    sortBy(col: string, measure: string) {
      const isThis = order?.col === col && order.measure === measure
      const next = !isThis ? 'desc' : order.isDescending ? 'asc' : undefined
      changeFragment(route, { order: next && JSON.stringify([col, measure, next]) })
    },
  }
}
