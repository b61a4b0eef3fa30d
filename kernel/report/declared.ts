import type { Block, DocumentContent, Fact, PaperSize } from '../document/content.ts'
import { type DocumentDef, type DocumentFact, type DocumentPath, pathsOf } from '../document/declare.ts'
import type { Env } from '../env.ts'
import { notFound } from '../errors.ts'
import { isLanguage } from '../i18n/language.ts'
import { regionalTag } from '../i18n/regional-tag.ts'
import { brandOf, lineOf } from './brand.ts'
import { lineTable } from './line-table.ts'
import { type DocumentValues, readPaths } from './record-values.ts'

/** The document of a model by its name. */
export function requireDocument(env: Env, model: string, name: string): DocumentDef {
  const found = env.registry.documents.find((def) => def.model === model && def.name === name)
  if (found === undefined)
    throw notFound('document_unknown', `${model} has no document ${name.slice(0, 80)}.`, { parameter: 'document' })
  return found
}

/** What a document about this record says, in the language of its receiver. */
export async function declaredContent(
  caller: Env,
  def: DocumentDef,
  id: number,
  paper: PaperSize = 'a4',
): Promise<DocumentContent> {
  const about = await readPaths(caller, def, id, [
    ...(def.lang ? [def.lang] : []),
    ...(def.company ? [`${def.company}/.id`] : []),
    ...(def.country ?? []),
  ])
  const lang = def.lang === undefined ? null : about.value(def.lang)
  const env = typeof lang === 'string' && isLanguage(lang) ? caller.inLanguage(lang) : caller
  const company = def.company === undefined ? null : about.value(`${def.company}/.id`)
  const countries = (def.country ?? []).map((path) => about.value(path)).filter((code) => typeof code === 'string')
  const record = await readPaths(env, def, id, pathsOf(def), regionalTag(env.lang, countries[0]))
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

function titleOf({ t }: Env, { title, number }: DocumentDef, record: DocumentValues): string {
  const known = typeof title === 'string' ? title : (title.titles[String(record.value(title.path))] ?? '')
  return lineOf([known === '' ? '' : t(known), record.text(number)], ' ')
}

const addressOf = ({ address }: DocumentDef, record: DocumentValues): readonly string[] =>
  address
    .map((paths) =>
      lineOf(
        paths.map((path) => record.text(path)),
        ' ',
      ),
    )
    .filter((line) => line !== '')

const factsOf = ({ t }: Env, record: DocumentValues, facts: readonly DocumentFact[]): readonly Fact[] =>
  facts.flatMap(({ label, path }): Fact[] => (record.text(path) === '' ? [] : [[t(label), record.fact(path)]]))

async function sumBlock(
  env: Env,
  sum: NonNullable<DocumentDef['sum']>,
  record: DocumentValues,
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

function signBlock({ t }: Env, { sign }: DocumentDef, record: DocumentValues): readonly Block[] {
  if (sign === undefined || !sign.when.values.includes(String(record.value(sign.when.path)))) return []
  return [{ kind: 'sign', heading: t(sign.heading), text: t(sign.text), places: sign.places.map((place) => t(place)) }]
}
