import type { WireDomain, WireWorkspace } from '../../../../../../kernel/view/wire.ts'
import { searchOf } from '../../../search/query/search-model.ts'
import { services } from '../../../services.ts'
import { readGroup } from '../../../store/queries.ts'
import { type AmountIn, figureOf, loadAmounts, measureFor } from '../../shared/analysis/load-measure.ts'
import { COUNT, type MeasureChoice, measureQuery } from '../../shared/analysis/measures.ts'
import { weekStart } from '../../shared/week-start.ts'
import { companyFilter, type Filters } from '../model/filters.ts'
import { type DashboardPeriod, duringDays, periodBefore, SPARK_UNITS, sparkDays } from '../model/period.ts'
import { type TileRecord, tileRoute } from '../model/tile.ts'

export interface FigureValue {
  readonly value: number | null
  /** The value in the period before; null also for a figure that does not depend on the period. */
  readonly before: number | null
  /** The period of `before`; null if there is nothing to compare, because the period of the figure has not begun. */
  readonly comparedWith: DashboardPeriod | null
  /** The course of the period; null for a figure that does not depend on it. */
  readonly points: readonly number[] | null
  readonly measure: MeasureChoice
  /** By currency, the largest first; empty for a figure that is no amount. */
  readonly amounts: readonly AmountIn[]
}

/** Loads a figure: its total and its course in one call, so that averages are right, and the total of the period before. */
export async function loadFigureTile(
  workspace: WireWorkspace,
  tile: TileRecord,
  filters: Filters,
  signal: AbortSignal,
): Promise<FigureValue> {
  const { period, company, today } = filters
  const { model, dateField } = tile
  // Tiles with an unknown measure are not drawn at all.
  const measure = await measureFor(model, workspace.arch.fields, tile.address['measure'] ?? COUNT)
  const search = searchOf(workspace, tileRoute(tile, companyFilter(tile.companyField, company)))
  const fields = measureQuery([measure])
  const ask = (domain: WireDomain, items: readonly string[]) =>
    readGroup(
      services().rpc,
      model,
      { domain, groupby: items, fields, ...(items.length > 0 && { sets: [[], items] }) },
      { week_start: weekStart(), signal },
    )
  const amountsIn = (domain: WireDomain) => loadAmounts(model, domain, measure, signal)
  if (dateField === null) {
    const [rows, amounts] = await Promise.all([ask(search.domain, []), amountsIn(search.domain)])
    return { value: figureOf(rows[0], measure), before: null, comparedWith: null, points: null, measure, amounts }
  }
  const domain = [...search.domain, ...duringDays(dateField, period)]
  const item = `${dateField}:${SPARK_UNITS[period.unit]}`
  const earlier = periodBefore(period, today)
  const earlierDomain = [...search.domain, ...duringDays(dateField, earlier)]
  const [rows, [before], amounts, amountsBefore] = await Promise.all([
    ask(domain, [item]),
    ask(earlierDomain, []),
    amountsIn(domain),
    amountsIn(earlierDomain),
  ])
  // An amount is compared with those in the same currency only.
  const same = amountsBefore.find(({ currency }) => currency === (amounts[0] ?? amountsBefore[0])?.currency)
  const total = rows.find((row) => row.__set === 0)
  const byDay = new Map(rows.filter((row) => row.__set === 1).map((row) => [String(row[item]), row]))
  return {
    value: figureOf(total, measure),
    before: amountsBefore.length > 0 ? (same?.value ?? 0) : figureOf(before, measure),
    comparedWith: today < period.from ? null : earlier,
    points: sparkDays(period, today).map((day) => figureOf(byDay.get(day), measure) ?? 0),
    measure,
    amounts,
  }
}
