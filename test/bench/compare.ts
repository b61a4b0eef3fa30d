import { JSON_FORM } from './floor.ts'
import { type Figures, measure, type Target, warmUp } from './load.ts'
import { median } from './median.ts'
import { PARTNERS, SCENARIOS } from './scenario.ts'

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
/** V8 needs some thousand calls until the code of a kind of call is as fast as it stays in operation. */
const WARM_SECONDS = Number(process.env['BENCH_WARM_SECONDS'] ?? 10)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)

/** One kind of call with so many at once: medians of all rounds. */
export interface Comparison {
  readonly name: string
  readonly concurrency: number
  readonly service: Figures
  readonly floor: Figures
  /** The floor whose JSON PostgreSQL builds, where there is one. */
  readonly jsonFloor?: Figures
  /** Calls per second, service to floor, round by round: the median, the lowest and the highest. */
  readonly ratio: number
  readonly lowest: number
  readonly highest: number
  /** Records per second, where a call makes many. */
  readonly recordsPerSecond?: number
}

interface Options {
  readonly postgresPid: number
  /** Words of names; empty for all. */
  readonly only: readonly string[]
  /** Whether the floor has the second form, in which PostgreSQL builds the JSON. */
  readonly hasJsonFloor?: boolean
}

/** Measures service and floor in turns, so that other work on the machine slows both alike, and prints each line when it is done. */
export async function compareAll(
  service: Target,
  floor: Target,
  { postgresPid, only, hasJsonFloor = true }: Options,
): Promise<Comparison[]> {
  console.log(`${PARTNERS} partners, ${SECONDS} s a turn, medians of ${ROUNDS} rounds\n`)
  console.log(
    line(
      '',
      'at once',
      'service/s',
      'floor/s',
      'ratio',
      'spread',
      'p99 ms',
      'floor',
      'cpu ms',
      'floor',
      'sql ms',
      'floor',
    ),
  )
  const all: Comparison[] = []
  const jsonFloor = { ...floor, suffix: JSON_FORM }
  for (const { name, body, concurrency: levels, records, floor: work } of SCENARIOS) {
    if (only.length > 0 && !only.some((word) => name.includes(word))) continue
    const json = hasJsonFloor && work.json !== undefined
    const targets = [service, floor, ...(json ? [jsonFloor] : [])]
    for (const target of targets) await warmUp(target, body, 8, WARM_SECONDS)
    for (const concurrency of levels) {
      for (const target of targets) await warmUp(target, body, concurrency)
      const rounds: { readonly ours: Figures; readonly theirs: Figures; readonly built: Figures | null }[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const turn = { concurrency, seconds: SECONDS, postgresPid }
        const from = (round + 1) * 1_000_000
        const theirs = await measure(floor, body, { ...turn, from })
        const built = json ? await measure(jsonFloor, body, { ...turn, from }) : null
        rounds.push({ theirs, built, ours: await measure(service, body, { ...turn, from: from + 500_000 }) })
      }
      const ratios = rounds.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond)
      const ours = middle(rounds.map((round) => round.ours))
      const found: Comparison = {
        name,
        concurrency,
        service: ours,
        floor: middle(rounds.map(({ theirs }) => theirs)),
        ...(json && { jsonFloor: middle(rounds.map(({ built }) => built!)) }),
        ratio: median(ratios),
        lowest: Math.min(...ratios),
        highest: Math.max(...ratios),
        ...(records !== undefined && { recordsPerSecond: ours.perSecond * records }),
      }
      all.push(found)
      console.log(lineOf(found))
    }
  }
  return all
}

const middle = (rounds: readonly Figures[]): Figures => ({
  perSecond: median(rounds.map(({ perSecond }) => perSecond)),
  p99: median(rounds.map(({ p99 }) => p99)),
  cpu: median(rounds.map(({ cpu }) => cpu)),
  sqlCpu: median(rounds.map(({ sqlCpu }) => sqlCpu)),
})

function lineOf({
  name,
  concurrency,
  service,
  floor,
  jsonFloor,
  ratio,
  lowest,
  highest,
  recordsPerSecond,
}: Comparison): string {
  const both = (pick: (of: Figures) => number, digits: number) => [service, floor].map((of) => pick(of).toFixed(digits))
  return line(
    name,
    String(concurrency),
    ...both(({ perSecond }) => perSecond, 0),
    ratio.toFixed(2),
    `${lowest.toFixed(2)}–${highest.toFixed(2)}`,
    ...both(({ p99 }) => p99, 1),
    ...both(({ cpu }) => cpu, 2),
    ...both(({ sqlCpu }) => sqlCpu, 2),
    ...(jsonFloor ? [`  json ${jsonFloor.perSecond.toFixed(0)}/s`] : []),
    ...(recordsPerSecond === undefined ? [] : [`  ${recordsPerSecond.toFixed(0)} records/s`]),
  )
}

const line = (first: string, ...cells: readonly string[]) =>
  first.padEnd(24) + cells.map((cell) => cell.padStart(10)).join('')
