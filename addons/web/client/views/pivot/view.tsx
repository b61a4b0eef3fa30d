import './view.css'
import { useMemo, useRef, useState } from 'preact/hooks'
import { formatList, moneyParts } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { useSearch } from '../../search/query/search-model.ts'
import { ViewFrame } from '../../search/view-frame.tsx'
import { services } from '../../services.ts'
import { readGroup } from '../../store/queries.ts'
import { Button } from '../../ui/button.tsx'
import { loadCurrency } from '../shared/currency.ts'
import { CutNotice } from '../shared/cut-notice.tsx'
import { recordsHref } from '../shared/drill-down.ts'
import { itemTitle } from '../shared/group-items.ts'
import { useLiveLoad } from '../shared/live-load.ts'
import { MeasureMenu } from '../shared/measure-menu.tsx'
import { findMeasure, measureQuery } from '../shared/measures.ts'
import { useModelFields } from '../shared/model-fields.ts'
import { ViewBody } from '../shared/view-body.tsx'
import { weekStart } from '../shared/week-start.ts'
import { AddLevel } from './add-level.tsx'
import { exportPivot } from './export-pivot.ts'
import { type PivotNode, pivotData, pivotHead, pivotSets, shownRows } from './pivot-data.ts'
import { MAX_LEVELS, pivotChanges, pivotState } from './state.ts'
import { PivotTable } from './table.tsx'

/** Most groups of all levels together. */
const MAX_GROUPS = 9_999
/** Cells that are drawn at first; more rows follow when asked for. */
const DRAWN_CELLS = 4_000

type Axis = 'rows' | 'cols'

/** Records grouped along two axes, with subtotals and totals of every level from one call. */
export function View({ workspace, route }: ViewProps) {
  const { model } = workspace
  const search = useSearch(workspace, route)
  const fields = useModelFields(workspace)
  const state = pivotState(workspace, route, search, fields)
  const changes = pivotChanges(workspace, route, state)
  const [open, setOpen] = useState<Readonly<Record<Axis, ReadonlySet<string>>>>({ rows: new Set(), cols: new Set() })
  const [screens, setScreens] = useState(1)
  const [adding, setAdding] = useState<{ readonly axis: Axis; readonly path: string } | null>(null)
  const anchor = useRef<HTMLElement | null>(null)

  const keys = state.measures.map(({ key }) => key)
  const question = { domain: search.domain, rows: state.rows, cols: state.cols, keys }
  const load = useLiveLoad([model], question, async (signal) => {
    const { rows, cols, measures } = state
    const [groups, currency] = await Promise.all([
      readGroup(
        services().rpc,
        model,
        {
          domain: search.domain,
          groupby: [...rows, ...cols],
          sets: pivotSets(rows, cols),
          fields: measureQuery(measures),
        },
        { limit: MAX_GROUPS + 1, week_start: weekStart(), signal },
      ),
      loadCurrency(model, search.domain, measures, signal),
    ])
    return { groups: groups.slice(0, MAX_GROUPS), isCut: groups.length > MAX_GROUPS, currency, rows, cols, keys }
  })

  // What is on screen belongs to what was asked, which may be older than the address.
  const loaded = load.value.value
  const measures = useMemo(
    () => (loaded?.keys ?? keys).flatMap((key) => findMeasure(fields, key) ?? []),
    [loaded, fields],
  )
  const data = useMemo(
    () => loaded && pivotData(loaded.groups, loaded.rows, loaded.cols, fields, t('Total')),
    [loaded, fields],
  )
  const head = useMemo(() => data && pivotHead(data, open.cols), [data, open.cols])
  const orderText = route.state['order']
  const shown = useMemo(
    () => (data ? shownRows(data, open.rows, state.order, measures) : []),
    [data, open.rows, orderText, measures],
  )
  const columns = (head?.columns.length ?? 1) * measures.length
  const drawn = Math.max(50, Math.floor((screens * DRAWN_CELLS) / Math.max(1, columns)))
  const titles = {
    rows: state.rows.map((item) => itemTitle(item, fields)),
    cols: state.cols.map((item) => itemTitle(item, fields)),
  }
  const title = titleOf(titles.rows, titles.cols)

  function toggle(axis: Axis, node: PivotNode, button: HTMLButtonElement): void {
    if (node.children.length === 0) {
      anchor.current = button
      if (state[axis].length < MAX_LEVELS) setAdding({ axis, path: node.path })
      return
    }
    const next = new Set(open[axis])
    if (!next.delete(node.path)) next.add(node.path)
    setOpen({ ...open, [axis]: next })
  }

  function addLevel(item: string): void {
    if (!adding) return
    const { axis, path } = adding
    setOpen({ ...open, [axis]: new Set([...open[axis], path]) })
    setAdding(null)
    changes.setAxes(
      axis === 'rows' ? [...state.rows, item] : state.rows,
      axis === 'cols' ? [...state.cols, item] : state.cols,
    )
  }

  return (
    <ViewFrame
      workspace={workspace}
      route={route}
      pager={null}
      groupFallback={state.rowFallback}
      tools={<MeasureMenu route={route} fields={fields} active={keys} onChoose={changes.toggleMeasure} />}
    >
      <ViewBody
        workspace={workspace}
        route={route}
        load={load}
        isLoaded={data !== null}
        isEmpty={loaded?.groups[0]?.__count === 0}
        groupFallback={state.rowFallback}
        class="pivotview"
      >
        {data && head && loaded && (
          <section class="panel" aria-labelledby="pivot-title">
            <header>
              <h2 id="pivot-title">{title}</h2>
              <span class="end">
                <Button
                  label={t('Swap rows and columns')}
                  icon="arrow-left-right"
                  iconOnly
                  kind="ghost"
                  size="sm"
                  onClick={() => {
                    setOpen({ rows: open.cols, cols: open.rows })
                    changes.flip()
                  }}
                />
                <Button
                  label={t('Table (CSV)')}
                  icon="download"
                  iconOnly
                  kind="ghost"
                  size="sm"
                  onClick={() => exportPivot(title, titles.rows, data, head, shown, measures)}
                />
              </span>
            </header>
            {loaded.isCut && (
              <CutNotice>
                {t(
                  'Some groups of the finest levels are not shown. Totals are complete; narrow the search to see all.',
                )}
              </CutNotice>
            )}
            {loaded.currency.isMixed && (
              <CutNotice>{t('The amounts are in several currencies and are added up without conversion.')}</CutNotice>
            )}
            <PivotTable
              title={title}
              data={data}
              head={head}
              rows={shown.slice(0, drawn)}
              hidden={Math.max(0, shown.length - drawn)}
              measures={measures}
              symbol={loaded.currency.code === null ? '' : moneyParts(0, loaded.currency.code).symbol}
              order={state.order}
              openRows={open.rows}
              hrefOf={(label, domain) => recordsHref(workspace, route, label, domain)}
              onSort={changes.sortBy}
              onToggle={toggle}
              onMore={() => setScreens(screens + 1)}
            />
            {adding && (
              <AddLevel
                fields={fields}
                used={[...state.rows, ...state.cols]}
                anchor={anchor}
                onChoose={addLevel}
                onClose={() => setAdding(null)}
              />
            )}
          </section>
        )}
      </ViewBody>
    </ViewFrame>
  )
}

function titleOf(rows: readonly string[], cols: readonly string[]): string {
  if (rows.length + cols.length === 0) return t('Total')
  if (rows.length === 0 || cols.length === 0) return formatList([...rows, ...cols])
  return t('{measure} by {groups}', { measure: formatList(rows), groups: formatList(cols) })
}
