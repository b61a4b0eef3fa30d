import { type Lease, type LeaseJob, sql } from '#kernel'

const MINUTE = 60
const DAY = 24 * 60 * MINUTE

/**
 * Logs whose tables are partitioned into slots (`migrations/0016_slots.sql`), which are used in turn for `seconds` each. A row is kept for
 * at least the time of all slots but two, and for at most two slots longer.
 */
export const SLOTS = {
  /** The live event log, kept for a quarter of an hour; a client that was offline for longer reloads. */
  sys_outbox: { at: 'created_at', slots: 3, seconds: 15 * MINUTE },
  /** Old values, kept for 30 days, to merge edits of forms that were open for long. */
  sys_revision: { at: 'created_at', slots: 5, seconds: 10 * DAY },
  /** Log entries, kept for 14 days. */
  sys_log: { at: 'create_date', slots: 4, seconds: 7 * DAY },
} as const

/** How many seconds rows of the kernel's other tables are kept. */
export const RETENTION = {
  /** Positions a read replica must have reached; they count for a minute. */
  fence: 60 * MINUTE,
  idempotency: DAY,
  cronRun: 30 * DAY,
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
  /** The column by which rows are deleted; by default `ctid`, which in a partitioned table is not unique. */
  readonly key?: Sql
}

const before = (seconds: number): Sql => sql`clock_timestamp() - make_interval(secs => ${seconds})`

/** Rate limit rows whose allowance is full again, and outdated fences; the one of rights stays (`sys_fence`). */
const RATES: readonly PruneRule[] = [
  { table: sql`sys_rate`, where: sql`tat < clock_timestamp()` },
  { table: sql`sys_fence`, where: sql`raised_at < ${before(RETENTION.fence)} and subject <> 'rights'` },
]

const OLD_IMPORT = sql`write_date < ${before(RETENTION.import)}`

const EXPIRED: readonly PruneRule[] = [
  { table: sql`sys_session`, where: sql`abs_expires_at < clock_timestamp()` },
  // An invitation is kept until it was used: the list of users shows that it has expired.
  {
    table: sql`sys_reset`,
    where: sql`expires_at < clock_timestamp() and (invited_at is null or exists (
      select from sys_credential c where c.user_id = sys_reset.user_id and c.password_hash is not null))`,
  },
  { table: sql`sys_flash`, where: sql`expires_at < clock_timestamp()` },
  { table: sql`sys_idempotency`, where: sql`created_at < ${before(RETENTION.idempotency)}` },
  { table: sql`sys_cron_run`, where: sql`started_at < ${before(RETENTION.cronRun)}` },
  { table: sql`sys_log`, key: sql`id`, where: sql`id <= (select max(id) from sys_log) - ${LOG_ROWS}` },
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

/**
 * Empties the slots of logs, and deletes what the rules name, in short transactions, so that a table of any size neither holds locks nor
 * runs out of time.
 */
const pruning = (logs: readonly (keyof typeof SLOTS)[], rules: readonly PruneRule[]): LeaseJob => ({
  kind: 'lease',
  async run(lease) {
    for (const log of logs) {
      const { at, slots, seconds } = SLOTS[log]
      await lease.transact(({ tx }) => sql`select svc_empty_old_slots(${log}, ${at}, ${seconds}, ${slots})`.execute(tx))
    }
    for (const rule of rules) while (await hasMore(lease, rule));
  },
})

async function hasMore({ transact, signal }: Lease, { table, where, key = sql`ctid` }: PruneRule): Promise<boolean> {
  const { numAffectedRows } = await transact(({ tx }) =>
    sql`delete from ${table} where ${key} = any(array(
      select ${key} from ${table} where ${where} limit ${STEP_ROWS}))`.execute(tx),
  )
  return Number(numAffectedRows) === STEP_ROWS && !signal.aborted
}
/** Every few minutes. */
export const pruneOutbox = pruning(['sys_outbox'], [])
/** Every hour. */
export const pruneRates = pruning([], RATES)
/** Every day. */
export const pruneExpired = pruning(['sys_revision', 'sys_log'], EXPIRED)
