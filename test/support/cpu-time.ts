import { expect } from 'vitest'

const FEW_RUNS = 3
const MAX_RUNS = 12

/**
 * Milliseconds of CPU that this process needs for some work: the least of a few runs, without the time in which other processes had
 * the processor. So limits hold on a busy machine too.
 */
export const cpuMs = (work: () => unknown): Promise<number> => leastOf(FEW_RUNS, () => cpuOf(work))

/** Expects that some work needs less CPU than `ms`. One run below the limit is enough: others may include garbage collection of other work. */
export async function expectCpuBelow(ms: number, work: () => unknown, message?: string): Promise<void> {
  expect(await leastOf(MAX_RUNS, () => cpuOf(work), ms), message).toBeLessThan(ms)
}

/** Expects that no turn of the event loop needs more CPU than `ms` during some work, since other callers wait for that long. */
export async function expectTurnsBelow(ms: number, work: () => Promise<unknown>): Promise<void> {
  expect(await leastOf(MAX_RUNS, () => longestTurnOf(work), ms)).toBeLessThan(ms)
}

/** The least of `runs` measurements; stops after the first one below `enough`. */
async function leastOf(runs: number, measure: () => Promise<number>, enough = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs && least >= enough; run++) least = Math.min(least, await measure())
  return least
}

async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e3
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
  // Also measures the turn in which the work ends.
  turn()
  return longest
}
