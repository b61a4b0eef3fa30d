import type { Block, DocumentContent, Fact, PaperSize, TableCell } from '../document/content.ts'
import type { Env } from '../env.ts'
import { type ExportColumn, headingOf } from '../exchange/export/columns.ts'
import type { ExportParams } from '../exchange/export/export-query.ts'
import type { ExportRow } from '../exchange/export/export-rows.ts'
import { startTotals } from '../exchange/export/totals.ts'
import type { Model } from '../model/registry.ts'
import { parseOrder } from '../orm/statement/order.ts'
import { parseChecked } from '../orm/statement/scope.ts'
import { brandOf } from './brand.ts'
import { type CollectedRows, collectRows } from './collect-rows.ts'
import { domainFacts } from './domain-words.ts'
import { type ValueWriter, valueWriter } from './value-text.ts'
import { writeRows } from './write-rows.ts'

export type ReportParams = ExportParams & { readonly page_size: PaperSize }

const NUMERIC: ReadonlySet<string> = new Set(['integer', 'float', 'monetary'])
/** Longer texts are cut in a list; the sheet of a record shows more of them. */
const MAX_CELL_CHARS = 300

/** A list of records as a report: what it shows in words, one row for each of them, and totals. */
export async function listReport(env: Env, params: ReportParams): Promise<DocumentContent> {
  const { t, tz, lang } = env
  const isOwn = params.locale?.split('-')[0] === lang
  const writer = valueWriter({ t, tz, lang: isOwn ? params.locale! : lang })
  const collected = await collectRows(env, writer, params, { own: MAX_CELL_CHARS, line: MAX_CELL_CHARS })
  const { model } = collected.tree.root
  const title = collected.name
  const currencies = currenciesOf(collected)
  return {
    ...(await frameOf(env, writer, { title, paper: params.page_size })),
    blocks: [
      { kind: 'title', text: title, subtitle: lineAbout(env, model, collected.rows.length, params.order) },
      { kind: 'facts', facts: await factsOf(env, writer, collected, params, currencies) },
      await tableOf(env, writer, collected, { isMixed: currencies.length > 1, hasTotals: params.totals !== false }),
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
  // Records selected by hand need no description of a query.
  if (id !== undefined || ids !== undefined) return amounts
  const node = parseChecked(env, tree.root.model, query.domain)
  return [...(await domainFacts(env, writer, node)), ...amounts]
}

/** Every currency of the amounts that are shown. */
const currenciesOf = ({ rows, columns, currencyOf }: CollectedRows): readonly (string | null)[] => [
  ...new Set(
    columns.flatMap(({ field }, i) =>
      field.type.name === 'monetary'
        ? rows.flatMap((row) => (row[i] === null || row[i] === undefined ? [] : currencyOf(row, i)))
        : [],
    ),
  ),
]

async function tableOf(
  env: Env,
  writer: ValueWriter,
  collected: CollectedRows,
  { isMixed, hasTotals }: { readonly isMixed: boolean; readonly hasTotals: boolean },
): Promise<Block> {
  const { columns, rows, text, currencyOf } = collected
  const cell = (row: ExportRow, i: number): string => {
    const written = text(row, i)
    const code = isMixed && written !== '' ? currencyOf(row, i) : null
    return code === null ? written : `${written}\u00a0${code}`
  }
  return {
    kind: 'table',
    heading: '',
    look: 'list',
    columns: columns.map((column, i) => ({
      label: headingOf(column, true),
      align: isQuantity(column) ? 'end' : 'start',
      isName: i === 0,
    })),
    rows: await writeRows(env, rows, columns.length, (row) => columns.map((_, i) => cell(row, i))),
    totals: hasTotals ? await totalsOf(env, writer, collected, isMixed) : [],
  }
}

/** Whether numbers of the column may be summed; an id may not. */
const isQuantity = ({ field, form }: ExportColumn): boolean =>
  NUMERIC.has(field.type.name) && form === 'name' && field.name !== 'id'

/** The rows with the sums of the columns. */
async function totalsOf(
  env: Env,
  writer: ValueWriter,
  { tree, columns, rows, currencyOf }: CollectedRows,
  isMixed: boolean,
): Promise<readonly (readonly TableCell[])[]> {
  const totals = await startTotals(env, tree.root.model, columns, currencyOf)
  totals.add(rows)
  return totals.result().map(({ label, sums }) =>
    sums.map((each, i): string => {
      if (each === null) return i === label?.column ? label.text : ''
      const written = writer.text(columns[i]!.field, each.sum, each.currency)
      return isMixed && each.currency !== null ? `${written}\u00a0${each.currency}` : written
    }),
  )
}
