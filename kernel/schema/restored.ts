import type { Db } from '../sql/database.ts'

/**
 * Tables whose rows are only valid at the moment of a backup: sessions, links, events, counters. A backup leaves them out, and a restore
 * empties them, so that no event is sent twice, no ended session is valid again, and no used link works again.
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

/** Prepares a restored database for use. Returns how many mails now wait for a person's decision, since they may have been sent. */
export async function settleRestored(db: Db): Promise<number> {
  return db.transaction().execute(async (tx) => {
    for (const table of MOMENTARY_TABLES) await tx.deleteFrom(table).execute()
    const { numUpdatedRows } = await tx
      .updateTable('sys_mail')
      .set({ state: 'unknown', owner: null, lease_until: null })
      .where('state', 'in', ['queued', 'sending'])
      .executeTakeFirstOrThrow()
    return Number(numUpdatedRows)
  })
}
