import type { Model } from '../model/registry.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { NO_READER, type ReaderWords } from './reader-words.ts'
import { selectionLabelSql } from './selection-label.ts'
import { translatedColumn } from './translated-column.ts'

/**
 * The display name of a record as SQL over its own row: its display fields joined by a blank, null when all are unset. It is
 * compared in the words in which it is read, so that a name on the screen or in a file finds its record.
 */
export function displayNameSql(model: Model, alias: string, { lang, t }: ReaderWords): Sql<string | null> {
  const columns = model.displayFields.map((name) => {
    const field = model.fields.get(name)!
    const reference = translatedColumn(alias, field, lang)
    if (t && field.selection !== null) return selectionLabelSql(reference, field.selection, t)
    // Text is not cast, so that an index on it can be used.
    return field.type.comparison === 'text' ? reference : sql`${reference}::text`
  })
  if (columns.length === 0) return sql`(${`${model.name},`}::text || ${sql.ref(`${alias}.id`)})`
  if (columns.length === 1) return sql`${columns[0]}`
  return sql`nullif(concat_ws(' ', ${sql.join(columns)}), '')`
}

/** The display name from the values of a record, whose texts are in the language of the words. */
export function displayNameOf(
  model: Model,
  record: Readonly<Record<string, unknown>>,
  { t }: ReaderWords = NO_READER,
): string | null {
  if (model.displayFields.length === 0) return `${model.name},${record['id']}`
  const parts = model.displayFields.flatMap((name) => {
    const value = record[name]
    if (value === null || value === undefined) return []
    const label = model.fields.get(name)!.selection?.get(String(value))
    return t && label !== undefined ? t(label) : String(value)
  })
  return parts.join(' ') || null
}
