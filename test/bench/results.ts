import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Comparison } from './compare.ts'
import type { ExchangeFigure } from './exchange.ts'
import type { ScalingFigures } from './scaling.ts'
import type { StartFigures } from './start.ts'

const FILE = join(import.meta.dirname, '../test/bench/results.json')

/** What a whole run measures. */
export interface WholeRun {
  readonly comparisons: readonly Comparison[]
  readonly start: StartFigures | null
  readonly scaling: readonly ScalingFigures[]
  readonly exchange: readonly ExchangeFigure[]
}

/** Keeps the figures of a whole run beside the code, with what they depend on. */
export async function keepResults({ comparisons, start, scaling, exchange }: WholeRun): Promise<void> {
  const { model = 'unknown' } = cpus()[0] ?? {}
  const results = {
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    node: process.version,
    machine: { processor: model, cores: cpus().length, memoryGb: Math.round(totalmem() / 2 ** 30), arch: process.arch },
    comparisons: shortened(comparisons),
    start: shortened(start),
    scaling: shortened(scaling),
    exchange: shortened(exchange),
  }
  await writeFile(FILE, `${JSON.stringify(results, null, 2)}\n`)
}

const shortened = (each: unknown) => JSON.parse(JSON.stringify(each, (_key, value) => short(value)))

const short = (value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value)
