import type { Timer } from '../kernel/services.ts'

/** `Services.timer` by the timers that every platform has. */
export const startTimer: Timer = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
