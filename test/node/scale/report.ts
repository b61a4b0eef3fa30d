/** What clients saw while one thing happened. */
export interface PhaseFigures {
  readonly name: string
  readonly seconds: number
  /** Records created and acknowledged. */
  readonly created: number
  /** Of those, how many had to be sent more than once. */
  readonly repeated: number
  /** Longest time without an acknowledged create, and without an answered call of the ledger. */
  readonly writeGapMs: number
  readonly callGapMs: number
  /** Calls of the ledger: all, refused with 503, and without an answer of the service. */
  readonly calls: number
  readonly refused: number
  readonly broken: number
  /** Longest time from the answer to the event, over all pages. */
  readonly eventMs: number
  readonly resyncs: number
}

/** What must be empty at the end. */
export interface Losses {
  /** Acknowledged records that are not there, or there more than once. */
  readonly records: readonly string[]
  /** Answers of the service that contradict the ledger. */
  readonly contradictions: readonly string[]
  /** Records that a page never heard of. */
  readonly events: readonly string[]
  /** Calls that failed beyond the documented retry. */
  readonly failures: readonly string[]
}

export interface Throughput {
  readonly name: string
  readonly processes: number
  readonly service: number
  readonly floor: number
}

/** The longest time between two moments, from the last one before the window to the first one after it. */
export function longestGap(moments: readonly number[], from: number, to: number): number {
  const sorted = moments.toSorted((a, b) => a - b)
  const before = sorted.findLast((at) => at <= from) ?? from
  const after = sorted.find((at) => at >= to) ?? to
  const inside = [before, ...sorted.filter((at) => at > from && at < to), after]
  return inside.slice(1).reduce((longest, at, i) => Math.max(longest, at - inside[i]!), 0)
}

/** Least width of a column, the same that formatters of Markdown use. */
const MIN_WIDTH = 3

/** A table in Markdown; numbers are rounded and to the right. */
export function table(heads: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map((value) => (typeof value === 'number' ? String(Math.round(value)) : value)))
  const widths = heads.map((head, i) => Math.max(MIN_WIDTH, head.length, ...cells.map((row) => row[i]!.length)))
  const isNumber = heads.map((_, i) => rows.every((row) => typeof row[i] === 'number'))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => (isNumber[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join(' | ')} |`
  const rule = `| ${widths.map((width, i) => (isNumber[i] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`
  return [line(heads), rule, ...cells.map(line)].join('\n')
}

export const phaseTable = (phases: readonly PhaseFigures[]): string =>
  table(
    [
      'phase',
      's',
      'created',
      'repeated',
      'write gap ms',
      'call gap ms',
      'calls',
      '503',
      'broken',
      'event ms',
      'resync',
    ],
    phases.map((each) => [
      ...[each.name, each.seconds, each.created, each.repeated, each.writeGapMs, each.callGapMs],
      ...[each.calls, each.refused, each.broken, each.eventMs, each.resyncs],
    ]),
  )

/** Calls a second by number of processes, and how they grow. */
export const throughputTable = (all: readonly Throughput[]): string =>
  table(
    ['call', 'processes', 'service/s', 'growth', 'floor/s', 'floor growth'],
    all.map((each) => {
      const one = all.find(({ name, processes }) => name === each.name && processes === 1) ?? each
      const growth = (value: number, of: number) => `${(value / of).toFixed(2)}×`
      return [
        ...[each.name, each.processes, each.service, growth(each.service, one.service)],
        ...[each.floor, growth(each.floor, one.floor)],
      ]
    }),
  )

const SHOWN = 5

/** One line for each kind of loss. */
export function lossLines({ records, contradictions, events, failures }: Losses): readonly string[] {
  const line = (what: string, all: readonly string[]) =>
    `${what}: ${all.length === 0 ? 'none' : `${all.length}, such as ${all.slice(0, SHOWN).join('; ')}`}`
  return [
    line('Acknowledged records lost or doubled', records),
    line('Contradictions of the ledger', contradictions),
    line('Events lost', events),
    line('Calls failed beyond the documented retry', failures),
  ]
}

export const isLossless = (losses: Losses): boolean => Object.values(losses).every(({ length }) => length === 0)
