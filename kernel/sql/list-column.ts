import { type Sql, sql } from './sql.ts'

/** The rows of a query, in their order, as one column: several lists in one statement are lists of one state of the database. */
export const listColumn = <T>(query: Sql<T>): Sql<readonly T[]> =>
  sql`(select coalesce(json_agg(l), '[]') from (${query}) l)`
