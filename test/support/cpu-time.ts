const RUNS = 3

/**
 * Milliseconds of CPU that this process needs for some work: the least of a few runs, without the time in which other processes had
 * the processor. So limits hold on a busy machine too.
 */
export async function cpuMs(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1e3)
  }
  return least
}

/**
 * Milliseconds of CPU of the longest turn of the event loop during some work: how long other callers wait for it. Again the least of
 * a few runs, since what the work itself does to the loop it does every time.
 */
export async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run++) least = Math.min(least, await longestTurnOf(work))
  return least
}

async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isDone = false
  let began = process.cpuUsage()
  const turn = () => {
    const { user, system } = process.cpuUsage(began)
    longest = Math.max(longest, (user + system) / 1e3)
    began = process.cpuUsage()
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  return longest
}
