/** A timer that does not keep the process, and that can be brought forward but not put off. */
export interface Alarm {
  set(ms: number): void
  /** For good. */
  stop(): void
}

export function createAlarm(ring: () => void): Alarm {
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let isStopped = false
  return {
    set(ms) {
      const at = performance.now() + ms
      if (isStopped || dueAt <= at) return
      clearTimeout(timer)
      dueAt = at
      timer = setTimeout(() => {
        dueAt = Number.POSITIVE_INFINITY
        ring()
      }, ms).unref()
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Processes that start together do not look together. */
export const jittered = (ms: number): number => ms * (0.75 + Math.random() / 2)
