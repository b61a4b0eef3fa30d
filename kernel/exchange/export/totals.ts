import type { Env } from '../../env.ts'
import type { Model } from '../../model/registry.ts'
import { sumMoney } from '../../money.ts'
import { elementsBelow } from '../../view/arch/arch.ts'
import type { ExportColumn } from './columns.ts'
import type { CurrencyOf } from './currency-columns.ts'
import type { ExportRow } from './export-rows.ts'

/** The sum of a column, with the currency if it is one of amounts. */
export interface ColumnSum {
  readonly sum: number
  readonly currency: string | null
}

/** Sums of columns, made as their rows pass. */
export interface Totals {
  add(rows: readonly ExportRow[]): void
  /** By column; null where nothing is summed, as with amounts in several currencies. Null as a whole if that is everywhere, or for a single row. */
  result(): readonly (ColumnSum | null)[] | null
}

const NUMERIC: ReadonlySet<string> = new Set(['integer', 'float'])

/** Amounts are summed, and the numbers that the list of the model sums up. */
export async function startTotals(
  env: Env,
  model: Model,
  columns: readonly ExportColumn[],
  currencyOf: CurrencyOf,
): Promise<Totals> {
  const summed = await summedFields(env, model)
  const sums = columns.map(({ path, field, form }) => {
    const isAmount = field.type.name === 'monetary'
    const isSummed = form === 'name' && (isAmount || (NUMERIC.has(field.type.name) && summed.has(path)))
    return { isSummed, sum: null as number | null, currencies: new Set<string | null>() }
  })
  let count = 0
  return {
    add(rows) {
      count += rows.length
      for (const [i, of] of sums.entries()) {
        if (!of.isSummed || of.currencies.size > 1) continue
        const filled = rows.filter((row) => row[i] !== null && row[i] !== undefined)
        if (filled.length === 0) continue
        for (const row of filled) of.currencies.add(currencyOf(row, i))
        of.sum = sumMoney([of.sum, ...filled.map((row) => row[i] as number)])
      }
    },
    result() {
      const result = sums.map(({ sum, currencies }): ColumnSum | null =>
        sum === null || currencies.size > 1 ? null : { sum, currency: [...currencies][0] ?? null },
      )
      return count < 2 || result.every((each) => each === null) ? null : result
    },
  }
}

/** Fields with a sum in the first list view of the model. */
async function summedFields(env: Env, model: Model): Promise<ReadonlySet<string>> {
  const resolved = (await env.views()).resolve(model.name, 'list')
  if (resolved === null) return new Set()
  return new Set(
    [...elementsBelow(resolved.root)].flatMap(({ tag, attrs }) =>
      tag === 'field' && attrs['sum'] ? (attrs['name'] ?? []) : [],
    ),
  )
}

/** A cell of the last row of a file: a sum, or the word that says so. */
export class TotalCell {
  readonly value: number | string

  constructor(value: number | string) {
    this.value = value
  }
}

/** The rows, and behind them one with their sums, if there are any. */
export async function* withTotals(
  env: Env,
  pages: AsyncIterable<readonly ExportRow[]>,
  totals: Totals,
): AsyncGenerator<readonly ExportRow[]> {
  for await (const rows of pages) {
    totals.add(rows)
    yield rows
  }
  const sums = totals.result()
  if (sums === null) return
  yield [sums.map((each, i) => (each ? new TotalCell(each.sum) : i === 0 ? new TotalCell(env.t('Total')) : null))]
}
