import { sql } from '../../kernel/sql/sql.ts'
import type { TestDatabase } from './database.ts'

/** Adds so many copies of a row with one statement, without its unique columns; the ids of all of them. */
export async function multiply(
  { db }: Pick<TestDatabase, 'db'>,
  table: string,
  id: number,
  count: number,
): Promise<number[]> {
  const { rows } = await sql<{ name: string }>`
    select a.attname as name from pg_attribute as a
    where a.attrelid = to_regclass(${table}) and a.attnum > 0 and not a.attisdropped
      and not exists (select from pg_index as i where i.indrelid = a.attrelid and i.indisunique and a.attnum = any(i.indkey))`.execute(
    db,
  )
  const columns = sql.join(rows.map(({ name }) => sql.id(name)))
  const { rows: copies } = await sql<{ id: number }>`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from ${sql.table(table)}, generate_series(1, ${count}::int) where id = ${id} returning id`.execute(
    db,
  )
  return copies.map((copy) => copy.id)
}
