import type { Field } from '../model/fields/field.ts'
import { translationName } from '../model/fields/translation.ts'
import type { Model, Registry } from '../model/registry.ts'
import { sortedCharsOf } from '../model/sorted-column.ts'
import { identifier, literal } from '../sql/ddl.ts'
import { columnList, objectName } from './names.ts'
import type { IndexSpec, SchemaFeatures } from './spec.ts'

/** Maximum bytes of a B-tree entry, with a margin; the INSERT of a longer value would fail. */
const BTREE_BYTES = 2_600
const BYTES_PER_CHAR = 4
const PLAIN_BYTES = 16

const bytesOf = (field: Field): number =>
  field.type.comparison === 'text' ? (field.size ?? Number.POSITIVE_INFINITY) * BYTES_PER_CHAR : PLAIN_BYTES

export function indexesOf(
  model: Model,
  stored: readonly Field[],
  registry: Registry,
  features: SchemaFeatures,
  sorted: readonly string[],
): IndexSpec[] {
  const plain = stored.filter((field) => !field.unique && (field.index || isWalked(model, field, registry)))
  const searched = stored.filter((field) => model.searchFields.includes(field.name) && field.type.comparison === 'text')
  return [
    ...plain.map((field) => ({
      name: objectName(model.table, field.name, 'idx'),
      definition: `${bytesOf(field) > BTREE_BYTES ? 'USING hash ' : ''}${columnList([field.column!])}`,
    })),
    ...orderIndexes(model),
    ...sortIndexes(model, stored, sorted),
    ...(features.trigrams ? searched.flatMap((field) => trigramIndexes(model, field)) : []),
    ...(features.trigrams ? shownTextsIndex(model, stored) : []),
  ]
}

/** An index for the text itself, and one for each language over the text that its readers see. */
const trigramIndexes = ({ table }: Model, field: Field): IndexSpec[] =>
  [undefined, ...field.languages].map((lang) => ({
    name: objectName(table, lang === undefined ? field.name : translationName(field.name, lang), 'trgm'),
    definition: `USING gin (svc_fold(${textInLanguage(field, lang)}) gin_trgm_ops)`,
  }))

/** PostgreSQL allows 32. */
const MAX_INDEXED_TEXTS = 16

/** One index over the other short texts, for searches in all columns of a list. */
function shownTextsIndex(model: Model, stored: readonly Field[]): IndexSpec[] {
  const texts = stored
    .filter(({ name, type, secret }) => type.name === 'char' && !secret && !model.searchFields.includes(name))
    .flatMap((field) => [undefined, ...field.languages].map((lang) => textInLanguage(field, lang)))
    .slice(0, MAX_INDEXED_TEXTS)
  if (texts.length === 0) return []
  const columns = texts.map((text) => `svc_fold(${text}) gin_trgm_ops`)
  const definition = `USING gin (${columns.join(', ')})`
  return [{ name: objectName(model.table, 'shown_texts', 'trgm'), definition, isOfLarge: true }]
}

/** Indexes for the model's default order: one as English readers see it, and one for each language its texts may be in. */
function orderIndexes(model: Model): IndexSpec[] {
  if (model.order[0]?.field === 'id') return []
  const languages = new Set(model.order.flatMap(({ field }) => model.fields.get(field)?.languages ?? []))
  return [undefined, ...languages].flatMap((lang) => orderIndex(model, lang))
}

/** An index over the leading terms of the order that are columns of the model's own table and fit into an index. */
function orderIndex(model: Model, lang: string | undefined): IndexSpec[] {
  const terms: string[] = []
  let bytes = 0
  for (const { field: name, descending } of model.order) {
    const field = model.fields.get(name)
    bytes += field === undefined ? 0 : sortedBytesOf(field)
    if (!field || field.column === null || field.relation !== null || bytes > BTREE_BYTES) break
    terms.push(`${sortTerm(field, lang)}${descending ? ' DESC' : ''}`)
  }
  if (terms.length === 0) return []
  const of = lang === undefined ? 'default' : translationName('default', lang)
  return [{ name: objectName(model.table, of, 'order'), definition: `(${terms.join(', ')})` }]
}

/** Ten of them made an INSERT take a sixth longer, at 100,000 records, and one takes 20 to 40 MB for a million. */
const MAX_SORTED_COLUMNS = 10

/**
 * Indexes for the columns of a list that a user may sort by: the key as `ORDER BY` has it and the id, so that one index serves both
 * directions and pages after a cursor. A link is sorted by its targets; its index finds the records of each target in turn.
 */
function sortIndexes(model: Model, stored: readonly Field[], sorted: readonly string[]): IndexSpec[] {
  const first = model.order[0]!
  const isDefault = ({ name }: Field) => name === first.field && model.order.length === 2 && !first.descending
  return sorted
    .flatMap((name) => stored.filter((field) => field.name === name && field.type.sortable && name !== 'id'))
    .filter((field) => !isDefault(field))
    .slice(0, MAX_SORTED_COLUMNS)
    .flatMap((field) =>
      [undefined, ...field.languages].map((lang) => ({
        name: objectName(model.table, lang === undefined ? field.name : translationName(field.name, lang), 'sort'),
        definition: `(${sortTerm(field, lang)}, "id")`,
        isOfLarge: true,
      })),
    )
}

const sortedBytesOf = (field: Field): number => {
  const chars = sortedCharsOf(field)
  return chars === null ? bytesOf(field) : chars * BYTES_PER_CHAR
}

/** A field as `ORDER BY` has it for readers of a language. */
function sortTerm(field: Field, lang: string | undefined): string {
  const text = textInLanguage(field, lang)
  if (field.type.comparison !== 'text') return text
  const chars = sortedCharsOf(field)
  const key = chars === null ? text : `left(${text}, ${literal(chars).text})`
  return `${key} COLLATE "und-x-icu"`
}

/** A column as an index has it for readers of a language: the English text where there is no other. */
function textInLanguage({ column, languages }: Field, lang: string | undefined): string {
  const english = identifier(column!).text
  if (lang === undefined || !languages.includes(lang)) return english
  return `COALESCE(${identifier(translationName(column!, lang)).text}, ${english})`
}

/**
 * Whether records are looked up by this many2one: a hierarchy, the inverse of a one2many, or children that are deleted with
 * their parent.
 */
function isWalked(model: Model, field: Field, registry: Registry): boolean {
  const { relation } = field
  if (relation?.kind !== 'many2one' || field.system) return false
  if (relation.ondelete === 'cascade' || model.parentField === field.name) return true
  for (const { relation: other } of registry.model(relation.target)?.fields.values() ?? []) {
    if (other?.kind === 'one2many' && other.target === model.name && other.inverse === field.name) return true
  }
  return false
}
