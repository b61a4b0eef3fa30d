/** A clock with timers that a test moves on. */
export function fakeClock() {
  const timers: { run: () => void; at: number; isStopped: boolean }[] = []
  let now = 0
  return {
    timers,
    now: () => now,
    setTimer(run: () => void, ms: number) {
      const timer = { run, at: now + ms, isStopped: false }
      timers.push(timer)
      return () => Object.assign(timer, { isStopped: true })
    },
    pass(ms: number) {
      const end = now + ms
      for (;;) {
        const due = timers
          .filter((timer) => !timer.isStopped && timer.at <= end)
          .toSorted((a, b) => a.at - b.at)
          .at(0)
        if (!due) break
        due.isStopped = true
        now = due.at
        due.run()
      }
      now = end
    },
    pending: () => timers.filter((timer) => !timer.isStopped).map(({ at }) => at - now),
  }
}

/** Resolves after the answers that are due by now. */
export const settled = async () => {
  for (let turn = 0; turn < 8; turn++) await Promise.resolve()
}
