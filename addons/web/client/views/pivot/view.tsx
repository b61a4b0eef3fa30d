import './view.css'
import { useRef, useState } from 'preact/hooks'
import { deferred } from '../../core/deferred.tsx'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { ViewFrame } from '../../search/view-frame.tsx'
import { Button } from '../../ui/button.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import { showError } from '../../ui/toasts.tsx'
import { MeasureMenu } from '../shared/analysis/measure-menu.tsx'
import { ViewBody } from '../shared/analysis/view-body.tsx'
import { changeFragment } from '../shared/fragment.ts'
import { CurrencyNotice, CutNotice } from '../shared/notices.tsx'
import { AddLevel } from './add-level.tsx'
import type { PivotNode } from './pivot-data.ts'
import { type Axis, MAX_LEVELS, pivotChanges } from './state.ts'
import { PivotTable } from './table.tsx'
import { usePivot } from './use-pivot.ts'

const files = deferred(() => import('./export-pivot.ts'))

/** Records grouped along two axes, with subtotals and totals of every level from one call. */
export function View({ workspace, route }: ViewProps) {
  const pivot = usePivot({ workspace, route })
  const { load, loaded, table, fields, state, keys, title, titles } = pivot
  const changes = pivotChanges(workspace, route, state)
  const [adding, setAdding] = useState<{ readonly axis: Axis; readonly path: string } | null>(null)
  const anchor = useRef<HTMLElement | null>(null)

  function toggle(axis: Axis, node: PivotNode, button: HTMLButtonElement): void {
    if (node.children.length > 0) changes.toggle(axis, node.path)
    else if (state[axis].length < MAX_LEVELS) {
      anchor.current = button
      setAdding({ axis, path: node.path })
    }
  }

  function addLevel(item: string): void {
    if (!adding) return
    setAdding(null)
    changes.addLevel(adding.axis, adding.path, item)
  }

  function download(format: 'exportCsv' | 'exportXlsx'): void {
    if (!table) return
    const { data, head, measures } = table
    const shown = { title, titles: titles.rows, data, head, rows: pivot.shown, measures }
    files
      .load()
      .then((loaded) => loaded[format](shown))
      .catch(showError)
  }

  return (
    <ViewFrame
      workspace={workspace}
      route={route}
      pager={null}
      isLoading={load.isFirst.value}
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
                  onClick={changes.flip}
                />
                <MenuButton
                  label={t('Download')}
                  icon="download"
                  iconOnly
                  kind="ghost"
                  size="sm"
                  align="end"
                  items={() => [
                    { label: t('Excel (XLSX)'), icon: 'file-spreadsheet', run: () => download('exportXlsx') },
                    { label: t('Table (CSV)'), icon: 'file-text', run: () => download('exportCsv') },
                  ]}
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
            <CurrencyNotice of={loaded.currency} onChoose={(currency) => changeFragment(route, { currency })} />
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
