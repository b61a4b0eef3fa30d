import type { WireFigure } from '../../../../../kernel/view/wire.ts'
import { currentLocale, formatFloat, formatInteger, moneyParts } from '../../core/format.ts'
import { t } from '../../core/i18n.ts'
import { changeRoute, formatRoute, parseRoute } from '../../router/codec.ts'
import { appHue } from '../../router/menus.ts'
import { EMPTY_STATE, writeSearchState } from '../../search/query/search-state.ts'
import { type FigureChange, figureChange } from '../../views/shared/tile/sparkline.ts'
import { Spark, Trend } from '../../views/shared/tile/trend.tsx'
import { type FigureSummary, monthBefore, monthStart } from './figures.ts'
import type { Loaded } from './use-loaded.ts'

interface CardProps {
  readonly figure: WireFigure
  readonly loaded: Loaded<FigureSummary>
  readonly today: string
}

/** Card of one figure: its value, the change to the previous month and a sparkline. Links to the records it counts. */
export function FigureCard({ figure, loaded, today }: CardProps) {
  const { label, module } = figure
  const text = loaded.kind === 'there' ? describe(figure, loaded.value, today) : null
  return (
    <a
      class="panel kpi"
      href={hrefOf(figure, today, loaded.kind === 'there' && loaded.value.amounts.length > 1)}
      data-root
      data-app={appHue(module)}
    >
      <h3>{label}</h3>
      {loaded.kind === 'waiting' && <Waiting />}
      {loaded.kind === 'failed' && <p class="t3 fs12 failed">{t('Not available at the moment.')}</p>}
      {text !== null && loaded.kind === 'there' && (
        <>
          <b class={text.amount.length > LONG ? 'tn long' : 'tn'}>{text.amount}</b>
          <span class="fs12 t2 cut">
            {text.change && <Trend change={text.change} />} {text.compared}
          </span>
          {loaded.value.isMixed ? <span class="spark" /> : <Spark values={loaded.value.weeks} />}
        </>
      )}
    </a>
  )
}

/** Longer texts do not fit into a card on a phone. */
const LONG = 10

const Waiting = () => (
  <>
    <span class="sk big" />
    <span class="sk small" />
    <span class="spark" />
  </>
)

interface Words {
  readonly amount: string
  readonly change: FigureChange | null
  /** Text after the arrow. */
  readonly compared: string
}

function describe(figure: WireFigure, summary: FigureSummary, today: string): Words {
  if (summary.isMixed) return describeMixed(figure, summary)
  const { current, previous, currency } = summary
  const month = monthName(monthBefore(today))
  const change = figureChange(current, previous)
  const amount = formatFigure(figure, current, currency)
  if (change === null) return { amount, change, compared: t('Nothing by this day of {month}', { month }) }
  return {
    amount,
    change,
    compared: change.direction === 'same' ? t('as in {month}', { month }) : t('on {month}', { month }),
  }
}

/** The largest amount, and those in other currencies below it. */
function describeMixed(figure: WireFigure, { amounts }: FigureSummary): Words {
  const [first = formatFigure(figure, 0, null), ...others] = amounts.map(({ current, currency }) =>
    formatFigure(figure, current, currency),
  )
  const compared = others.length === 0 ? '' : t('and {amounts}', { amounts: others.join(' · ') })
  return { amount: first, change: null, compared }
}

const monthName = (day: string): string =>
  new Intl.DateTimeFormat(currentLocale().tag, { month: 'long', timeZone: 'UTC' }).format(Date.parse(day))

/** Amounts are rounded to whole units, since cents do not matter in a monthly total. */
function formatFigure({ measure }: WireFigure, value: number, currency: string | null): string {
  if (measure?.type !== 'monetary' || currency === null) return formatFloat(Math.round(value * 10) / 10)
  const { sign, symbol, symbolFirst } = moneyParts(value, currency)
  const whole = formatInteger(Math.abs(value))
  return sign + (symbolFirst ? symbol + whole : `${whole}\u00a0${symbol}`)
}

/** Link to the action, filtered to exactly the records that were counted, with their measure; several currencies as groups with a sum each. */
export function hrefOf({ href, label, domain, date, measure }: WireFigure, today: string, isMixed: boolean): string {
  const counted = [...domain, [date, '>=', monthStart(today)], [date, '<=', today]]
  const group = isMixed && measure?.currencyField !== undefined ? [measure.currencyField] : []
  const state = writeSearchState({ ...EMPTY_STATE, group, where: [{ label, domain: counted }] })
  return formatRoute(
    changeRoute(parseRoute(href), { view_type: 'list', filter: [] }, { ...state, measure: measure?.name }),
  )
}
