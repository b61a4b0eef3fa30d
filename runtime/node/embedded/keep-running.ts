import { setTimeout as sleep } from 'node:timers/promises'
import { whyOf } from '../database/outage.ts'
import { explainFileError } from '../file/file-error.ts'

/** Something that should run, and may die. */
export interface Kept {
  isRunning(): Promise<boolean>
  /** Starts it again; fails when that is not possible now. */
  restart(): Promise<void>
  /** Told once for each death, reason why it cannot be started, and restart. */
  log(text: string): void
}

const LOOK_MS = 500
/** Something that dies again so soon after a restart is restarted later and later. */
const STEADY_MS = 60_000
const MAX_WAIT_MS = 30_000

/** Looks twice a second and restarts what has died. The function returned ends that, after a restart under way. */
export function keepRunning(name: string, kept: Kept): () => Promise<void> {
  const end = new AbortController()
  const pause = (ms: number) => sleep(ms, undefined, { signal: end.signal, ref: false }).catch(() => undefined)
  const loop = async () => {
    let wait = LOOK_MS
    let startedAt = Date.now()
    /** Why it could not be started, since it died. */
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
        // Numbers of processes and times of day differ with each try.
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
