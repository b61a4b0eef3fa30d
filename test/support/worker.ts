import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Miniflare } from 'miniflare'
import type { Fetch } from './agent.ts'

export const SECRET_KEY = 'the secret of the test installation'
export const ORIGIN = 'http://modulus.test'

export interface Front {
  readonly url: string
  readonly fetch: Fetch
  scheduled?(): Promise<void>
  close(): Promise<unknown>
}

/** A worker as Miniflare gives it; the declaration takes its types from a package that is not installed. */
interface Triggered {
  scheduled(options: { readonly cron: string }): Promise<{ readonly outcome: string }>
}

export interface WorkerOptions {
  /** Further settings. */
  readonly bindings?: Readonly<Record<string, string | undefined>> | undefined
  /** Folder of the web client. */
  readonly clientFolder?: string | undefined
  /** Whether callers reach it over its socket. */
  readonly overSocket?: boolean
  /** The module it runs; that of the tests, which has the library, if undefined. */
  readonly script?: string
  /** Gets what the worker logs; only one that shares its process. */
  readonly log?: (text: string) => void
}

/** A suite at the worker that suites share: its name there and its bindings. `isLast`: it is over. */
export interface Suite {
  readonly id: string
  readonly bindings: Readonly<Record<string, string>>
  readonly isLast?: boolean
}

/**
 * The service in workerd, over any database. Callers share one process, unless they need a socket, a client or a script of their own; what an
 * isolate keeps is new for each of them.
 */
export function openWorker(dsn: string, options: WorkerOptions): Promise<Front> {
  const bindings = given({ DB_DSN: dsn, SECRET_KEY, RATE_LIMIT_RPM: '0', ...options.bindings })
  const { clientFolder, overSocket = false, script } = options
  const isAlone = overSocket || clientFolder !== undefined || script !== undefined
  return isAlone ? openAlone(bindings, options) : joinShared(bindings, options.log)
}

async function openAlone(
  bindings: Suite['bindings'],
  { clientFolder, overSocket, script }: WorkerOptions,
): Promise<Front> {
  const worker = await startWorker({
    bindings,
    ...(clientFolder !== undefined && {
      assets: { directory: clientFolder, binding: 'ASSETS', routerConfig: { has_user_worker: true } },
    }),
    script,
  })
  const { origin } = await worker.ready
  return {
    url: overSocket ? origin : ORIGIN,
    fetch: (path, init) => (overSocket ? fetch(origin + path, init) : dispatch(worker, path, init)),
    scheduled: () => trigger(worker, '* * * * *'),
    close: () => worker.dispose(),
  }
}

let shared: Promise<Miniflare> | undefined
/** Get what the shared worker logs. */
const listeners = new Set<NonNullable<WorkerOptions['log']>>()

/** The process ends with that of the tests. */
async function joinShared(bindings: Suite['bindings'], log: WorkerOptions['log']): Promise<Front> {
  shared ??= startWorker({
    handleRuntimeStdio(stdout: Readable, stderr: Readable) {
      for (const stream of [stdout, stderr])
        stream.on('data', (part: Buffer) => {
          if (listeners.size === 0) process.stderr.write(part)
          for (const listener of listeners) listener(String(part))
        })
    },
  })
  const worker = await shared
  const suite: Suite = { id: randomUUID(), bindings }
  if (log) listeners.add(log)
  return {
    url: ORIGIN,
    fetch: (path, init) => dispatch(worker, path, { ...init, cf: { suite } }),
    scheduled: () => trigger(worker, JSON.stringify(suite)),
    async close() {
      if (log) listeners.delete(log)
      await dispatch(worker, '/', { cf: { suite: { ...suite, isLast: true } } })
    },
  }
}

/** `script`: the module it runs; that of the tests, which has the library, if undefined. */
async function startWorker({
  script,
  ...options
}: Readonly<Record<string, unknown>> & { script?: string | undefined }) {
  // Large modules that the other hosts can do without.
  const [{ Miniflare }, { WORKER_COMPATIBILITY, workerScript }] = await Promise.all([
    import('miniflare'),
    import('./worker-bundle.ts'),
  ])
  return new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.mjs', contents: script ?? (await workerScript()) }],
    compatibilityDate: WORKER_COMPATIBILITY.date,
    compatibilityFlags: [...WORKER_COMPATIBILITY.flags],
    ...options,
  })
}

/** Miniflare declares Request and Response classes of its own; they are the standard ones. */
const dispatch = (worker: Miniflare, path: string, init?: RequestInit & { readonly cf?: object }): Promise<Response> =>
  worker.dispatchFetch(ORIGIN + path, init as never) as unknown as Promise<Response>

async function trigger(worker: Miniflare, cron: string): Promise<void> {
  const { outcome } = await ((await worker.getWorker()) as unknown as Triggered).scheduled({ cron })
  if (outcome !== 'ok') throw new Error(`The trigger ended with ${outcome}.`)
}

/** The settings that have a value; `undefined` leaves one out. */
const given = (bindings: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(bindings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
