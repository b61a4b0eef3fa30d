import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundledAddons } from '../../addons/index.ts'
import { createApiKey } from '../../kernel/auth/api-key.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { hire } from './api-database.ts'
import { openModules } from './modules.ts'
import { type Settings, spawnSvc, waitForOutput } from './svc.ts'

export const SECRET_KEY = 'the secret of the services under test'

/** The service as its users run it: a process of its own, from the built program. */
export interface Service {
  readonly url: string
  readonly child: ChildProcess
  /** What it has logged so far. */
  log(): string
  /** Its messages to the person who started it. */
  greeting(): string
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Exit>
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly ms: number
}

/** Settings of a service over a database, for `startService` and `runSvc`. */
export const serviceSettings = (dsn: string, more: Settings = {}): Settings => ({
  SVC_DB_DSN: dsn,
  SVC_SECRET_KEY: SECRET_KEY,
  SVC_HTTP_PORT: '0',
  SVC_RATE_LIMIT_RPM: '0',
  SVC_DATA_DIR: join(tmpdir(), 'modulus-no-data'),
  ...more,
})

/** Starts a service and waits until it is ready. Build the program first, and end what was started. */
export async function startService(dsn: string, more: Settings = {}, isWatched = false): Promise<Service> {
  const child = spawnSvc(['serve'], serviceSettings(dsn, more), { isWatched })
  let log = ''
  child.stderr!.on('data', (chunk) => {
    log += chunk
  })
  let greeting = ''
  child.stdout!.on('data', (chunk) => {
    greeting += chunk
  })
  const [, url] = await waitForOutput(child, /ready at (\S+)/).catch((error) => {
    throw new Error(`${error.message}${log}`)
  })
  const exit = once(child, 'exit')
  return {
    url: url!,
    child,
    log: () => log,
    greeting: () => greeting,
    async end(signal) {
      const started = performance.now()
      child.kill(signal)
      const [code, by] = await exit
      return { code, signal: by, ms: performance.now() - started }
    },
  }
}

/** An API key of a new administrator that may change everything, for services over this database; it has the addon base. */
export async function createServiceKey(db: Db, login = 'operator'): Promise<string> {
  const modules = openModules(db, bundledAddons)
  const userId = await hire(modules, login, ['base.group_system'])
  const services = { ...modules.services, secretKey: new TextEncoder().encode(SECRET_KEY) }
  const { key } = await modules.asSystem((env) =>
    createApiKey({ ...env, services }, { userId, name: 'test', expiresAt: null, scope: { credentials: true } }),
  )
  return key
}

/** The longest stall of the event loop of a watched service since the last question, in milliseconds. */
export async function longestStall({ child }: Service): Promise<number> {
  child.send('look')
  const [{ stall }] = await once(child, 'message')
  return stall
}

/** Memory of the process. */
export async function residentMegabytes({ child }: Service): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(child.pid)])
  return Number(stdout) / 1_024
}
