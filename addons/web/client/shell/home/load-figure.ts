import type { WireFigure } from '../../../../../kernel/view/wire.ts'
import type { Rpc } from '../../net/rpc.ts'
import { readGroup } from '../../store/queries.ts'
import { type FigureSummary, firstDay, summarise } from './figures.ts'

/** Loads all days a figure needs in one request, amounts by currency. Days are in the user's time zone. */
export async function loadFigure(rpc: Rpc, figure: WireFigure, today: string): Promise<FigureSummary> {
  const { model, domain, date, measure } = figure
  const byDay = `${date}:day`
  const currency = measure?.currencyField
  const rows = await readGroup(rpc, model, {
    domain: [...domain, [date, '>=', firstDay(today)], [date, '<=', today]],
    groupby: [byDay, ...(currency === undefined ? [] : [currency])],
    fields: measure === null ? [] : [{ name: 'sum', field: measure.name, measure: 'sum' }],
  })
  const values = rows.map((row) => ({
    day: String(row[byDay]),
    value: measure === null ? row.__count : Number(row['sum'] ?? 0),
    currency: currency === undefined ? null : nameOf(row[currency]),
  }))
  return summarise(values, today)
}

/** Name of a currency link, which is its ISO code. */
const nameOf = (link: unknown): string | null => (Array.isArray(link) ? String(link[1]) : null)
