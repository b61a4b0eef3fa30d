import type { WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { t } from '../../../core/i18n.ts'
import { formatRoute, type Route } from '../../../router/codec.ts'
import { formatMeasure } from '../../shared/analysis/measures.ts'
import { useLiveLoad } from '../../shared/live-load.ts'
import { figureChange } from '../../shared/tile/sparkline.ts'
import { TileBody } from '../../shared/tile/tile-body.tsx'
import { Spark, Trend } from '../../shared/tile/trend.tsx'
import type { Filters } from '../model/filters.ts'
import { nameOfPeriod } from '../model/period.ts'
import type { TileRecord } from '../model/tile.ts'
import { type FigureValue, loadFigureTile } from './load-figure-tile.ts'

export interface FigureTileProps {
  readonly workspace: WireWorkspace
  readonly tile: TileRecord
  readonly route: Route
  readonly filters: Filters
}

/** Longer texts are set smaller. */
const LONG = 11

/** One number, its value in the period before, and its course. It links to the records behind it. */
export function FigureTile({ workspace, tile, route, filters }: FigureTileProps) {
  const load = useLiveLoad([tile.model], { tile, filters, search: workspace.searchDomain }, (signal) =>
    loadFigureTile(workspace, tile, filters, signal),
  )
  const figure = load.value.value
  return (
    <TileBody load={load} isLoaded={figure !== null} isEmpty={false}>
      {figure && (
        <a class="kpi" href={formatRoute(route)}>
          <Value figure={figure} />
          <span class="fs12 t2 cut">
            <Compared figure={figure} />
          </span>
          {figure.points?.some((each) => each !== 0) && figure.amounts.length < 2 && <Spark values={figure.points} />}
        </a>
      )}
    </TileBody>
  )
}

/** An amount in several currencies has no total: the largest is shown, and the others below it. */
const amountText = ({ measure }: FigureValue, value: number | null, currency: string | null): string =>
  formatMeasure(value === null ? null : rounded(value), measure, currency)

function Value({ figure }: { readonly figure: FigureValue }) {
  const [first] = figure.amounts
  const isMixed = figure.amounts.length > 1
  const text = amountText(figure, isMixed && first ? first.value : figure.value, first?.currency ?? null) || '–'
  return <b class={text.length > LONG ? 'tn long' : 'tn'}>{text}</b>
}

/** Cents do not matter in a figure of thousands. */
const rounded = (value: number): number => (Math.abs(value) >= 1_000 ? Math.round(value) : value)

/** The comparison with the period before. It names the loaded period, since that of the bar may still be loading. */
function Compared({ figure }: { readonly figure: FigureValue }) {
  const { value, before, comparedWith, amounts } = figure
  if (amounts.length > 1) {
    const others = amounts.slice(1).map((each) => amountText(figure, each.value, each.currency))
    return <>{t('and {amounts}', { amounts: others.join(' · ') })}</>
  }
  if (figure.points === null) return null
  if (comparedWith === null) return <>{t('Not begun yet')}</>
  // Without records there is no average, and nothing to compare it with.
  if (value === null) return null
  const name = nameOfPeriod(comparedWith)
  const change = before === null ? null : figureChange(value, before)
  if (change === null) return <>{t('Nothing to compare in {period}', { period: name })}</>
  return (
    <>
      <Trend change={change} />{' '}
      {change.direction === 'same' ? t('as in {month}', { month: name }) : t('on {month}', { month: name })}
    </>
  )
}
