import type { Env } from '../env.ts'
import type { LeaseJob } from '../module/addon.ts'
import { sql } from '../sql/sql.ts'
import { inTransaction } from '../work/transaction.ts'
import type { CronRow } from './claim.ts'
import { type JobHost, whenAborted } from './job-host.ts'
import { type CronRun, finish, type JobOptions, messageOf, record, report } from './outcome.ts'

const LEASE_SECONDS = 60
const HEARTBEAT_MS = 15_000
/** The time of a job under a lease. */
const LEASE_JOB_MS = 3_600_000

const PROCESS_GONE = 'The process that ran it has ended.'
const PROCESS_STOPPED = 'The process that ran it was stopped before the job had ended.'
const TAKEN_OVER = 'Another process has taken this job over.'
const TOO_LONG = `The job took longer than ${LEASE_JOB_MS / 60_000} minutes and was given up.`

/** In the transaction that claimed the row: makes this process the owner. A former run without an end is recorded as lost. */
export async function takeLease(env: Env, host: JobHost, row: CronRow): Promise<CronRow> {
  if (row.state === 'running')
    await record(env, row.id, row.last_run_at, { outcome: 'lost', durationMs: null, error: PROCESS_GONE })
  const run_seq = row.run_seq + 1
  await sql`update sys_cron set state = 'running', owner = ${host.owner}, owner_lock = ${await host.ownerLock()}::int,
    lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}), last_run_at = ${row.started_at},
    run_seq = ${run_seq} where id = ${row.id}`.execute(env.tx)
  return { ...row, run_seq }
}

/** Runs a job whose lease this process has taken, and keeps the lease until it is over. */
export async function runLeased(options: JobOptions, host: JobHost, row: CronRow, job: LeaseJob): Promise<CronRun> {
  const { services } = options
  const started = services.clock().getTime()
  const lost = new AbortController()
  const time = host.timeout(LEASE_JOB_MS)
  const signal = AbortSignal.any([lost.signal, time, host.stopped])
  const why = () => new Error(lost.signal.aborted ? TAKEN_OVER : host.stopped.aborted ? PROCESS_STOPPED : TOO_LONG)

  const transact = async <T>(work: (env: Env) => Promise<T>): Promise<T> => {
    if (signal.aborted) throw why()
    // The time of the database: as read when the job was found, plus the time elapsed since.
    const now = new Date(options.now.getTime() + services.clock().getTime() - started)
    return inTransaction({ ...options, now }, 'write', async (env) => {
      if (!(await isOwner(env, row))) {
        lost.abort()
        throw why()
      }
      return work(env)
    })
  }

  const done = new AbortController()
  const beating = keepLease(options, host, row, { until: AbortSignal.any([done.signal, signal]), lost })
  let failure: unknown = null
  try {
    const key = `${row.id}-${row.last_done_at === null ? 0 : Date.parse(row.last_done_at)}`
    await Promise.race([job.run({ transact, signal, key }), whenAborted(signal, why)])
  } catch (error) {
    failure = error ?? new Error('no reason')
  }
  done.abort()
  await beating
  const about = { id: row.id, name: row.name, durationMs: services.clock().getTime() - started }
  if (host.stopped.aborted && failure !== null) {
    await release(options, row, about.durationMs)
    return report(services, { ...about, outcome: 'lost', error: PROCESS_STOPPED })
  }
  const error = failure === null ? null : messageOf(failure)
  const outcome = error === null ? 'done' : 'failed'
  const isOurs = await inTransaction(options, 'write', async (env) => {
    if (!(await finish(env, row, error))) return false
    await record(env, row.id, row.started_at, { outcome, durationMs: about.durationMs, error })
    return true
  })
  return isOurs
    ? report(services, { ...about, outcome, error }, failure)
    : report(services, { ...about, outcome: 'lost', error: TAKEN_OVER })
}

/** Locks the row: another process takes the job over only after this transaction, and from then on this answers false here. */
async function isOwner({ tx }: Env, { id, run_seq }: CronRow): Promise<boolean> {
  const { rows } = await sql`select from sys_cron where id = ${id} and run_seq = ${run_seq} for share`.execute(tx)
  return rows.length > 0
}

interface Keeping {
  readonly until: AbortSignal
  readonly lost: AbortController
}

/** Extends the lease every few seconds. While the database is away it goes on trying, since the lease may still be held afterwards. */
async function keepLease(
  { services }: JobOptions,
  host: JobHost,
  row: CronRow,
  { until, lost }: Keeping,
): Promise<void> {
  for (;;) {
    await aborted(AbortSignal.any([until, host.timeout(HEARTBEAT_MS)]))
    if (until.aborted) return
    const isOurs = await extend(services.db, host, row).catch(() => true)
    if (!isOurs) return lost.abort()
  }
}

async function extend(db: JobOptions['services']['db'], host: JobHost, { id, run_seq }: CronRow): Promise<boolean> {
  const { rows } =
    await sql`update sys_cron set lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}),
    owner_lock = ${await host.ownerLock()}::int where id = ${id} and run_seq = ${run_seq} returning id`.execute(db)
  return rows.length > 0
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Gives the job back, so that another process runs it at once. */
async function release(options: JobOptions, row: CronRow, durationMs: number): Promise<void> {
  await inTransaction(options, 'write', async (env) => {
    const { rows } = await sql`update sys_cron set state = 'idle', owner = null, owner_lock = null, lease_until = null,
      run_seq = run_seq + 1 where id = ${row.id} and run_seq = ${row.run_seq} returning id`.execute(env.tx)
    if (rows.length === 0) return
    await record(env, row.id, row.started_at, { outcome: 'lost', durationMs, error: PROCESS_STOPPED })
  })
}
