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
