import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'

/**
 * Tables whose rows belong to the moment and not to the data: what was signed in, announced or counted when a backup was made. A
 * backup leaves them out, and a restore empties them, so that no event is sent twice, no session lives again, and no link that has
 * been used since opens anything.
 */
export const MOMENTARY_TABLES = [
  'sys_outbox',
  'sys_session',
  'sys_reset',
  'sys_flash',
  'sys_rate',
  'sys_presence',
  'sys_fence',
] as const

/** Makes a restored database fit to be served. Answers how many mails now wait for a person, since they may have been sent. */
export async function settleRestored(db: Db): Promise<number> {
  return db.transaction().execute(async (tx) => {
    for (const table of MOMENTARY_TABLES) await sql`delete from ${sql.table(table)}`.execute(tx)
    const { rows } = await sql<{ count: string }>`
      with held as (
        update sys_mail set state = 'unknown', owner = null, lease_until = null
        where state in ('queued', 'sending') returning 1)
      select count(*) from held`.execute(tx)
    return Number(rows[0]!.count)
  })
}
