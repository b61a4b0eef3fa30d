import type { ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { spawnFloor } from './floor.ts'
import { measure, type Target, warmUp } from './load.ts'
import { SCENARIOS } from './scenario.ts'
import { type BenchPlace, freePort, startService, stop } from './service.ts'

const PROCESSES = 3
const SECONDS = 3
/** Calls at once to each process. */
const CONCURRENCY = 8

/** List reads of so many processes together. */
export interface ScalingFigures {
  readonly processes: number
  readonly servicePerSecond: number
  readonly floorPerSecond: number
  /** Calls per second of one among them, compared to a process alone. */
  readonly serviceEach: number
  readonly floorEach: number
}

/**
 * How much two and three processes do over one database. It needs free cores: each process takes one, and so do PostgreSQL and the caller,
 * so the floor's figures stand beside those of the service.
 */
export async function benchScaling({
  env,
  dsn,
  postgresPid,
  keys,
  sessions,
}: BenchPlace): Promise<readonly ScalingFigures[]> {
  const children: ChildProcess[] = []
  const services: Target[] = []
  const floors: Target[] = []
  const figures: ScalingFigures[] = []
  console.log(
    `\nlist reads of several processes, ${CONCURRENCY} calls at once to each, on ${availableParallelism()} cores`,
  )
  try {
    for (let processes = 1; processes <= PROCESSES; processes++) {
      const port = await freePort()
      const service = await startService({ ...env, SVC_HTTP_PORT: String(port) })
      children.push(service)
      services.push({ port, pid: service.pid!, keys, sessions })
      const floor = await spawnFloor(dsn)
      children.push(floor.child)
      floors.push({ port: floor.port, pid: floor.child.pid!, keys, sessions })
      const floorPerSecond = await together(floors, postgresPid)
      const servicePerSecond = await together(services, postgresPid)
      const alone = figures[0] ?? { servicePerSecond, floorPerSecond }
      const found: ScalingFigures = {
        processes,
        servicePerSecond,
        floorPerSecond,
        serviceEach: servicePerSecond / processes / alone.servicePerSecond,
        floorEach: floorPerSecond / processes / alone.floorPerSecond,
      }
      figures.push(found)
      console.log(
        `${processes}: ${servicePerSecond.toFixed(0)}/s, ${found.serviceEach.toFixed(2)} of a process alone each; floor ${floorPerSecond.toFixed(0)}/s, ${found.floorEach.toFixed(2)}`,
      )
    }
    return figures
  } finally {
    for (const child of children) await stop(child)
  }
}

async function together(targets: readonly Target[], postgresPid: number): Promise<number> {
  const { body } = SCENARIOS[0]!
  for (const target of targets) await warmUp(target, body, CONCURRENCY)
  const turn = { concurrency: CONCURRENCY, seconds: SECONDS, from: 0, postgresPid }
  const found = await Promise.all(targets.map((target) => measure(target, body, turn)))
  return found.reduce((sum, { perSecond }) => sum + perSecond, 0)
}
