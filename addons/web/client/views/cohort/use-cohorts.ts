import { useEffect, useMemo, useState } from 'preact/hooks'
import type { WireDomain } from '../../../../../kernel/view/wire.ts'
import { today } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { useSearch } from '../../search/query/search-model.ts'
import { inOneCurrency, NO_CURRENCY, titleIn } from '../shared/analysis/currency.ts'
import { recordsHref } from '../shared/analysis/drill-down.ts'
import { INTERVALS } from '../shared/analysis/intervals.ts'
import { COUNT, chosenMeasure, findMeasure, formatMeasure } from '../shared/analysis/measures.ts'
import { useModelFields } from '../shared/analysis/model-fields.ts'
import { choiceOf } from '../shared/fragment.ts'
import { useLiveLoad } from '../shared/live-load.ts'
import { type CohortQuery, cohortData } from './cohort-data.ts'
import { COHORTS_PER_PAGE, loadCohorts } from './load-cohorts.ts'

const MODES = ['retention', 'churn'] as const
const TIMELINES = ['forward', 'backward'] as const

/** The cohorts of an address, loaded and kept up to date. */
export function useCohorts({ workspace, route }: Pick<ViewProps, 'workspace' | 'route'>) {
  const { model, arch } = workspace
  const { attrs } = arch.root
  const search = useSearch(workspace, route)
  const [isDrawn, setDrawn] = useState(false)
  const fields = useModelFields(workspace, isDrawn || Object.keys(route.state).length > 0)
  const [pages, setPages] = useState(1)
  const query: CohortQuery = {
    start: attrs['date_start'] ?? '',
    stop: attrs['date_stop'] ?? '',
    interval: choiceOf(route, 'interval', INTERVALS, INTERVALS.find((each) => each === attrs['interval']) ?? 'month'),
    mode: choiceOf(route, 'mode', MODES, attrs['mode'] === 'churn' ? 'churn' : 'retention'),
    timeline: choiceOf(route, 'timeline', TIMELINES, attrs['timeline'] === 'backward' ? 'backward' : 'forward'),
  }
  // Always the sum: shares of an average, which a graph may have left in the address, are meaningless.
  const measure = chosenMeasure(fields, route.state['measure']?.split(':')[0], attrs['measure'] ?? COUNT)

  const asked = route.state['currency']
  const question = { domain: search.domain, query: { ...query, mode: '' }, measure: measure.key, pages, asked }
  const load = useLiveLoad(
    [model],
    question,
    inOneCurrency(model, search.domain, [measure], asked, async (domain, signal) => ({
      ...(await loadCohorts(model, domain, query, measure, pages * COHORTS_PER_PAGE, signal)),
      query,
      measure: measure.key,
    })),
  )

  // The data on screen belongs to the last answered query, which may be older than the address; the mode only changes how it is shown.
  const loaded = load.value.value
  useEffect(() => setDrawn(loaded !== null), [loaded !== null])
  const shown = (loaded && findMeasure(fields, loaded.measure)) ?? measure
  const data = useMemo(
    () => loaded && cohortData(loaded.starts, loaded.pairs, { ...loaded.query, mode: query.mode }, shown, today()),
    [loaded, shown.key, query.mode],
  )
  const labelOf = (name: string) => arch.fields.find((field) => field.name === name)?.label ?? name
  const start = labelOf(query.start)
  return {
    load,
    loaded,
    fields,
    query,
    measure,
    title: titleIn(loaded?.currency ?? NO_CURRENCY, t('{start} → {stop}', { start, stop: labelOf(query.stop) })),
    showOlder: () => setPages(pages + 1),
    /** Props of the table. */
    table: data &&
      loaded && {
        data,
        start,
        measure: shown.label,
        interval: loaded.query.interval,
        format: (value: number | null) => formatMeasure(value, shown, loaded.currency.code),
        hrefOf: (label: string, domain: WireDomain) =>
          recordsHref(workspace, route, label, domain, loaded.currency, shown),
      },
  }
}
