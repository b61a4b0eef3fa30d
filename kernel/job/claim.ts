import type { Db } from '../sql/database.ts'
import { type Sql, sql } from '../sql/sql.ts'
import type { Schedule } from './schedule.ts'

/** A row of `sys_cron` that this process has locked. */
export interface CronRow extends Schedule {
  readonly id: number
  readonly name: string
  readonly handler: string | null
  readonly model: string | null
  readonly action: string | null
  readonly state: 'idle' | 'running' | 'failing'
  readonly failures: number
  readonly run_seq: number
  readonly last_run_at: string | null
  readonly last_done_at: string | null
  /** When it was claimed. */
  readonly started_at: string
  /** The session that has locked it. */
  readonly pid: number
}

/** First key of the advisory locks that processes hold while they live; `sys_cron.owner_lock` is the second. */
export const OWNER_LOCKS = 1_297_040_491

/** When a job is due: at its slot, or at the time of a retry or a requested run. */
const DUE_AT = sql<string>`coalesce(attempt_at, nextcall)`

/** The jobs that this process can run; others are left to processes that have their addons. */
export interface KnownJobs {
  readonly handlers: readonly string[]
  /** The models of jobs that are an action of a model. */
  readonly models: readonly string[]
}

const runnable = ({ handlers, models }: KnownJobs): Sql =>
  sql`active and (handler = any(${handlers}::text[]) or model = any(${models}::text[]))`

const due = (known: KnownJobs): Sql =>
  sql`${runnable(known)} and ${DUE_AT} <= clock_timestamp() and coalesce(lease_until, '-infinity') <= clock_timestamp()`

export interface DueLook {
  /** The time of the database. */
  readonly now: string
  readonly is_due: boolean
}

/** Whether one of these jobs is due. Leases of processes that have ended are freed first. */
export async function lookForDue(db: Db, known: KnownJobs): Promise<DueLook> {
  const { rows } = await sql<DueLook & { is_leased: boolean }>`
    select clock_timestamp() as now, exists (select from sys_cron where ${due(known)}) as is_due,
      exists (select from sys_cron where ${LOCKED_LEASE}) as is_leased`.execute(db)
  const look = rows[0]!
  if (!look.is_leased) return look
  const isFreed = await freeDeadLeases(db)
  return { ...look, is_due: look.is_due || isFreed }
}

const LOCKED_LEASE = sql`lease_until > clock_timestamp() and owner_lock is not null`

/** Ends the leases of owners whose advisory lock is free: those processes have ended, so their jobs need not wait for the lease to expire. */
async function freeDeadLeases(db: Db): Promise<boolean> {
  const { rows } = await sql`
    with leased as materialized (
      select id, owner_lock from sys_cron where ${LOCKED_LEASE} for no key update skip locked)
    update sys_cron c set lease_until = clock_timestamp() from leased
    where c.id = leased.id and pg_try_advisory_xact_lock(${OWNER_LOCKS}::int, leased.owner_lock) returning c.id`.execute(
    db,
  )
  return rows.length > 0
}

/** Locks the first due row that no other process has locked, for the transaction `tx`. */
export async function claim(tx: Db, known: KnownJobs): Promise<CronRow | undefined> {
  const { rows } = await sql<CronRow>`
    select id, name, handler, model, action, state, failures, run_seq, interval_number, interval_type, timezone, nextcall,
      last_run_at, last_done_at, clock_timestamp() as started_at, pg_backend_pid() as pid
    from sys_cron where ${due(known)}
    order by priority, ${DUE_AT} limit 1 for no key update skip locked`.execute(tx)
  return rows[0]
}

/**
 * Milliseconds until a job is due, by the clock of the database; null without any job. Zero or less: one is due that another process
 * is running. A job that another process leases is looked at every second, since that process may end.
 */
export async function msUntilDue(db: Db, known: KnownJobs, ownLock: number | null): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select 1000 * extract(epoch from min(case
      when lease_until <= clock_timestamp() or lease_until is null then ${DUE_AT}
      when owner_lock is null or owner_lock = ${ownLock}::int then lease_until
      else clock_timestamp() + interval '1 second' end) - clock_timestamp())::float8 as ms
    from sys_cron where ${runnable(known)}`.execute(db)
  return rows[0]?.ms ?? null
}
