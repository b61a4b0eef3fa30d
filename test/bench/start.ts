import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, measure, type Target } from './load.ts'
import { median } from './median.ts'
import { SCENARIOS } from './scenario.ts'
import { type BenchPlace, freePort, memoryOf, startService, stop } from './service.ts'

const STARTS = 5
const IDLE_MS = 30_000
const LOAD_SECONDS = 5
/** Words of the calls that make the load. */
const LOAD = ['search_read', 'list workspace', 'read 1', 'create', 'write']

export interface StartFigures {
  /** Milliseconds from the start of the process, with a database that is ready, to the answer of a list read. */
  readonly firstAnswerMs: number
  /** Memory of the process in MB: then, after 30 s without calls, and right after five seconds of each kind of call. */
  readonly startedMb: number
  readonly idleMb: number
  readonly loadedMb: number
}

/** How fast a process of the service starts, and how much memory it takes. */
export async function benchStart(place: BenchPlace): Promise<StartFigures> {
  const runs: number[] = []
  for (let run = 1; run < STARTS; run++) {
    const { service, ms } = await start(place)
    runs.push(ms)
    await stop(service)
  }
  const { service, target, ms } = await start(place)
  try {
    const startedMb = memoryOf(service.pid!)
    await sleep(IDLE_MS)
    const idleMb = memoryOf(service.pid!)
    for (const { body } of SCENARIOS.filter(({ name }) => LOAD.some((word) => name.startsWith(word))))
      await measure(target, body, { concurrency: 8, seconds: LOAD_SECONDS, from: 0, postgresPid: place.postgresPid })
    const figures = { firstAnswerMs: median([...runs, ms]), startedMb, idleMb, loadedMb: memoryOf(service.pid!) }
    console.log(
      `\nfirst answer ${figures.firstAnswerMs.toFixed(0)} of 800 ms after the start; memory ${startedMb} MB then, ${idleMb} of 120 after ${IDLE_MS / 1_000} s, ${figures.loadedMb} of 220 after calls`,
    )
    return figures
  } finally {
    await stop(service)
  }
}

async function start({ env, keys, sessions }: BenchPlace) {
  const port = await freePort()
  const agent = new Agent({ keepAlive: true })
  const begun = performance.now()
  const service = await startService({ ...env, SVC_HTTP_PORT: String(port) })
  const target: Target = { port, pid: service.pid!, keys, sessions }
  await call(agent, target, SCENARIOS[0]!.body(0), 0)
  const ms = performance.now() - begun
  agent.destroy()
  return { service, target, ms }
}
