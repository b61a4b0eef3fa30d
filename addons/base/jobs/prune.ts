import { type Lease, type LeaseJob, sql } from '#kernel'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/** How many seconds rows of the kernel's own tables are kept. */
export const RETENTION = {
  /** The live event log; a client that was offline for longer reloads. */
  outbox: 15 * MINUTE,
  /** Positions a read replica must have reached; they count for a minute. */
  fence: 60 * MINUTE,
  idempotency: DAY,
  /** Old values, to merge edits of forms that were open for long. */
  revision: 30 * DAY,
  cronRun: 30 * DAY,
  log: 14 * DAY,
  mail: 30 * DAY,
  /** Imports with their files and what is needed to undo them. */
  import: 30 * DAY,
} as const

/** Maximum number of log entries. */
const LOG_ROWS = 1_000_000
const STEP_ROWS = 5_000

type Sql = ReturnType<typeof sql>

interface PruneRule {
  readonly table: Sql
  /** Rows to delete. */
  readonly where: Sql
  /** What goes first. */
  readonly order?: Sql
}

const before = (seconds: number): Sql => sql`clock_timestamp() - make_interval(secs => ${seconds})`

/** Events go in their order, so that the log is never missing one that is younger than its oldest. */
const OUTBOX: readonly PruneRule[] = [
  { table: sql`sys_outbox`, where: sql`created_at < ${before(RETENTION.outbox)}`, order: sql`order by id` },
]

/** Rate limit rows whose allowance is full again, and fences that hold no more; the one of rights stays (`sys_fence`). */
const RATES: readonly PruneRule[] = [
  { table: sql`sys_rate`, where: sql`tat < clock_timestamp()` },
  { table: sql`sys_fence`, where: sql`raised_at < ${before(RETENTION.fence)} and subject <> 'rights'` },
]

const OLD_IMPORT = sql`write_date < ${before(RETENTION.import)}`

const EXPIRED: readonly PruneRule[] = [
  { table: sql`sys_session`, where: sql`abs_expires_at < clock_timestamp()` },
  // An invitation is kept until it was followed: the list of users says that it has expired.
  {
    table: sql`sys_reset`,
    where: sql`expires_at < clock_timestamp() and (invited_at is null or exists (
      select from sys_credential c where c.user_id = sys_reset.user_id and c.password_hash is not null))`,
  },
  { table: sql`sys_flash`, where: sql`expires_at < clock_timestamp()` },
  { table: sql`sys_idempotency`, where: sql`created_at < ${before(RETENTION.idempotency)}` },
  { table: sql`sys_revision`, where: sql`created_at < ${before(RETENTION.revision)}` },
  { table: sql`sys_cron_run`, where: sql`started_at < ${before(RETENTION.cronRun)}` },
  { table: sql`sys_log`, where: sql`create_date < ${before(RETENTION.log)}` },
  { table: sql`sys_log`, where: sql`id <= (select max(id) from sys_log) - ${LOG_ROWS}` },
  {
    table: sql`sys_mail`,
    where: sql`state in ('sent', 'failed', 'unknown') and created_at < ${before(RETENTION.mail)}`,
  },
  {
    table: sql`sys_import_record`,
    where: sql`import_id in (select id from sys_bulk_import where ${OLD_IMPORT})`,
  },
  { table: sql`sys_bulk_import`, where: OLD_IMPORT },
]

/** Deletes what the rules name, in short transactions, so that a table of any size neither holds locks nor runs out of time. */
const pruning = (rules: readonly PruneRule[]): LeaseJob => ({
  kind: 'lease',
  async run(lease) {
    for (const rule of rules) while (await hasMore(lease, rule));
  },
})

async function hasMore({ transact, signal }: Lease, { table, where, order = sql`` }: PruneRule): Promise<boolean> {
  const { numAffectedRows } = await transact(({ tx }) =>
    sql`delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${where} ${order} limit ${STEP_ROWS}))`.execute(tx),
  )
  return Number(numAffectedRows) === STEP_ROWS && !signal.aborted
}

/** Every few minutes. */
export const pruneOutbox = pruning(OUTBOX)
/** Every hour. */
export const pruneRates = pruning(RATES)
/** Every day. */
export const pruneExpired = pruning(EXPIRED)
