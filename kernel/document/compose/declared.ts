import type { Env } from '../../env.ts'
import { notFound } from '../../errors.ts'
import type { ExportRow } from '../../exchange/export/export-rows.ts'
import { isLanguage } from '../../i18n/language.ts'
import { LIMITS } from '../../limits.ts'
import type { Block, DocumentContent, Fact, PaperSize, TableCell } from '../content.ts'
import { type DocumentColumn, type DocumentDef, type DocumentFact, type DocumentPath, pathsOf } from '../declare.ts'
import { brandOf, lineOf } from './brand.ts'
import { collectRows } from './collect-rows.ts'
import { mapInSlices } from './slices.ts'
import { type ValueWriter, valueWriter } from './value-text.ts'

/** A letter shows its texts whole, as long as a field can be; of a line some pages. */
const ROOM = { own: LIMITS.textChars, line: 4_000 }

/** The document of a model by its name. */
export function requireDocument(env: Env, model: string, name: string): DocumentDef {
  const found = env.registry.documents.find((def) => def.model === model && def.name === name)
  if (found === undefined)
    throw notFound('document_unknown', `${model} has no document ${name.slice(0, 80)}.`, { parameter: 'document' })
  return found
}

/** What a document about this record says, in the language of whoever gets it. */
export async function declaredContent(
  caller: Env,
  def: DocumentDef,
  id: number,
  paper: PaperSize = 'a4',
): Promise<DocumentContent> {
  const about = await readPaths(caller, def, id, [
    ...(def.lang ? [def.lang] : []),
    ...(def.company ? [`${def.company}/.id`] : []),
  ])
  const lang = def.lang === undefined ? null : about.value(def.lang)
  const env = typeof lang === 'string' && isLanguage(lang) ? caller.inLanguage(lang) : caller
  const company = def.company === undefined ? null : about.value(`${def.company}/.id`)
  const record = await readPaths(env, def, id, pathsOf(def))
  const brand = await brandOf(env, typeof company === 'number' ? company : null)
  const title = titleOf(env, def, record)
  const [recipient = ''] = addressOf(def, record)
  return {
    title,
    lang: record.writer.tag,
    author: brand.name,
    createdAt: env.now.toISOString(),
    paper,
    orientation: 'portrait',
    letterhead: {
      name: brand.name,
      logo: brand.logo,
      note: brand.address,
      laterNote: lineOf([title, recipient], ', '),
      isLetter: true,
    },
    footer: { columns: brand.columns, note: '', pageText: env.t('Page {page} of {pages}') },
    blocks: [
      {
        kind: 'address',
        from: lineOf([brand.name, brand.address], ', '),
        lines: addressOf(def, record),
        facts: factsOf(env, record, def.facts),
      },
      { kind: 'title', text: title, subtitle: def.subtitle === undefined ? '' : record.text(def.subtitle) },
      ...(def.lines ? [await lineTable(env, def.lines, record)] : []),
      ...(def.sum ? [await sumBlock(env, def.sum, record, id)] : []),
      ...(def.texts ?? []).map(
        ({ heading, path }): Block => ({ kind: 'text', heading: env.t(heading), text: record.text(path) }),
      ),
      ...signBlock(env, def, record),
    ],
  }
}

/** The values of a record by path. */
interface RecordValues {
  readonly writer: ValueWriter
  /** One row for each line of the record, at least one. */
  readonly rows: readonly ExportRow[]
  value(path: DocumentPath, row?: ExportRow): unknown
  text(path: DocumentPath, row?: ExportRow): string
  /** The same as a letter writes it: days in full, and no time of day. */
  fact(path: DocumentPath): string
}

async function readPaths(env: Env, def: DocumentDef, id: number, paths: readonly string[]): Promise<RecordValues> {
  const writer = valueWriter(env)
  const fields = paths.length === 0 ? ['id'] : [...paths]
  const { rows, columns, text } = await collectRows(env, writer, { model: def.model, fields, id }, ROOM)
  const place = new Map(columns.map(({ path }, i) => [path, i]))
  const first = rows[0] ?? []
  return {
    writer,
    rows,
    value: (path, row = first) => row[place.get(path)!] ?? null,
    text: (path, row = first) => text(row, place.get(path)!),
    fact(path) {
      const [value, { field }] = [first[place.get(path)!], columns[place.get(path)!]!]
      if (typeof value !== 'string') return text(first, place.get(path)!)
      if (field.type.name === 'date') return writer.date(value, 'long')
      return field.type.name === 'datetime' ? writer.day(value) : text(first, place.get(path)!)
    },
  }
}

