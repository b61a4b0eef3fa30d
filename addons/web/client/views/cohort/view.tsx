import { useEffect, useMemo, useState } from 'preact/hooks'
import { deferred } from '../../core/deferred.tsx'
import { today } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { useSearch } from '../../search/query/search-model.ts'
import { ViewFrame } from '../../search/view-frame.tsx'
import { Button } from '../../ui/button.tsx'
import { showError } from '../../ui/toasts.tsx'
import { loadCurrency } from '../shared/currency.ts'
import { CutNotice } from '../shared/cut-notice.tsx'
import { recordsHref } from '../shared/drill-down.ts'
import { choiceOf } from '../shared/fragment.ts'
import { INTERVALS } from '../shared/intervals.ts'
import { useLiveLoad } from '../shared/live-load.ts'
import { COUNT, chosenMeasure, findMeasure, formatMeasure } from '../shared/measures.ts'
import { useModelFields } from '../shared/model-fields.ts'
import { ViewBody } from '../shared/view-body.tsx'
import { type CohortQuery, cohortData } from './cohort-data.ts'
import { COHORTS_PER_PAGE, loadCohorts } from './load-cohorts.ts'
import { CohortTable } from './table.tsx'

const tools = deferred(() => import('./tools.tsx'))

const MODES = ['retention', 'churn'] as const
const TIMELINES = ['forward', 'backward'] as const

/** How many records of each period are still there, or gone, some periods later. */
export function View({ workspace, route }: ViewProps) {
  const { model, arch } = workspace
  const { attrs } = arch.root
  const search = useSearch(workspace, route)
  const fields = useModelFields(workspace)
  const [pages, setPages] = useState(1)
  const Tools = tools.value?.CohortTools
  useEffect(() => {
    tools.load().catch(showError)
  }, [])
  const query: CohortQuery = {
    start: attrs['date_start'] ?? '',
    stop: attrs['date_stop'] ?? '',
    interval: choiceOf(route, 'interval', INTERVALS, INTERVALS.find((each) => each === attrs['interval']) ?? 'month'),
    mode: choiceOf(route, 'mode', MODES, attrs['mode'] === 'churn' ? 'churn' : 'retention'),
    timeline: choiceOf(route, 'timeline', TIMELINES, attrs['timeline'] === 'backward' ? 'backward' : 'forward'),
  }
  const measure = chosenMeasure(fields, route.state['measure'], attrs['measure'] ?? COUNT)

  const question = { domain: search.domain, query: { ...query, mode: '' }, measure: measure.key, pages }
  const load = useLiveLoad([model], question, async (signal) => {
    const [found, currency] = await Promise.all([
      loadCohorts(model, search.domain, query, measure, pages * COHORTS_PER_PAGE, signal),
      loadCurrency(model, search.domain, [measure], signal),
    ])
    return { ...found, currency, query, measure: measure.key }
  })

  // What is on screen belongs to what was asked, which may be older than the address; the mode is only another look at it.
  const loaded = load.value.value
  const shown = (loaded && findMeasure(fields, loaded.measure)) ?? measure
  const data = useMemo(
    () => loaded && cohortData(loaded.starts, loaded.pairs, { ...loaded.query, mode: query.mode }, shown, today()),
    [loaded, shown.key, query.mode],
  )
  const interval = loaded?.query.interval ?? query.interval
  const labels = { start: labelOf(query.start), stop: labelOf(query.stop) }
  const title = t('{stop} by {start}', labels)

  function labelOf(name: string): string {
    return arch.fields.find((field) => field.name === name)?.label ?? name
  }

  return (
    <ViewFrame workspace={workspace} route={route} pager={null}>
      <ViewBody
        workspace={workspace}
        route={route}
        load={load}
        isLoaded={data !== null}
        isEmpty={data?.cohorts.length === 0}
        class="cohortview"
      >
        {data && loaded && (
          <section class="panel" aria-labelledby="cohort-title">
            <header>
              <h2 id="cohort-title">{title}</h2>
              {Tools && (
                <Tools
                  route={route}
                  query={query}
                  fields={fields}
                  measure={measure.key}
                  onCsv={() => tools.peek()?.exportCohorts(title, labels.start, shown.label, data)}
                />
              )}
            </header>
            {loaded.currency.isMixed && (
              <CutNotice>{t('The amounts are in several currencies and are added up without conversion.')}</CutNotice>
            )}
            <CohortTable
              data={data}
              title={title}
              start={labels.start}
              measure={shown.label}
              interval={interval}
              format={(value) => formatMeasure(value, shown, loaded.currency.code)}
              hrefOf={(label, domain) => recordsHref(workspace, route, label, domain)}
            />
            {loaded.hasOlder && (
              <p class="older">
                <Button label={t('Show older')} onClick={() => setPages(pages + 1)} />
              </p>
            )}
          </section>
        )}
      </ViewBody>
    </ViewFrame>
  )
}
