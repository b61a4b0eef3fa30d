/** A timer that does not keep the process alive, and can be set to an earlier time but not to a later one. */
export interface Alarm {
  set(ms: number): void
  /** Stops it for good. */
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

/** A time with jitter, so that processes that start together do not poll at the same moments. */
export const jittered = (ms: number): number => ms * (0.75 + Math.random() / 2)
