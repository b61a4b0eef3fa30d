import type { Db } from '../../kernel/sql/database.ts'
import { type Sql, sql } from '../../kernel/sql/sql.ts'

/** Runs a statement that makes many rows, without the time limit of a request: on a busy machine it takes longer than that. */
export const withoutTimeLimit = (db: Db, statement: Sql<unknown>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await statement.execute(tx)
  })
