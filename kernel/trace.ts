/**
 * The phases of a request, in order: authentication, limits and the turn of the user, body and arguments, rights to what the query
 * names, code up to a statement, waiting for a connection, PostgreSQL, converting rows to records, the answer as text.
 */
const PHASES = ['auth', 'admit', 'parse', 'decide', 'compile', 'wait', 'sql', 'shape', 'serialise'] as const

export type Phase = (typeof PHASES)[number]

/** The facts about a request when its answer is ready. */
export interface TracedAnswer {
  readonly requestId: string
  readonly method: string
  /** Pattern of the route. */
  readonly path: string
  readonly status: number
}

/** The stopwatch of one request. */
export interface Trace {
  /** Adds the time since the lap before to a phase. */
  lap(phase: Phase): void
  /** Names the call that the request makes, such as `core.partner.search_read`. */
  call?(name: string): void
  /**
   * Ends the measurement. Returns the value of the header `Server-Timing`: milliseconds of each phase, the number of round trips to
   * PostgreSQL, the total. Null: the answer has no such header.
   */
  end(answer: TracedAnswer): string | null
}

/** Several stopwatches as one. */
export const joinTraces = (traces: readonly Trace[]): Trace => ({
  lap: (phase) => {
    for (const trace of traces) trace.lap(phase)
  },
  call: (name) => {
    for (const trace of traces) trace.call?.(name)
  },
  end: (answer) => traces.reduce<string | null>((text, trace) => trace.end(answer) ?? text, null),
})

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
    end() {
      const entries = PHASES.filter((phase) => spent.has(phase)).map((phase) => {
        const count = phase === 'sql' ? `;desc="${roundTrips} round trips"` : ''
        return `${phase};dur=${spent.get(phase)!.toFixed(2)}${count}`
      })
      return [...entries, `total;dur=${(last - started).toFixed(2)}`].join(', ')
    },
  }
}
