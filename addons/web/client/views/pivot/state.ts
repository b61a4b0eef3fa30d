import type { WireField, WireWorkspace } from '../../../../../kernel/view/wire.ts'
import { changeRoute, type Route } from '../../router/codec.ts'
import { askedRoute } from '../../search/query/asked-route.ts'
import { searchChanges } from '../../search/query/change-search.ts'
import type { Search } from '../../search/query/search-model.ts'
import { splitNames } from '../../search/query/search-state.ts'
import { services } from '../../services.ts'
import { archItems, distinctItems, withInterval } from '../shared/analysis/group-items.ts'
import { COUNT, findMeasure, type MeasureChoice } from '../shared/analysis/measures.ts'
import { changeFragment } from '../shared/fragment.ts'
import type { PivotOrder } from './pivot-data.ts'

/** Most levels of each axis. */
export const MAX_LEVELS = 3

export type Axis = 'rows' | 'cols'

/** Paths of the groups whose children are shown. */
export type OpenPaths = Readonly<Record<Axis, ReadonlySet<string>>>

/** How the figures are looked at: a matter of the address in the view, and of the tile on a dashboard. */
export interface PivotLook {
  readonly order: PivotOrder | null
  readonly open: OpenPaths
}

/** The state of a pivot table from address and arch: rows by the grouping of the search, the rest from the fragment. */
export interface PivotState extends PivotLook {
  readonly rows: readonly string[]
  readonly cols: readonly string[]
  readonly measures: readonly MeasureChoice[]
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
    open: { rows: readOpen(route.state['openrows']), cols: readOpen(route.state['opencols']) },
    rowFallback,
  }
}

function readOrder(text: string | undefined): PivotOrder | null {
  const [col, measure, direction] = readTexts(text)
  return col === undefined || measure === undefined ? null : { col, measure, isDescending: direction !== 'asc' }
}

const readOpen = (text: string | undefined): ReadonlySet<string> => new Set(readTexts(text))

function readTexts(text: string | undefined): readonly string[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(found) ? found.filter((each) => typeof each === 'string') : []
  } catch {
    // An edited address.
    return []
  }
}

const openText = (paths: ReadonlySet<string>): string | undefined =>
  paths.size === 0 ? undefined : JSON.stringify([...paths])

/** Opens a group, or closes it. */
export function toggleGroup(open: OpenPaths, axis: Axis, path: string): OpenPaths {
  const next = new Set(open[axis])
  if (!next.delete(path)) next.add(path)
  return { ...open, [axis]: next }
}

/** Largest first, then smallest first, then in the groups' own order. */
export function nextOrder(order: PivotOrder | null, col: string, measure: string): PivotOrder | null {
  const isThis = order?.col === col && order.measure === measure
  return isThis && !order.isDescending ? null : { col, measure, isDescending: !isThis }
}

/** Changes of the address; none is a step of the history, except other rows, which are a change of the search. */
export function pivotChanges(workspace: WireWorkspace, route: Route, state: PivotState) {
  const { rows, cols, measures, order, open, rowFallback } = state
  const colsText = (items: readonly string[]) => (items.length === 0 ? NONE : items.join())
  const setAxes = (nextRows: readonly string[], nextCols: readonly string[], nextOpen: OpenPaths) => {
    const next = searchChanges(workspace, askedRoute(route), rowFallback).change({}, { group: nextRows })
    const look = { cols: colsText(nextCols), order: undefined, ...openState(nextOpen) }
    void services().router.go(changeRoute(next, {}, look), { replace: true })
  }
  return {
    /** One more level, below a group that is opened with it. */
    addLevel(axis: Axis, path: string, item: string) {
      const next = { rows, cols, [axis]: [...state[axis], item] }
      setAxes(next.rows, next.cols, open[axis].has(path) ? open : toggleGroup(open, axis, path))
    },
    flip: () => setAxes(cols, rows, { rows: open.cols, cols: open.rows }),
    toggle: (axis: Axis, path: string) => changeFragment(route, openState(toggleGroup(open, axis, path))),
    toggleMeasure(key: string) {
      const keys = measures.map((measure) => measure.key)
      const next = keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key]
      if (next.length > 0) changeFragment(route, { measures: next.join() })
    },
    sortBy(col: string, measure: string) {
      const next = nextOrder(order, col, measure)
      changeFragment(route, {
        order: next ? JSON.stringify([col, measure, next.isDescending ? 'desc' : 'asc']) : undefined,
      })
    },
  }
}

const openState = ({ rows, cols }: OpenPaths) => ({ openrows: openText(rows), opencols: openText(cols) })
