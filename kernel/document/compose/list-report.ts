import type { Env } from '../../env.ts'
import type { ExportParams } from '../../exchange/export/export-query.ts'
import type { ExportRow } from '../../exchange/export/export-rows.ts'
import type { Model } from '../../model/registry.ts'
import { sumMoney } from '../../money.ts'
import { parseOrder } from '../../orm/statement/order.ts'
import { parseChecked } from '../../orm/statement/scope.ts'
import { elementsBelow } from '../../view/arch/arch.ts'
import type { Block, DocumentContent, Fact, PaperSize, TableCell } from '../content.ts'
import { brandOf } from './brand.ts'
import { type CollectedRows, collectRows } from './collect-rows.ts'
import { domainFacts } from './domain-words.ts'
import { mapInSlices } from './slices.ts'
import { type ValueWriter, valueWriter } from './value-text.ts'

export type ReportParams = ExportParams & { readonly page_size: PaperSize }

const NUMERIC: ReadonlySet<string> = new Set(['integer', 'float', 'monetary'])
/** What is longer is cut in a list; the sheet of a record shows more of it. */
const MAX_CELL_CHARS = 300

/** A list of records as a report: what it shows in words, one row for each of them, and totals. */
export async function listReport(env: Env, params: ReportParams): Promise<DocumentContent> {
  const writer = valueWriter(env)
  const collected = await collectRows(env, writer, params, { own: MAX_CELL_CHARS, line: MAX_CELL_CHARS })
  const { model } = collected.tree.root
  const title = collected.name
  const currencies = currenciesOf(collected)
  return {
    ...(await frameOf(env, writer, { title, paper: params.page_size })),
    blocks: [
      { kind: 'title', text: title, subtitle: lineAbout(env, model, collected.rows.length, params.order) },
      { kind: 'facts', facts: await factsOf(env, writer, collected, params, currencies) },
      await tableOf(env, writer, collected, currencies),
    ],
  }
}

/** What every report has: company, date, user, numbers of pages. */
export async function frameOf(
  env: Env,
  writer: ValueWriter,
  { title, paper }: { readonly title: string; readonly paper: PaperSize },
): Promise<Omit<DocumentContent, 'blocks'>> {
  const { name, logo } = await brandOf(env)
  const date = writer.datetime(env.now.toISOString(), 'long')
  return {
    title,
    lang: writer.tag,
    author: name,
    createdAt: env.now.toISOString(),
    paper,
    orientation: 'auto',
    letterhead: {
      name,
      logo,
      note: env.t('Printed {date} by {user}', { date, user: env.user.name }),
      laterNote: title,
      isLetter: false,
    },
    footer: { columns: [], note: title, pageText: env.t('Page {page} of {pages}') },
  }
}

/** "38 records, by Order Date, descending". */
function lineAbout(env: Env, model: Model, count: number, order: string | undefined): string {
  const records = count === 1 ? env.t('1 record') : env.t('{count} records', { count })
  if (order === undefined) return records
  const [first] = parseOrder(env, model, order)
  const field = env.t(model.fields.get(first!.field)!.label)
  return first!.descending
    ? env.t('{records}, by {field}, descending', { records, field })
    : env.t('{records}, by {field}', { records, field })
}

async function factsOf(
  env: Env,
  writer: ValueWriter,
  { tree, query }: CollectedRows,
  { id, ids }: ReportParams,
  currencies: readonly (string | null)[],
): Promise<readonly Fact[]> {
  const [currency, ...others] = currencies
  const amounts: readonly Fact[] = currency && others.length === 0 ? [[env.t('Amounts'), currency]] : []
  // A selection was made by hand: there is nothing to say about it.
  if (id !== undefined || ids !== undefined) return amounts
  const node = parseChecked(env, tree.root.model, query.domain)
  return [...(await domainFacts(env, writer, node)), ...amounts]
}

/** Every currency of the amounts that are shown. */
const currenciesOf = ({ rows, columns, currency }: CollectedRows): readonly (string | null)[] => [
  ...new Set(
    columns.flatMap(({ field }, i) =>
      field.type.name === 'monetary'
        ? rows.flatMap((row) => (row[i] === null || row[i] === undefined ? [] : currency(row, i)))
        : [],
    ),
  ),
]

async function tableOf(
  env: Env,
  writer: ValueWriter,
  collected: CollectedRows,
  currencies: readonly (string | null)[],
): Promise<Block> {
  const { columns, rows, text, currency } = collected
  const isMixed = currencies.length > 1
  const cell = (row: ExportRow, i: number): string => {
    const written = text(row, i)
    const code = isMixed && written !== '' ? currency(row, i) : null
    return code === null ? written : `${written}\u00a0${code}`
  }
  return {
    kind: 'table',
    heading: '',
    look: 'list',
    columns: columns.map(({ label, field, form }, i) => ({
      label,
      align: NUMERIC.has(field.type.name) && form === 'name' && field.name !== 'id' ? 'end' : 'start',
      isName: i === 0,
    })),
    rows: await mapInSlices(env, rows, columns.length, (row) => columns.map((_, i) => cell(row, i))),
    totals: await totalsOf(env, writer, collected, currencies),
  }
}

/** Sums of amounts in one currency, and of the numbers that the list of the model sums up; null if there are none. */
async function totalsOf(
  env: Env,
  writer: ValueWriter,
  { tree, columns, rows }: CollectedRows,
  currencies: readonly (string | null)[],
): Promise<readonly TableCell[] | null> {
  if (rows.length < 2) return null
  const summed = await summedFields(env, tree.root.model)
  const totals = columns.map(({ field, path }, i): string => {
    const sum = () => sumMoney(rows.map((row) => (row[i] ?? null) as number | null))
    if (field.type.name === 'monetary') return currencies.length > 1 ? '' : writer.amount(sum(), currencies[0] ?? null)
    return NUMERIC.has(field.type.name) && summed.has(path) ? writer.text(field, sum()) : ''
  })
  if (totals.every((total) => total === '')) return null
  return totals.map((total, i) => (i === 0 && total === '' ? env.t('Total') : total))
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
