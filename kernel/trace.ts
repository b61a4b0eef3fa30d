/**
 * What a request spends its time on, in the order in which it passes: who calls, limits and the turn of the user, body and arguments,
 * rights to what the query names, code up to a statement, waiting for a connection, PostgreSQL, rows to records, the answer as text.
 */
const PHASES = ['auth', 'admit', 'parse', 'decide', 'compile', 'wait', 'sql', 'shape', 'serialise'] as const

export type Phase = (typeof PHASES)[number]

/** The stopwatch of one request. */
export interface Trace {
  /** Adds the time since the lap before to a phase. */
  lap(phase: Phase): void
  /** As the header `Server-Timing` has it: milliseconds of each phase, the number of round trips to PostgreSQL, the total. */
  text(): string
}

/** `clock`: milliseconds since some moment in the past. */
export function startTrace(clock: () => number): Trace {
  const started = clock()
  let last = started
  let roundTrips = 0
  const spent = new Map<Phase, number>()
  return {
    lap(phase) {
      const now = clock()
      spent.set(phase, (spent.get(phase) ?? 0) + now - last)
      last = now
      if (phase === 'sql') roundTrips++
    },
    text() {
      const entries = PHASES.filter((phase) => spent.has(phase)).map((phase) => {
        const count = phase === 'sql' ? `;desc="${roundTrips} round trips"` : ''
        return `${phase};dur=${spent.get(phase)!.toFixed(2)}${count}`
      })
      return [...entries, `total;dur=${(last - started).toFixed(2)}`].join(', ')
    },
  }
}
