import { type Env, sql } from '#kernel'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** How long rows of the kernel's own tables are kept. */
export const RETENTION_MS = {
  /** The live event log; a client that was offline for longer reloads. */
  outbox: 15 * MINUTE,
  idempotency: DAY,
  /** Old values, to merge edits of forms that were open for long. */
  revision: 30 * DAY,
  cronRun: 30 * DAY,
  log: 14 * DAY,
  mail: 30 * DAY,
} as const

/** Maximum number of log entries. */
const LOG_ROWS = 1_000_000
const STEP_ROWS = 5_000
const MAX_STEPS = 40

const before = (env: Env, ms: number): string => new Date(env.now.getTime() - ms).toISOString()

/**
 * Runs every few minutes: deletes old events in batches, so that each statement is short. The rest is left to the next run.
 */
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

/** Runs every hour: deletes rate limit rows whose allowance is full again. */
export async function pruneRates({ tx }: Env): Promise<void> {
  await sql`delete from sys_rate where tat < now()`.execute(tx)
}

/** Runs daily: deletes expired rows. */
export async function pruneExpired(env: Env): Promise<void> {
  const { tx } = env
  await tx.deleteFrom('sys_session').where('abs_expires_at', '<', env.now.toISOString()).execute()
  await tx.deleteFrom('sys_idempotency').where('created_at', '<', before(env, RETENTION_MS.idempotency)).execute()
  await tx.deleteFrom('sys_revision').where('created_at', '<', before(env, RETENTION_MS.revision)).execute()
  await sql`delete from sys_cron_run where started_at < ${before(env, RETENTION_MS.cronRun)}`.execute(tx)
  await sql`delete from sys_log where create_date < ${before(env, RETENTION_MS.log)}`.execute(tx)
  await sql`delete from sys_log where id <= (select max(id) from sys_log) - ${LOG_ROWS}`.execute(tx)
  await sql`delete from sys_mail where state in ('sent', 'failed', 'unknown') and created_at < ${before(env, RETENTION_MS.mail)}`.execute(
    tx,
  )
}
