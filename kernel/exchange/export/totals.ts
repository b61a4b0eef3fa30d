import type { Env } from '../../env.ts'
import type { Field } from '../../model/fields/field.ts'
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

/** Sums of columns, updated while the rows are written. */
export interface Totals {
  add(rows: readonly ExportRow[]): void
  /** One row of sums, or one for each currency if a column has several. None if nothing is summed, or for a single row. */
  result(): readonly TotalRow[]
}

export interface TotalRow {
  /** A column without sums, and the label that it shows in this row. */
  readonly label: { readonly column: number; readonly text: string } | null
  /** By column; null where nothing is summed. */
  readonly sums: readonly (ColumnSum | null)[]
}

const NUMERIC: ReadonlySet<string> = new Set(['integer', 'float'])

/** Amounts of the records and of their lines are summed, and the numbers that the list of the model sums up. */
export async function startTotals(
  env: Env,
  model: Model,
  columns: readonly ExportColumn[],
  currencyOf: CurrencyOf,
): Promise<Totals> {
  const summed = await summedFields(env, model)
  const sums = columns.map(({ path, field, form }) => {
    const isAmount = field.type.name === 'monetary'
    const isListed = NUMERIC.has(field.type.name) && summed.has(path)
    const isSummed = form === 'name' && (isListed || (isAmount && !isShared(env, model, path)))
    return { isSummed, byCurrency: new Map<string | null, number>() }
  })
  let count = 0
  return {
    add(rows) {
      count += rows.length
      for (const [i, { isSummed, byCurrency }] of sums.entries()) {
        if (!isSummed) continue
        const amounts = new Map<string | null, number[]>()
        for (const row of rows) {
          const value = row[i]
          if (value === null || value === undefined) continue
          const currency = currencyOf(row, i)
          const known = amounts.get(currency)
          if (known) known.push(value as number)
          else amounts.set(currency, [value as number])
        }
        for (const [currency, list] of amounts)
          byCurrency.set(currency, sumMoney([byCurrency.get(currency) ?? null, ...list]))
      }
    },
    result: () =>
      count < 2
        ? []
        : totalRows(
            env,
            sums.map(({ byCurrency }) => byCurrency),
          ),
  }
}

type Sums = ReadonlyMap<string | null, number>

function totalRows(env: Env, columns: readonly Sums[]): readonly TotalRow[] {
  if (columns.every(({ size }) => size === 0)) return []
  if (columns.every(({ size }) => size < 2))
    return [
      {
        label: columns[0]!.size === 0 ? { column: 0, text: env.t('Total') } : null,
        sums: columns.map((sums) => [...sums].map(([currency, sum]) => ({ sum, currency }))[0] ?? null),
      },
    ]
  const column = columns.findIndex(({ size }) => size === 0)
  // Without a free column for the label, a reader could not tell which currency a row of sums has.
  if (column === -1) return []
  // Plain numbers, which have no currency, come first.
  const currencies = [...new Set(columns.flatMap((sums) => [...sums.keys()]))]
  return currencies
    .toSorted((a, b) => (a ?? '').localeCompare(b ?? ''))
    .map((currency) => ({
      label: { column, text: currency === null ? env.t('Total') : env.t('Total {currency}', { currency }) },
      sums: columns.map((sums) => {
        const sum = sums.get(currency)
        return sum === undefined ? null : { sum, currency }
      }),
    }))
}

/** Whether several rows may show the value of one record: its amount would be counted for each of them. */
function isShared(env: Env, model: Model, path: string): boolean {
  let at: Model | undefined = model
  return path
    .split(/[./]/)
    .slice(0, -1)
    .some((step) => {
      const relation: Field['relation'] | undefined = at?.fields.get(step)?.relation
      at = env.registry.model(relation?.target ?? '')
      return relation?.kind !== 'one2many'
    })
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

/** A cell of the last row of a file: a sum or the label of the row. */
export class TotalCell {
  readonly value: number | string

  constructor(value: number | string) {
    this.value = value
  }
}

/** The rows, followed by the rows of sums, if there are any. */
export async function* withTotals(
  pages: AsyncIterable<readonly ExportRow[]>,
  totals: Totals,
): AsyncGenerator<readonly ExportRow[]> {
  for await (const rows of pages) {
    totals.add(rows)
    yield rows
  }
  const last = totals.result()
  if (last.length === 0) return
  yield last.map(({ label, sums }) =>
    sums.map((each, i) => (each ? new TotalCell(each.sum) : i === label?.column ? new TotalCell(label.text) : null)),
  )
}
