import './view.css'
import { useRef, useState } from 'preact/hooks'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { ViewFrame } from '../../search/view-frame.tsx'
import { Button } from '../../ui/button.tsx'
import { CutNotice } from '../shared/cut-notice.tsx'
import { MeasureMenu } from '../shared/measure-menu.tsx'
import { ViewBody } from '../shared/view-body.tsx'
import { AddLevel } from './add-level.tsx'
import { exportPivot } from './export-pivot.ts'
import type { PivotNode } from './pivot-data.ts'
import { MAX_LEVELS, pivotChanges } from './state.ts'
import { PivotTable } from './table.tsx'
import { type Axis, usePivot } from './use-pivot.ts'

/** Records grouped along two axes, with subtotals and totals of every level from one call. */
export function View({ workspace, route }: ViewProps) {
  const pivot = usePivot({ workspace, route })
  const { load, loaded, table, fields, state, keys, open, setOpen, title, titles } = pivot
  const changes = pivotChanges(workspace, route, state)
  const [adding, setAdding] = useState<{ readonly axis: Axis; readonly path: string } | null>(null)
  const anchor = useRef<HTMLElement | null>(null)

  function toggle(axis: Axis, node: PivotNode, button: HTMLButtonElement): void {
    if (node.children.length > 0) pivot.toggle(axis, node.path)
    else if (state[axis].length < MAX_LEVELS) {
      anchor.current = button
      setAdding({ axis, path: node.path })
    }
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
        isLoaded={pivot.data !== null}
        isEmpty={loaded?.groups[0]?.__count === 0}
        groupFallback={state.rowFallback}
        class="pivotview"
      >
        {table && loaded && (
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
                  onClick={() => exportPivot(title, titles.rows, table.data, table.head, pivot.shown, pivot.measures)}
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
            <PivotTable {...table} onSort={changes.sortBy} onToggle={toggle} />
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
