import { msUntilDue } from '../../kernel/job/claim.ts'
import { knownJobs, runDueJob } from '../../kernel/job/cron.ts'
import type { ModuleState } from '../../kernel/module/state.ts'
import { OWN_REQUEST } from '../../kernel/own-request.ts'
import type { Services } from '../../kernel/services.ts'
import type { Host } from './host.ts'
import type { OwnJobHost } from './job-host.ts'
import { createAlarm, jittered } from './timer/alarm.ts'
import { createGrace } from './timer/grace.ts'

export interface CronLoop {
  /** A job was changed: looks for due jobs at once. */
  wake(): void
  /** Claims no more jobs and waits for running ones, for up to `graceMs`; a later call sets a new limit. */
  stop(graceMs: number): Promise<void>
}

export interface CronLoopOptions {
  readonly services: Services
  readonly latest: () => Promise<ModuleState>
  readonly jobs: OwnJobHost
}

/** The loop of a process, over connections that requests do not use. */
export const openCron = ({ services, system, holder, jobs }: Host): CronLoop =>
  startCronLoop({ services: { ...services, db: system }, latest: holder.latest, jobs })

/** Jobs that run at the same time. */
const LANES = 2
/** Wait before the first look after a start, so that requests which waited for the start are answered first. */
const FIRST_LOOK_MS = 250
/** A change by another process is noticed after this time at the latest. */
const LOOK_MS = 20_000
/** How soon a due job that another process runs is checked again, since that process may end. */
const RECHECK_MS = 1_000
/** Least wait, since a timer may end a little before that time by the clock of the database. */
const MIN_WAIT_MS = 10
/** Time for a job that is given up to release its lease. */
const RELEASE_MS = 1_000

/**
 * Runs due jobs. Between them it sleeps until the next one is due, by the clock of the database; so the clock of this process does
 * not matter.
 */
export function startCronLoop({ services, latest, jobs }: CronLoopOptions): CronLoop {
  const running = new Set<Promise<void>>()
  const alarm = createAlarm(() => fillLanes())
  const waitFor = createGrace()
  let isStopped = false
  let isFailing = false

  const drain = async (): Promise<void> => {
    while (!isStopped && (await runDueJob(services, await latest(), jobs)) !== null);
  }

  /** How long to sleep: until the next job that this process knows of. */
  const pause = async (): Promise<number> => {
    const ms = await msUntilDue(services.db, knownJobs(await latest()), jobs.heldLock())
    if (ms === null) return jittered(LOOK_MS)
    return ms <= 0 ? jittered(RECHECK_MS) : Math.min(Math.max(ms, MIN_WAIT_MS), jittered(LOOK_MS))
  }

  const work = async (): Promise<void> => {
    try {
      await drain()
      if (!isStopped) alarm.set(await pause())
      isFailing = false
    } catch (error) {
      // Reported once per outage.
      if (!isFailing && !isStopped) services.observe({ kind: 'failure', requestId: OWN_REQUEST.cron, error })
      isFailing = true
      alarm.set(jittered(RECHECK_MS))
    }
  }

  const fillLanes = (): void => {
    while (!isStopped && running.size < LANES) {
      const lane = work().finally(() => running.delete(lane))
      running.add(lane)
    }
  }

  alarm.set(FIRST_LOOK_MS)
  return {
    wake: () => alarm.set(0),
    async stop(graceMs) {
      isStopped = true
      alarm.stop()
      const ended = Promise.allSettled(running)
      await waitFor(ended, graceMs)
      jobs.stop()
      await createGrace()(ended, RELEASE_MS)
    },
  }
}
