import { setTimeout as sleep } from 'node:timers/promises'
import { explainFileError } from './file-error.ts'

/** Something that should run, and may die. */
export interface Kept {
  isRunning(): Promise<boolean>
  /** Starts it again; fails when that is not possible now. */
  restart(): Promise<void>
  /** Told once for each death, restart and failure. */
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
    while (!end.signal.aborted) {
      await pause(LOOK_MS)
      if (end.signal.aborted || (await kept.isRunning())) continue
      wait = Date.now() - startedAt > STEADY_MS ? LOOK_MS : Math.min(wait * 2, MAX_WAIT_MS)
      kept.log(`${name} has died and is started again.`)
      try {
        await kept.restart()
        kept.log(`${name} runs again.`)
      } catch (error) {
        if (end.signal.aborted) return
        kept.log(
          `${name} could not be started: ${explainFileError(error) ?? (error instanceof Error ? error.message : String(error))}`,
        )
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
