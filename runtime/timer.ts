import type { Timer } from '../kernel/services.ts'

/** `Services.timer` with the timers of the platform. */
export const startTimer: Timer = (ms, run) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}
