import { useEffect, useMemo, useState } from 'preact/hooks'
import { formatList } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { useSearch } from '../../search/query/search-model.ts'
import { services } from '../../services.ts'
import { readGroup } from '../../store/queries.ts'
import { inOneCurrency, NO_CURRENCY, titleIn } from '../shared/analysis/currency.ts'
import { recordsHref } from '../shared/analysis/drill-down.ts'
import { intervalOf, itemTitle } from '../shared/analysis/group-items.ts'
import { findMeasure, type MeasureChoice, measureQuery } from '../shared/analysis/measures.ts'
import { useModelFields } from '../shared/analysis/model-fields.ts'
import { useLiveLoad } from '../shared/live-load.ts'
import { weekStart } from '../shared/week-start.ts'
import { pivotData, pivotHead, pivotSets, shownRows } from './pivot-data.ts'
import { type PivotLook, pivotState } from './state.ts'

/** Most groups of all levels together. */
const MAX_GROUPS = 9_999
/** Cells that are drawn at first; more rows follow when asked for. */
const DRAWN_CELLS = 4_000

/** The table that an address asks for: its figures, loaded and kept up to date. `own` is a look that the address does not have. */
export function usePivot({ workspace, route }: Pick<ViewProps, 'workspace' | 'route'>, own?: PivotLook) {
  const { model } = workspace
  const search = useSearch(workspace, route)
  const [isDrawn, setDrawn] = useState(false)
  const fields = useModelFields(workspace, isDrawn || Object.keys(route.state).length > 0)
  const state = pivotState(workspace, route, search, fields)
  const [screens, setScreens] = useState(1)

  const keys = state.measures.map(({ key }) => key)
  const asked = route.state['currency']
  const question = { domain: search.domain, rows: state.rows, cols: state.cols, keys, asked }
  const load = useLiveLoad(
    [model],
    question,
    inOneCurrency(model, search.domain, state.measures, asked, async (domain, signal) => {
      const { rows, cols, measures } = state
      const groups = await readGroup(
        services().rpc,
        model,
        { domain, groupby: [...rows, ...cols], sets: pivotSets(rows, cols), fields: measureQuery(measures) },
        { limit: MAX_GROUPS + 1, week_start: weekStart(), signal },
      )
      return { groups: groups.slice(0, MAX_GROUPS), isCut: groups.length > MAX_GROUPS, rows, cols, keys }
    }),
  )

  // What is on screen belongs to what was asked, which may be older than the address.
  const loaded = load.value.value
  useEffect(() => setDrawn(loaded !== null), [loaded !== null])
  const measures = useMemo(
    () => (loaded?.keys ?? keys).flatMap((key) => findMeasure(fields, key) ?? []),
    [loaded, fields],
  )
  const data = useMemo(
    () => loaded && pivotData(loaded.groups, loaded.rows, loaded.cols, fields, t('Total')),
    [loaded, fields],
  )
  const { order, open } = own ?? state
  const openRows = textOf(open.rows)
  const openCols = textOf(open.cols)
  const head = useMemo(() => data && pivotHead(data, open.cols), [data, openCols])
  const shown = useMemo(
    () => (data ? shownRows(data, open.rows, order, measures) : []),
    [data, openRows, JSON.stringify(order), measures],
  )
  const columns = (head?.columns.length ?? 1) * measures.length
  const drawn = Math.max(50, Math.floor((screens * DRAWN_CELLS) / Math.max(1, columns)))
  const titles = {
    rows: state.rows.map((item) => itemTitle(item, fields)),
    cols: state.cols.map((item) => itemTitle(item, fields)),
  }
  const title = titleIn(loaded?.currency ?? NO_CURRENCY, titleOf(titles.rows, titles.cols))

  return {
    load,
    loaded,
    data,
    head,
    fields,
    state,
    keys,
    measures,
    titles,
    title,
    shown,
    look: { order, open },
    /** What the table is drawn with, except for what its buttons do. */
    table: data &&
      head &&
      loaded && {
        title,
        data,
        head,
        rows: shown.slice(0, drawn),
        hidden: Math.max(0, shown.length - drawn),
        measures,
        currency: loaded.currency.code,
        order,
        isByTime: intervalOf(loaded.cols[0] ?? '') !== null,
        openRows: open.rows,
        hrefOf: (label: string, domain: readonly unknown[], measure: MeasureChoice) =>
          recordsHref(workspace, route, label, domain, loaded.currency, measure),
        onMore: () => setScreens(screens + 1),
      },
  }
}

const textOf = (paths: ReadonlySet<string>): string => [...paths].join('\n')

function titleOf(rows: readonly string[], cols: readonly string[]): string {
  if (rows.length + cols.length === 0) return t('Total')
  if (rows.length === 0 || cols.length === 0) return formatList([...rows, ...cols])
  return t('{measure} by {groups}', { measure: formatList(rows), groups: formatList(cols) })
}
