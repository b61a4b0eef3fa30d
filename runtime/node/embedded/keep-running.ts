import { setTimeout as sleep } from 'node:timers/promises'
import { whyOf } from '../database/outage.ts'
import { explainFileError } from '../file/file-error.ts'

/** A process that should keep running. */
export interface Kept {
  isRunning(): Promise<boolean>
  /** Starts it again; rejects if that is not possible now. */
  restart(): Promise<void>
  /** Called once for each death, each different reason why it cannot be started, and each restart. */
  log(text: string): void
}

const LOOK_MS = 500
/** A process that dies again within this time is restarted after longer and longer pauses. */
const STEADY_MS = 60_000
const MAX_WAIT_MS = 30_000

/** Checks twice a second and restarts a process that has died. The returned function stops this, after a restart in progress. */
export function keepRunning(name: string, kept: Kept): () => Promise<void> {
  const end = new AbortController()
  const pause = (ms: number) => sleep(ms, undefined, { signal: end.signal, ref: false }).catch(() => undefined)
  const loop = async () => {
    let wait = LOOK_MS
    let startedAt = Date.now()
    /** Reasons already logged since it died why it could not be started. */
    let told: Set<string> | undefined
    while (!end.signal.aborted) {
      await pause(LOOK_MS)
      if (end.signal.aborted) return
      if (await kept.isRunning()) {
        // Another process has started it.
        if (told) kept.log(`${name} runs again.`)
        told = undefined
        continue
      }
      wait = Date.now() - startedAt > STEADY_MS ? LOOK_MS : Math.min(wait * 2, MAX_WAIT_MS)
      if (told === undefined) kept.log(`${name} has died and is started again.`)
      told ??= new Set()
      const reasons = told
      try {
        await kept.restart()
        told = undefined
        kept.log(`${name} runs again.`)
      } catch (error) {
        if (end.signal.aborted) return
        const why = whyOf(explainFileError(error) ?? error)
        // Process ids and times differ with each attempt, so numbers do not count for the comparison.
        const reason = why.replace(/\d+/g, '')
        if (!reasons.has(reason)) kept.log(`${name} could not be started: ${why} It is tried again until it runs.`)
        reasons.add(reason)
      }
      startedAt = Date.now()
      await pause(wait)
    }
  }
  const ended = loop()
  return () => {
    end.abort()
    return ended
  }
}
