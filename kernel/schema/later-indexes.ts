import { bumpTableEpoch } from '../epoch.ts'
import type { Registry } from '../model/registry.ts'
import type { Db } from '../sql/database.ts'
import { runScript } from '../sql/ddl.ts'
import { sql } from '../sql/sql.ts'
import type { ListedFields } from './spec.ts'
import { planSync } from './sync.ts'

/** Whoever builds indexes holds it, in the whole installation. */
const TURN = sql`hashtextextended('modulus.indexes', 0)`

/**
 * Builds the indexes that large tables lack, and drops those of columns that no list shows any more, while others read and write them; answers
 * the names of the new ones. Nothing while another process does
 * so. `db` needs sessions of its own, without limits of time. What is interrupted is done again the next time.
 */
export const buildLaterIndexes = (db: Db, registry: Registry, listed: ListedFields): Promise<string[]> =>
  db.connection().execute(async (session) => {
    const { rows } = await sql<{ is_ours: boolean }>`select pg_try_advisory_lock(${TURN}) as is_ours`.execute(session)
    if (!rows[0]!.is_ours) return []
    try {
      const { later } = await planSync(session, registry, listed)
      for (const { statements } of later) for (const statement of statements) await runScript(session, statement)
      // What an index over an expression holds is known to the planner only after that.
      const built = later.filter(({ kind }) => kind === 'create index')
      for (const table of new Set(built.map(({ table }) => table)))
        await sql`analyze ${sql.table(table)}`.execute(session)
      // Whoever sorts by them is to know.
      if (later.length > 0) await bumpTableEpoch(session)
      return built.map(({ target }) => target!)
    } finally {
      await sql`select pg_advisory_unlock(${TURN})`.execute(session)
    }
  })
