import type { Env } from '../env.ts'
import { notFound } from '../errors.ts'
import type { Job } from '../module/addon.ts'
import type { ModuleState } from '../module/state.ts'
import { callAction } from '../orm/record/action.ts'
import { modelOf } from '../orm/statement/scope.ts'
import type { Services } from '../services.ts'
import { isRetryable } from '../sql/pg-error.ts'
import { sql } from '../sql/sql.ts'
import { asSystemUser } from '../work/system-user.ts'
import { inTransaction } from '../work/transaction.ts'
import { undoable } from '../work/undoable.ts'
import { nextSlot, type Schedule } from './schedule.ts'

export interface CronRun {
  readonly id: number
  readonly name: string
  readonly outcome: 'done' | 'failed'
  readonly durationMs: number
  /** Null on success. */
  readonly error: string | null
}

interface CronRow extends Schedule {
  readonly id: number
  readonly name: string
  readonly handler: string | null
  readonly model: string | null
  readonly action: string | null
  readonly failures: number
  readonly started_at: string
}

/** Back-off of a failing job: doubles from half a minute up to an hour, with 20 % jitter. */
const RETRY_SECONDS = { first: 30, most: 3_600, spread: 0.2 } as const
const FAILING_AFTER = 10

/**
 * Runs the first due job that no other process is running; null when there is none. Claim, effect and next run are one
 * transaction: if the process is killed, nothing has happened, and no run is executed twice.
 */
export async function runDueJob(services: Services, state: ModuleState): Promise<CronRun | null> {
  const jobs = activeJobs(state)
  const user = await asSystemUser(services.db)
  const options = { services, state, user, requestId: 'cron', now: services.clock(), sudo: true }
  return inTransaction(options, 'write', async (env) => {
    const row = await claim(env, [...jobs.keys()])
    if (row === undefined) return null
    const started = services.clock().getTime()
    const error = await attempt(env, row, jobs)
    const durationMs = services.clock().getTime() - started
    await (error === null ? reschedule(env, row) : retryLater(env, row))
    await record(env, row, durationMs, error)
    return { id: row.id, name: row.name, outcome: error === null ? 'done' : 'failed', durationMs, error }
  })
}

/** Jobs of the addons that are switched on, as `sys.cron.handler` names them. */
const activeJobs = ({ addons, active }: ModuleState): ReadonlyMap<string, Job> =>
  new Map(
    addons
      .filter((addon) => active.has(addon.name))
      .flatMap((addon) => Object.entries(addon.jobs).map(([name, job]) => [`${addon.name}.${name}`, job] as const)),
  )

async function claim(env: Env, handlers: readonly string[]): Promise<CronRow | undefined> {
  const { rows } = await sql<CronRow>`
    select id, name, handler, model, action, failures, interval_number, interval_type, timezone, nextcall,
      clock_timestamp() as started_at
    from sys_cron where active and nextcall <= clock_timestamp() and (handler is null or handler = any(${handlers}::text[]))
    order by priority, nextcall limit 1 for no key update skip locked`.execute(env.tx)
  return rows[0]
}

/** Runs a job; if it fails, its changes are rolled back and the reason is returned. */
async function attempt(env: Env, row: CronRow, jobs: ReadonlyMap<string, Job>): Promise<string | null> {
  try {
    await undoable(env, () => run(env, row, jobs))
    return null
  } catch (error) {
    if (isRetryable(error)) throw error
    env.services.observe({ kind: 'failure', requestId: env.requestId, error })
    return error instanceof Error ? error.message : String(error)
  }
}

async function run(env: Env, { handler, model, action }: CronRow, jobs: ReadonlyMap<string, Job>): Promise<void> {
  if (model !== null && action !== null) {
    await callAction(env, modelOf(env, model), [], action, {})
    return
  }
  const job = handler === null ? undefined : jobs.get(handler)
  if (job === undefined) throw notFound('job_unknown', `There is no job ${handler}.`)
  await job(env)
}

async function reschedule(env: Env, row: CronRow): Promise<void> {
  await sql`update sys_cron set nextcall = ${nextSlot(row)}, failures = 0, state = 'idle', last_run_at = ${row.started_at},
    run_seq = run_seq + 1 where id = ${row.id}`.execute(env.tx)
}

async function retryLater(env: Env, row: CronRow): Promise<void> {
  const failures = row.failures + 1
  const pause = Math.min(RETRY_SECONDS.first * 2 ** row.failures, RETRY_SECONDS.most)
  const [byte = 0] = env.services.random(1)
  const seconds = pause * (1 + RETRY_SECONDS.spread * (byte / 127.5 - 1))
  const state = failures >= FAILING_AFTER ? 'failing' : 'idle'
  await sql`update sys_cron set nextcall = clock_timestamp() + make_interval(secs => ${seconds}), failures = ${failures},
    state = ${state}, last_run_at = ${row.started_at}, run_seq = run_seq + 1 where id = ${row.id}`.execute(env.tx)
}

async function record(env: Env, row: CronRow, durationMs: number, error: string | null): Promise<void> {
  const outcome = error === null ? 'done' : 'failed'
  await sql`insert into sys_cron_run (cron_id, started_at, duration_ms, outcome, error)
    values (${row.id}, ${row.started_at}, ${durationMs}, ${outcome}, ${error})`.execute(env.tx)
}
