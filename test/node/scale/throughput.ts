import { measure, type Target, warmUp } from '../../bench/load.ts'
import { SCENARIOS } from '../../bench/scenario.ts'
import type { WebProxy } from './proxies.ts'
import type { Throughput } from './report.ts'

export interface ThroughputOptions {
  readonly proxy: WebProxy
  readonly service: Target
  readonly floor: Target
  readonly seconds: number
  readonly concurrency: number
  readonly postgresPid: number
}

const CALLS = ['read 1 × 15', 'create']
const MAX_PROCESSES = 3

/** Calls a second behind the proxy with one, two and three processes, and the same of the floor. */
export async function measureThroughput(options: ThroughputOptions): Promise<readonly Throughput[]> {
  const { proxy, service, floor, seconds, concurrency, postgresPid } = options
  const all: Throughput[] = []
  let from = 1_000_000
  for (const { name, body } of SCENARIOS.filter((scenario) => CALLS.includes(scenario.name)))
    for (let processes = 1; processes <= MAX_PROCESSES; processes++) {
      const perSecond = async (backend: 'modulus' | 'floor', target: Target) => {
        await proxy.use(backend, processes)
        await warmUp(target, body, concurrency)
        from += 500_000
        return (await measure(target, body, { concurrency, seconds, from, postgresPid })).perSecond
      }
      all.push({
        ...{ name, processes },
        floor: await perSecond('floor', floor),
        service: await perSecond('modulus', service),
      })
    }
  return all
}
