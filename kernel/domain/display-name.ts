import type { Model } from '../model/registry.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { selectionLabelSql } from './selection-label.ts'
import { translatedColumn } from './translated-column.ts'

/** Language and translations of a name. Without `t` a selection appears as its key, for comparisons. */
export interface NameWords {
  readonly lang?: string | undefined
  readonly t?: (text: string) => string
}

/** The display name of a record as SQL over its own row: its display fields joined by a blank, null when all are unset. */
export function displayNameSql(model: Model, alias: string, { lang, t }: NameWords): Sql<string | null> {
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

/** The display name from the values of a record. */
export function displayNameOf(model: Model, record: Readonly<Record<string, unknown>>): string | null {
  if (model.displayFields.length === 0) return `${model.name},${record['id']}`
  const values = model.displayFields.map((name) => record[name])
  const parts = values.filter((value) => value !== null && value !== undefined).map(String)
  return parts.join(' ') || null
}
