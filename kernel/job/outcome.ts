import type { Env } from '../env.ts'
import { OWN_REQUEST } from '../own-request.ts'
import type { Services } from '../services.ts'
import { type Sql, sql } from '../sql/sql.ts'
import type { EnvOptions } from '../work/create-env.ts'
import type { CronRow } from './claim.ts'
import { nextSlot } from './schedule.ts'

/** One run of a job, as reported to its caller. */
export interface CronRun {
  readonly id: number
  readonly name: string
  /** lost: the job was given up or taken over before it had ended. */
  readonly outcome: 'done' | 'failed' | 'lost'
  readonly durationMs: number
  /** Null on success. */
  readonly error: string | null
}

/** Options of every transaction of a job. */
export type JobOptions = Omit<EnvOptions, 'tx'>

/** Back-off of a failing job: doubles from half a minute up to an hour, with 20 % jitter. */
const RETRY_SECONDS = { first: 30, most: 3_600, spread: 0.2 } as const
const FAILING_AFTER = 10

/**
 * Stores how a run ended and when the next one is due, if the run is still the one of `row.run_seq`. A failure does not move the
 * slots of the job, nor does a run that a user requested.
 */
export async function finish(env: Env, row: CronRow, error: string | null): Promise<boolean> {
  const { rows } = await sql`
    update sys_cron set ${error === null ? success(row) : failure(env.services, row)}, last_run_at = ${row.started_at},
      run_seq = run_seq + 1, owner = null, owner_lock = null, lease_until = null
    where id = ${row.id} and run_seq = ${row.run_seq} returning id`.execute(env.tx)
  return rows.length > 0
}

/** A run that was requested while this one was under way stays due. Times are compared in milliseconds, as the program keeps them. */
const success = (row: CronRow): Sql => sql`
  nextcall = case when nextcall <= clock_timestamp() then ${nextSlot(row)} else nextcall end,
  attempt_at = case when date_trunc('milliseconds', attempt_at) > ${row.started_at}::timestamptz then attempt_at end,
  failures = 0, state = 'idle', last_done_at = clock_timestamp()`

function failure(services: Services, row: CronRow): Sql {
  const failures = row.failures + 1
  const pause = Math.min(RETRY_SECONDS.first * 2 ** row.failures, RETRY_SECONDS.most)
  const [byte = 0] = services.random(1)
  const seconds = pause * (1 + RETRY_SECONDS.spread * (byte / 127.5 - 1))
  return sql`attempt_at = clock_timestamp() + make_interval(secs => ${seconds}), failures = ${failures},
    state = ${failures >= FAILING_AFTER ? 'failing' : 'idle'}`
}

/** Writes a line of the run log. */
export async function record(
  env: Env,
  cronId: number,
  startedAt: string | null,
  { outcome, durationMs, error }: Pick<CronRun, 'outcome' | 'error'> & { readonly durationMs: number | null },
): Promise<void> {
  await sql`insert into sys_cron_run (cron_id, started_at, duration_ms, outcome, error)
    values (${cronId}, coalesce(${startedAt}::timestamptz, clock_timestamp()), ${durationMs}, ${outcome}, ${error})`.execute(
    env.tx,
  )
}

/** Reports to the host how a run ended. The stack of a failure goes only to the log. */
export function report(services: Services, run: CronRun, error: unknown = null): CronRun {
  if (error !== null) services.observe({ kind: 'failure', requestId: REQUEST_ID, error })
  const { id, name, outcome, durationMs: ms } = run
  services.observe({ kind: 'job', requestId: REQUEST_ID, id, name, outcome, ms, error: run.error })
  return run
}

/** Request id of what jobs do. */
export const REQUEST_ID = OWN_REQUEST.cron

/** The message of a failure that users see. Details of a program error are only in the log. */
export const messageOf = (error: unknown): string =>
  FAULTS.some((fault) => error instanceof fault) ? FAULT : error instanceof Error ? error.message : String(error)

const FAULTS = [TypeError, ReferenceError, RangeError, SyntaxError] as const
export const FAULT = 'The job has a fault. The log of the service has the details.'
