/** Watches how long the process keeps its own event loop from turning. */
export interface LoopWatch {
  /** Milliseconds that 99 of 100 turns stay below. */
  stop(): number
}

const EVERY_MS = 10

/** A turn counts at most the CPU time it took, because time that others held the processor is no fault of ours. */
export function watchLoop(): LoopWatch {
  const turns: number[] = []
  let wall = performance.now()
  let cpu = process.cpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(cpu)
    turns.push(Math.min(performance.now() - wall, (user + system) / 1e3))
    wall = performance.now()
    cpu = process.cpuUsage()
  }, EVERY_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return turns.sort((a, b) => a - b)[Math.floor(turns.length * 0.99)] ?? 0
    },
  }
}
