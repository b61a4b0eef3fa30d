import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** The built program. */
export const CLI = join(import.meta.dirname, 'svc.js')
/** Measures the event loop of the process that loads it. */
const WATCH = join(import.meta.dirname, '../test/bench/watch-loop.mjs')

/** The database to measure over, and those who call. */
export interface BenchPlace {
  /** Of a service over it. */
  readonly env: NodeJS.ProcessEnv
  readonly dsn: string
  readonly postgresPid: number
  /** API keys of the users, and tokens of their browsers. */
  readonly keys: readonly string[]
  readonly sessions: readonly string[]
}

/** Starts a service and waits until it answers. For `lookAt` it must be watched. */
export async function startService(env: NodeJS.ProcessEnv, isWatched = false): Promise<ChildProcess> {
  const child = spawn(process.execPath, [...(isWatched ? ['--import', WATCH] : []), CLI, 'serve'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', ...(isWatched ? ['ipc' as const] : [])],
  })
  for (let tries = 0; tries < 1_000; tries++) {
    const answered = await fetch(`http://127.0.0.1:${env['SVC_HTTP_PORT']}/api/ready`).then(
      (response) => response.ok,
      () => false,
    )
    if (answered) return child
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('the service did not get ready')
}

export interface Watched {
  /** Longest time for which the event loop did not come round, in ms. */
  readonly stall: number
  /** Largest memory in bytes. */
  readonly memory: number
}

/** What was measured of a watched process since the last call. */
export const lookAt = (service: ChildProcess): Promise<Watched> =>
  new Promise((resolve) => {
    service.once('message', (seen) => resolve(seen as Watched))
    service.send('look')
  })

export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

export const stop = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGINT')
  })

/** Memory of a process in MB, from Linux; NaN elsewhere. */
export function memoryOf(pid: number): number {
  try {
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024)
  } catch {
    return Number.NaN
  }
}
