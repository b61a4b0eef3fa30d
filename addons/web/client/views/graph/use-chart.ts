import { useEffect, useMemo, useState } from 'preact/hooks'
import { formatList } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import type { ViewProps } from '../../core/registries.ts'
import { useSearch } from '../../search/query/search-model.ts'
import { services } from '../../services.ts'
import { readGroup } from '../../store/queries.ts'
import { inOneCurrency, NO_CURRENCY, titleIn } from '../shared/analysis/currency.ts'
import { recordsHref } from '../shared/analysis/drill-down.ts'
import { archItems, distinctItems, itemTitle, withInterval } from '../shared/analysis/group-items.ts'
import { COUNT, chosenMeasure, findMeasure, formatMeasure, measureQuery } from '../shared/analysis/measures.ts'
import { useModelFields } from '../shared/analysis/model-fields.ts'
import { choiceOf } from '../shared/fragment.ts'
import { useLiveLoad } from '../shared/live-load.ts'
import { weekStart } from '../shared/week-start.ts'
import { chartData, levelSets } from './chart-data.ts'
import { CHART_KINDS, type ChartLook } from './chart-options.ts'
import { useColours } from './colours.ts'

/** Most groups that one chart is made of, all levels together. */
const MAX_GROUPS = 5_000
/** Most levels: the axis and three that make the series. */
const MAX_LEVELS = 4

/** The chart of an address: its figures, loaded and kept up to date, and how they are drawn. */
export function useChart({ workspace, route }: Pick<ViewProps, 'workspace' | 'route'>) {
  const { model, arch } = workspace
  const { attrs } = arch.root
  const search = useSearch(workspace, route)
  const [isDrawn, setDrawn] = useState(false)
  const fields = useModelFields(workspace, isDrawn || Object.keys(route.state).length > 0)
  const colours = useColours()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())

  const groupFallback = archItems(workspace).join()
  const items = distinctItems(search.groupBy(groupFallback).map((item) => withInterval(item, fields))).slice(
    0,
    MAX_LEVELS,
  )
  const [named = COUNT] = archItems(workspace, 'measure').map((item) => item.split(':')[0] ?? '')
  const measure = chosenMeasure(fields, route.state['measure'], named)
  const kind = choiceOf(route, 'chart', CHART_KINDS, CHART_KINDS.find((each) => each === attrs['type']) ?? 'bar')
  const isStacked = choiceOf(route, 'stacked', ['0', '1'], attrs['stacked'] === '1' ? '1' : '0') === '1'
  const order = choiceOf(route, 'order', ['none', 'asc', 'desc'], 'none')
  const isTable = route.state['table'] === '1'

  const asked = route.state['currency']
  const question = { domain: search.domain, items, measure: measure.key, asked, workspace: workspace.searchDomain }
  const load = useLiveLoad(
    [model],
    question,
    inOneCurrency(model, search.domain, [measure], asked, async (domain, signal) => {
      const rows = await readGroup(
        services().rpc,
        model,
        { domain, groupby: items, sets: levelSets(items), fields: measureQuery([measure]) },
        { limit: MAX_GROUPS + 1, week_start: weekStart(), signal },
      )
      return { rows: rows.slice(0, MAX_GROUPS), isCut: rows.length > MAX_GROUPS, items, measure: measure.key }
    }),
  )

  // The data on screen belongs to the last answered query, which may be older than the address.
  const loaded = load.value.value
  useEffect(() => setDrawn(loaded !== null), [loaded !== null])
  const shown = loaded && (findMeasure(fields, loaded.measure) ?? measure)
  const isPie = kind === 'pie' && !isTable
  const data = useMemo(() => {
    const found = loaded && shown && chartData(loaded.rows, loaded.items, shown, fields, order)
    // Groups without a value have no part in a pie.
    return found && isPie ? { ...found, groups: found.groups.filter(({ value }) => value) } : found
  }, [loaded, shown?.key, fields, order, isPie])
  const currency = loaded?.currency ?? NO_CURRENCY
  const format = (value: number | null) => (shown ? formatMeasure(value, shown, currency.code) : '')
  const shownItems = loaded?.items ?? items
  const titles = shownItems.slice(0, isPie ? 1 : MAX_LEVELS).map((item) => itemTitle(item, fields))
  const label = shown?.label ?? measure.label
  const title = titleIn(
    currency,
    titles.length === 0 ? label : t('{measure} by {groups}', { measure: label, groups: formatList(titles) }),
  )
  const look = useMemo(
    (): ChartLook => ({
      kind,
      isStacked: isStacked && shownItems.length > 1,
      isRtl: document.dir === 'rtl',
      isStill: matchMedia('(prefers-reduced-motion: reduce)').matches,
      colours,
      font: getComputedStyle(document.body).fontFamily,
      hidden,
    }),
    [kind, isStacked, shownItems.length, colours, hidden],
  )
  const hrefOf = (text: string, domain: readonly unknown[]) =>
    recordsHref(workspace, route, text, domain, currency, shown ?? measure)

  function pick(at: number, of: number | null): void {
    const group = data?.groups[at]
    const series = of === null ? undefined : data?.series[of]
    const figure = series ? series.figures[at] : group
    if (!group || !figure?.domain) return
    const name = [group.label, ...(series ? [series.label] : [])].join(', ')
    void services().router.go(hrefOf(name, figure.domain))
  }

  return {
    load,
    loaded,
    data,
    fields,
    items,
    measure,
    kind,
    isStacked,
    order,
    isTable,
    groupFallback,
    title,
    axis: titles[0] ?? '',
    label,
    shown,
    look,
    format,
    hrefOf,
    pick,
    toggle: (key: string) => setHidden(toggled(hidden, key)),
  }
}

const toggled = (set: ReadonlySet<string>, key: string): ReadonlySet<string> =>
  new Set(set.has(key) ? [...set].filter((each) => each !== key) : [...set, key])
