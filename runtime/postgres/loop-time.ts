const STEP_MS = 50

/**
 * Tries again what has failed after `waitMs` while the event loop was busy for most of that time. Timers fire before sockets are
 * read: an answer that came while the process computed is there, and only nobody has looked at it yet.
 */
export async function tryWhileLoopIsBusy<T>(waitMs: number, attempt: () => Promise<T>): Promise<T> {
  // A step that comes late counts no more than one in time, so that this is the time in which the loop was free.
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
        // What fails at once would do so again and again, without a turn for anything else.
        if (performance.now() - started < waitMs || freeMs >= waitMs / 2) throw error
      }
    }
  } finally {
    clearInterval(steps)
  }
}
