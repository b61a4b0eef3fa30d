import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'
import { SLOW_TABLE_BYTES } from './diff.ts'
import { SORT_SUFFIX } from './spec.ts'

/** A table with too many records to read all of them for one page of a list. */
export interface LargeTable {
  /** An estimate of the number of its rows. */
  readonly rows: number
  /** Names of the indexes of its lists, as far as they can be used. */
  readonly sorts: ReadonlySet<string>
}

export type LargeTables = ReadonlyMap<string, LargeTable>

export const NO_LARGE_TABLES: LargeTables = new Map()

/** The large tables now. Read when a process loads its state, and again after indexes were built. */
export async function readLargeTables(db: Db): Promise<LargeTables> {
  const { rows } = await sql<{ name: string; rows: number; sorts: string[] }>`
    select c.relname as name, c.reltuples::float8 as rows,
      array(select x.relname::text from pg_index i join pg_class x on x.oid = i.indexrelid
        where i.indrelid = c.oid and i.indisvalid and right(x.relname::text, ${SORT_SUFFIX.length}) = ${SORT_SUFFIX}) as sorts
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and pg_relation_size(c.oid) > ${SLOW_TABLE_BYTES}`.execute(db)
  return new Map(rows.map((row) => [row.name, { rows: row.rows, sorts: new Set(row.sorts) }]))
}