function titleOf({ t }: Env, { title, number }: DocumentDef, record: RecordValues): string {
  const known = typeof title === 'string' ? title : (title.titles[String(record.value(title.path))] ?? '')
  return lineOf([known === '' ? '' : t(known), record.text(number)], ' ')
}

const addressOf = ({ address }: DocumentDef, record: RecordValues): readonly string[] =>
  address
    .map((paths) =>
      lineOf(
        paths.map((path) => record.text(path)),
        ' ',
      ),
    )
    .filter((line) => line !== '')

const factsOf = ({ t }: Env, record: RecordValues, facts: readonly DocumentFact[]): readonly Fact[] =>
  facts.flatMap(({ label, path }): Fact[] => (record.text(path) === '' ? [] : [[t(label), record.fact(path)]]))

const NUMERIC: ReadonlySet<string> = new Set(['number', 'bigint'])

async function lineTable(env: Env, lines: NonNullable<DocumentDef['lines']>, record: RecordValues): Promise<Block> {
  const at = (path: DocumentPath) => `${lines.path}.${path}`
  const rows = record.rows.filter((row) => lines.columns.some(({ path }) => record.value(at(path), row) !== null))
  const isUsed = ({ path, isPercent = false }: DocumentColumn) =>
    rows.some((row) => {
      const value = record.value(at(path), row)
      return value !== null && !(isPercent && value === 0) && !(Array.isArray(value) && value.length === 0)
    })
  const columns = lines.columns.filter(isUsed)
  const cell = ({ path, hasDetails, unit, isPercent }: DocumentColumn, row: ExportRow): TableCell => {
    const text = record.text(at(path), row)
    if (hasDetails) {
      const [first = '', ...details] = text.split('\n')
      return { text: first, details: details.join('\n') }
    }
    if (isPercent) return record.value(at(path), row) === 0 ? '' : `${text}\u00a0%`
    return lineOf([text, unit === undefined ? '' : record.text(at(unit), row)], '\u00a0')
  }
  const isNumber = ({ path }: DocumentColumn) => rows.some((row) => NUMERIC.has(typeof record.value(at(path), row)))
  return {
    kind: 'table',
    heading: '',
    look: 'lines',
    columns: [
      { label: env.t('No.'), align: 'start' },
      ...columns.map((column) => ({
        label: env.t(column.label),
        align: isNumber(column) || column.unit !== undefined ? ('end' as const) : ('start' as const),
        ...(column.hasDetails && { isName: true }),
      })),
    ],
    rows: await mapInSlices(env, rows, columns.length, (row, i) => [
      String(i + 1),
      ...columns.map((column) => cell(column, row)),
    ]),
    totals: [],
  }
}

async function sumBlock(
  env: Env,
  sum: NonNullable<DocumentDef['sum']>,
  record: RecordValues,
  id: number,
): Promise<Block> {
  const code = record.value(sum.currency)
  const currency = typeof code === 'string' ? code : null
  const { writer } = record
  const amount = (path: DocumentPath) => Number(record.value(path) ?? 0)
  const parts = (await sum.parts?.(env, id)) ?? []
  return {
    kind: 'sum',
    note: currency === null ? '' : env.t('All prices in {currency}.', { currency }),
    facts: [
      ...sum.facts.map(({ label, path }): Fact => [env.t(label), writer.amount(amount(path), currency)]),
      ...parts.map(({ label, base, amount: part }): Fact => {
        const from = base === undefined ? null : writer.amount(base, currency)
        return [
          from === null ? label : env.t('{part} on {amount}', { part: label, amount: from }),
          writer.amount(part, currency),
        ]
      }),
    ],
    total: [env.t(sum.total.label), writer.money(amount(sum.total.path), currency)],
  }
}

function signBlock({ t }: Env, { sign }: DocumentDef, record: RecordValues): readonly Block[] {
  if (sign === undefined || !sign.when.values.includes(String(record.value(sign.when.path)))) return []
  return [{ kind: 'sign', heading: t(sign.heading), text: t(sign.text), places: sign.places.map((place) => t(place)) }]
}
