import { OWN_REQUEST } from '../../kernel/own-request.ts'
import type { Log } from './log/log.ts'
import { AT_ONCE, BRIEF, type Patience, WAIT_FOR_KEEP_ALIVE } from './server.ts'

export interface Stoppable {
  /** Ends everything after `drainMs`, during which only readiness fails; a second call ends it at once. */
  stop(patience: Patience, drainMs: number): Promise<void>
  /** Time for proxies to notice that the service is not ready. */
  readonly drainMs: number
}

const CRASH_MS = 1_000
const PARENT_CHECK_MS = 500
const SAME_KEYSTROKE_MS = 500

const isStartedByNpm = (): boolean => process.env['npm_lifecycle_event'] !== undefined

/**
 * Ends the process cleanly on SIGTERM and SIGINT, and when the npm that started it is gone; a second signal cuts the grace short.
 * An uncaught error leaves the process in an unknown state: it is logged, and the process ends with 1 soon after.
 */
export function stopOnSignals({ stop, drainMs }: Stoppable, log: Log): void {
  let signals = 0
  let firstAt = 0
  const onSignal = (signal: NodeJS.Signals) => {
    // A terminal sends Ctrl+C to npm and to this process, and npm passes it on: the same keystroke arrives twice.
    if (signals === 1 && isStartedByNpm() && performance.now() - firstAt < SAME_KEYSTROKE_MS) return
    firstAt = performance.now()
    signals++
    log.line('info', signals === 1 ? `${signal}: stopping` : `${signal}: stopping at once`)
    if (signals > 2) process.exit(1)
    // Ctrl+C comes from a person at a terminal, SIGTERM from a program that replaces this process behind a proxy.
    if (signals > 1) finish(stop(AT_ONCE, 0), 0)
    else if (signal === 'SIGINT') finish(stop(BRIEF, 0), 0)
    else finish(stop(WAIT_FOR_KEEP_ALIVE, drainMs), 0)
  }
  const onCrash = (error: unknown) => {
    log.observe({ kind: 'failure', requestId: OWN_REQUEST.process, error })
    setTimeout(() => process.exit(1), CRASH_MS).unref()
    finish(stop({ graceMs: CRASH_MS, idleMs: BRIEF.idleMs }, 0), 1)
  }
  const finish = (stopped: Promise<void>, code: number) => {
    stopped.then(
      () => process.exit(code),
      (error) => {
        log.observe({ kind: 'failure', requestId: OWN_REQUEST.process, error })
        process.exit(1)
      },
    )
  }
  onNpmGone(() => {
    log.line('info', 'npm has ended: stopping')
    finish(stop(BRIEF, 0), 0)
  })
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  process.on('uncaughtException', onCrash)
  process.on('unhandledRejection', onCrash)
}

/**
 * npm that is killed with SIGKILL cannot pass the signal on, so a process that npm started checks whether its parent still runs.
 * The script begins with `exec`, which makes npm the parent and not a shell.
 */
function onNpmGone(act: () => void): void {
  if (!isStartedByNpm()) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, PARENT_CHECK_MS)
  timer.unref()
}
