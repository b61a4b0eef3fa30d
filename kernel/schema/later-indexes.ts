import { bumpTableEpoch } from '../epoch.ts'
import type { Registry } from '../model/registry.ts'
import type { Db } from '../sql/database.ts'
import { runScript } from '../sql/ddl.ts'
import { sql } from '../sql/sql.ts'
import type { ListedFields } from './spec.ts'
import { planSync } from './sync.ts'

/** The advisory lock of the process that builds indexes, in the whole installation. */
const TURN = sql`hashtextextended('modulus.indexes', 0)`

/**
 * Builds the indexes that large tables lack, and drops those of columns that no list shows any more, without blocking reads and writes;
 * returns the names of the new ones. Does nothing while another process is doing this. `db` needs its own sessions without time limits.
 * An interrupted build is repeated the next time.
 */
export const buildLaterIndexes = (db: Db, registry: Registry, listed: ListedFields): Promise<string[]> =>
  db.connection().execute(async (session) => {
    const { rows } = await sql<{ is_ours: boolean }>`select pg_try_advisory_lock(${TURN}) as is_ours`.execute(session)
    if (!rows[0]!.is_ours) return []
    try {
      const { later } = await planSync(session, registry, listed)
      for (const { statements } of later) for (const statement of statements) await runScript(session, statement)
      // The planner knows the statistics of an index over an expression only after ANALYZE.
      const built = later.filter(({ kind }) => kind === 'create index')
      for (const table of new Set(built.map(({ table }) => table)))
        await sql`analyze ${sql.table(table)}`.execute(session)
      // Processes read the large tables again, to sort with the new indexes.
      if (later.length > 0) await bumpTableEpoch(session)
      return built.map(({ target }) => target!)
    } finally {
      await sql`select pg_advisory_unlock(${TURN})`.execute(session)
    }
  })
