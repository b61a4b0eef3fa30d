import type { Field } from '../model/fields/field.ts'
import { closestOf, translationName } from '../model/fields/translation.ts'
import { type Sql, sql } from '../sql/sql.ts'

/** The text of a field in a language; the English one if it has no translation or no language is given. */
export function translatedColumn(alias: string, { column, languages }: Field, lang?: string): Sql<unknown> {
  const english = sql.ref(`${alias}.${column}`)
  const closest = lang === undefined ? undefined : closestOf(languages, lang)
  if (closest === undefined) return english
  return sql`coalesce(${sql.ref(`${alias}.${translationName(column!, closest)}`)}, ${english})`
}
