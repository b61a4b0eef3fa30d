import type { Env } from '../env.ts'
import { AppError, notFound } from '../errors.ts'
import type { TxJob } from '../module/addon.ts'
import { callAction } from '../orm/record/action.ts'
import { modelOf } from '../orm/statement/scope.ts'
import { isConnectionLost, isRetryable } from '../sql/pg-error.ts'
import { sql } from '../sql/sql.ts'
import { inTransaction } from '../work/transaction.ts'
import { undoable } from '../work/undoable.ts'
import type { CronRow } from './claim.ts'
import { type JobHost, whenAborted } from './job-host.ts'
import { type CronRun, finish, type JobOptions, messageOf, record, report } from './outcome.ts'

/** The time of a job that runs in one transaction. */
export const TX_JOB_MS = 30_000

class JobTimeout extends Error {
  override readonly name = 'JobTimeout'
}

const tookTooLong = () => new JobTimeout(`The job took longer than ${TX_JOB_MS / 1_000} seconds and was stopped.`)

/** Runs a job in the transaction of `env`, which has claimed the row: claim, effect and next run are one. */
export async function runInTransaction(
  env: Env,
  host: JobHost,
  row: CronRow,
  job: TxJob | undefined,
): Promise<Finished> {
  const started = env.services.clock().getTime()
  // A job may wait for something outside the database, for as long as its time allows.
  await sql`select set_config('idle_in_transaction_session_timeout', ${String(2 * TX_JOB_MS)}, true)`.execute(env.tx)
  const failure = await attempt(env, host, row, job)
  const durationMs = env.services.clock().getTime() - started
  const run = { id: row.id, name: row.name, durationMs, ...outcomeOf(failure) }
  await finish(env, row, run.error)
  await record(env, row.id, row.started_at, run)
  return { run, failure }
}

export interface Finished {
  readonly run: CronRun
  /** The error that the job has thrown, or null. */
  readonly failure: unknown
}

const outcomeOf = (failure: unknown): Pick<CronRun, 'outcome' | 'error'> =>
  failure === null ? { outcome: 'done', error: null } : { outcome: 'failed', error: messageOf(failure) }

/** Runs a job. If it fails, its changes are rolled back and the error is returned; what ends the whole transaction is thrown. */
async function attempt(env: Env, host: JobHost, row: CronRow, job: TxJob | undefined): Promise<unknown> {
  const work = undoable(env, () => start(env, row, job))
  try {
    await Promise.race([work, whenAborted(host.timeout(TX_JOB_MS), tookTooLong)])
    return null
  } catch (error) {
    if (error instanceof JobTimeout) await endSession(env, row)
    if (error instanceof JobTimeout || isRetryable(error) || isConnectionLost(error)) throw error
    return error ?? new Error('no reason')
  }
}

async function start(env: Env, { handler, model, action }: CronRow, job: TxJob | undefined): Promise<void> {
  if (model !== null && action !== null) {
    await callAction(env, modelOf(env, model), [], action, {})
    return
  }
  if (job === undefined) throw notFound('job_unknown', `There is no job ${handler}.`)
  await job(env)
}

/** Ends the session of a job that goes on, so that its statement stops and no later one is part of another transaction. */
async function endSession({ services }: Env, { pid }: CronRow): Promise<void> {
  await sql`select pg_terminate_backend(${pid}::int)`.execute(services.db)
}

/**
 * Stores the failure of a job whose transaction was lost, so that it is tried again later and not at once. Waits for the row, which
 * the database may not have released yet. Null: another process has claimed the job meanwhile, or the transaction was committed after
 * all.
 */
export async function recordAborted(
  options: JobOptions,
  row: CronRow,
  durationMs: number,
  error: unknown,
): Promise<CronRun | null> {
  const run = { id: row.id, name: row.name, durationMs, ...outcomeOf(error) }
  const isOurs = await inTransaction(options, 'write', async (env) => {
    if (!(await finish(env, row, run.error))) return false
    await record(env, row.id, row.started_at, run)
    return true
  }).catch((failure: unknown) => {
    if (failure instanceof AppError && failure.reason === 'concurrent_change') return false
    throw failure
  })
  return isOurs ? report(options.services, run, error) : null
}
