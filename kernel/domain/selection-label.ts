import { type Sql, sql } from '../sql/sql.ts'

/** The words of a selection as SQL; a key without words is shown as it is. */
export const selectionLabelSql = (
  key: Sql<unknown>,
  selection: ReadonlyMap<string, string>,
  t: (text: string) => string,
): Sql<unknown> => {
  const cases = [...selection].map(([each, label]) => sql`when ${each} then ${t(label)}`)
  return cases.length === 0 ? sql`${key}::text` : sql`case ${key} ${sql.join(cases, sql` `)} else ${key} end`
}
