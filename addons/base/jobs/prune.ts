import { dynamic, type Env, sql } from '#kernel'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** How long things are kept that nobody asks for again. */
export const RETENTION_MS = {
  /** Reach of the live event log; a client that was away longer reloads. */
  outbox: 15 * MINUTE,
  idempotency: DAY,
  /** Old values for the merge of a form somebody left open. */
  revision: 30 * DAY,
  cronRun: 30 * DAY,
  log: 14 * DAY,
  mail: 30 * DAY,
} as const

/** Entries of the log that are kept, however young the others are. */
const LOG_ROWS = 1_000_000
const STEP_ROWS = 5_000
const MAX_STEPS = 40

const before = (env: Env, ms: number): string => new Date(env.now.getTime() - ms).toISOString()

/** Every few minutes: shortens the event log, in steps, so that no statement is long. What is left waits for the next run. */
export async function pruneOutbox(env: Env): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    const { numDeletedRows } = await env.tx
      .deleteFrom('sys_outbox')
      .where('id', 'in', (old) =>
        old
          .selectFrom('sys_outbox')
          .select('id')
          .where('created_at', '<', before(env, RETENTION_MS.outbox))
          .orderBy('id')
          .limit(STEP_ROWS),
      )
      .executeTakeFirst()
    if (numDeletedRows < STEP_ROWS) return
  }
}

/** Every hour: allowances that are whole again, which is the same as none. */
export async function pruneRates({ tx }: Env): Promise<void> {
  await sql`delete from sys_rate where tat < now()`.execute(tx)
}

/** Once a day: whatever has expired. */
export async function pruneExpired(env: Env): Promise<void> {
  const { tx } = env
  await tx.deleteFrom('sys_session').where('abs_expires_at', '<', env.now.toISOString()).execute()
  await tx.deleteFrom('sys_idempotency').where('created_at', '<', before(env, RETENTION_MS.idempotency)).execute()
  await tx.deleteFrom('sys_revision').where('created_at', '<', before(env, RETENTION_MS.revision)).execute()
  await dynamic(tx).deleteFrom('sys_cron_run').where('started_at', '<', before(env, RETENTION_MS.cronRun)).execute()
  await dynamic(tx).deleteFrom('sys_log').where('create_date', '<', before(env, RETENTION_MS.log)).execute()
  await sql`delete from sys_log where id <= (select max(id) from sys_log) - ${LOG_ROWS}`.execute(tx)
  await sql`delete from sys_mail where state in ('sent', 'failed', 'unknown') and created_at < ${before(env, RETENTION_MS.mail)}`.execute(
    tx,
  )
}
