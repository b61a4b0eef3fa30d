const STEP_MS = 50

/**
 * Repeats an attempt that timed out after `waitMs` if the event loop was busy for most of that time. Timers fire before sockets are read:
 * an answer may have arrived while the process computed, and just not been read yet.
 */
export async function tryWhileLoopIsBusy<T>(waitMs: number, attempt: () => Promise<T>): Promise<T> {
  // A late step counts like one in time, so that the sum is the time in which the loop was free.
  let freeMs = 0
  const steps = setInterval(() => {
    freeMs += STEP_MS
  }, STEP_MS)
  try {
    while (true) {
      const started = performance.now()
      try {
        return await attempt()
      } catch (error) {
        // An attempt that fails immediately is not repeated: it would loop without giving other work a turn.
        if (performance.now() - started < waitMs || freeMs >= waitMs / 2) throw error
      }
    }
  } finally {
    clearInterval(steps)
  }
}
