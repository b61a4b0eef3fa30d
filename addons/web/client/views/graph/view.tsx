import './view.css'
import { useRef } from 'preact/hooks'
import { deferred, deferredComponent } from '../../core/deferred.tsx'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { ViewFrame } from '../../search/view-frame.tsx'
import { showError } from '../../ui/toasts.tsx'
import { MeasureMenu } from '../shared/analysis/measure-menu.tsx'
import { ViewBody } from '../shared/analysis/view-body.tsx'
import { changeFragment } from '../shared/fragment.ts'
import { CurrencyNotice, CutNotice } from '../shared/notices.tsx'
import { ChartCanvas } from './canvas.tsx'
import { Figures } from './figures.tsx'
import { ChartTools } from './tools.tsx'
import { useChart } from './use-chart.ts'

const chunk = deferred(() => import('./deferred-chunk.ts'))
const ChartTable = deferredComponent(chunk, (loaded) => loaded.ChartTable)

/** Records as bars, lines or a pie. */
export function View({ workspace, route }: ViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const chart = useChart({ workspace, route })
  const { load, loaded, data, kind, groupFallback, title, look, format } = chart
  return (
    <ViewFrame
      workspace={workspace}
      route={route}
      pager={null}
      isLoading={load.isFirst.value}
      groupFallback={groupFallback}
      tools={<MeasureMenu route={route} fields={chart.fields} active={[chart.measure.key]} />}
    >
      <ViewBody
        workspace={workspace}
        route={route}
        load={load}
        isLoaded={data !== null}
        isEmpty={data !== null && loaded?.rows[0]?.__count === 0}
        groupFallback={groupFallback}
        class="graphview"
      >
        {data && loaded && (
          <section class="panel" aria-labelledby="graph-title">
            <header>
              <h2 id="graph-title">{title}</h2>
              <ChartTools
                workspace={workspace}
                route={route}
                {...chart}
                onCsv={() =>
                  void chunk
                    .load()
                    .then(({ exportTable }) => exportTable(title, chart.axis, t('Total'), data), showError)
                }
                onPng={() =>
                  void chunk
                    .load()
                    .then(
                      ({ exportPicture }) => canvas.current && exportPicture(title, canvas.current, look),
                      showError,
                    )
                }
              />
            </header>
            {(loaded.isCut || data.isCut) && (
              <CutNotice>{t('Some groups are not shown. Narrow the search to see all of them.')}</CutNotice>
            )}
            <CurrencyNotice of={loaded.currency} onChoose={(currency) => changeFragment(route, { currency })} />
            <Figures
              data={data}
              label={chart.shown?.isSum ? t('Total') : chart.label}
              format={format}
              isPie={kind === 'pie'}
              hidden={look.hidden}
              onToggle={chart.toggle}
            />
            {chart.isTable ? (
              <ChartTable data={data} title={title} axis={chart.axis} format={format} hrefOf={chart.hrefOf} />
            ) : (
              <ChartCanvas
                data={data}
                look={look}
                label={t('{title}: {total}. The same figures are in the table.', {
                  title,
                  total: format(data.total.value),
                })}
                format={format}
                onPick={chart.pick}
                canvasRef={canvas}
              />
            )}
          </section>
        )}
      </ViewBody>
    </ViewFrame>
  )
}
