import { LIMITS } from '../limits.ts'
import { isLeaseJob, type Job, type LeaseJob } from '../module/addon.ts'
import type { ModuleState } from '../module/state.ts'
import type { Services } from '../services.ts'
import { asSystemUser } from '../work/system-user.ts'
import { inTransaction } from '../work/transaction.ts'
import { type CronRow, claim, type KnownJobs, lookForDue } from './claim.ts'
import type { JobHost } from './job-host.ts'
import { runLeased, takeLease } from './lease-job.ts'
import { type CronRun, REQUEST_ID, report } from './outcome.ts'
import { type Finished, recordAborted, runInTransaction } from './tx-job.ts'

/**
 * Runs the first due job that no other process is running; null when there is none. For a job in one transaction, claim, effect and
 * next run are that transaction: if the process is killed, nothing has happened, and no run is executed twice. A job under a lease
 * is claimed in a short transaction first. All times are the database's.
 */
export async function runDueJob(services: Services, state: ModuleState, host: JobHost): Promise<CronRun | null> {
  const jobs = activeJobs(state)
  const known = knownJobs(state)
  const look = await lookForDue(services.db, known)
  if (!look.is_due) return null
  const user = await asSystemUser(services.db)
  const options = { services, state, user, requestId: REQUEST_ID, now: new Date(look.now), sudo: true }
  const started = services.clock().getTime()
  const begun: { row?: CronRow; error?: unknown } = {}
  let result: Finished | Leased | null
  try {
    result = await inTransaction(options, 'write', async (env) => {
      const row = await claim(env.tx, known)
      // A repeated transaction may start before the database has released the row of the first attempt.
      if (row === undefined && begun.row !== undefined) throw begun.error
      if (row === undefined) return null
      begun.row = row
      try {
        const job = row.handler === null ? undefined : jobs.get(row.handler)
        if (job !== undefined && isLeaseJob(job)) return { row: await takeLease(env, host, row), job }
        return await runInTransaction(env, host, row, job)
      } catch (error) {
        begun.error = error
        throw error
      }
    })
  } catch (error) {
    if (begun.row === undefined) throw error
    const durationMs = services.clock().getTime() - started
    return recordAborted(options, begun.row, durationMs, error).catch(() => {
      throw error
    })
  }
  if (result === null) return null
  return 'job' in result
    ? runLeased(options, host, result.row, result.job)
    : report(services, result.run, result.failure)
}

interface Leased {
  readonly row: CronRow
  readonly job: LeaseJob
}

/** The time after which a tick begins no further job. */
const TICK_MS = 20_000

/** Runs due jobs one after the other; for hosts without timers, where an external scheduler calls it. */
export async function runDueJobs(
  services: Services,
  latest: () => Promise<ModuleState>,
  host: JobHost,
  { jobs = LIMITS.tickJobs, ms = TICK_MS }: { readonly jobs?: number; readonly ms?: number } = {},
): Promise<readonly CronRun[]> {
  const end = services.clock().getTime() + ms
  const runs: CronRun[] = []
  while (runs.length < jobs && services.clock().getTime() < end && !host.stopped.aborted) {
    const run = await runDueJob(services, await latest(), host)
    if (run === null) break
    runs.push(run)
  }
  return runs
}

/** Jobs of the addons that are switched on, as `sys.cron.handler` names them. */
const activeJobs = ({ addons, active }: ModuleState): ReadonlyMap<string, Job> =>
  new Map(
    addons
      .filter((addon) => active.has(addon.name))
      .flatMap((addon) => Object.entries(addon.jobs).map(([name, job]) => [`${addon.name}.${name}`, job] as const)),
  )

export const knownJobs = (state: ModuleState): KnownJobs => ({
  handlers: [...activeJobs(state).keys()],
  models: [...state.registry.models.keys()],
})
