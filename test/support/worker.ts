import type { Readable } from 'node:stream'
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
  /** Gets what the worker logs. */
  readonly log?: (text: string) => void
}

/** The service in workerd, over any database. */
export async function openWorker(
  dsn: string,
  { bindings, clientFolder, overSocket, script, log }: WorkerOptions,
): Promise<Front> {
  // Large modules that the other hosts can do without.
  const [{ Miniflare }, { WORKER_COMPATIBILITY, workerScript }] = await Promise.all([
    import('miniflare'),
    import('./worker-bundle.ts'),
  ])
  const worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.mjs', contents: script ?? (await workerScript()) }],
    compatibilityDate: WORKER_COMPATIBILITY.date,
    compatibilityFlags: [...WORKER_COMPATIBILITY.flags],
    bindings: given({ DB_DSN: dsn, SECRET_KEY, RATE_LIMIT_RPM: '0', ...bindings }),
    ...(log && {
      handleRuntimeStdio(stdout: Readable, stderr: Readable) {
        for (const stream of [stdout, stderr]) stream.on('data', (part: Buffer) => log(String(part)))
      },
    }),
    ...(clientFolder !== undefined && {
      assets: { directory: clientFolder, binding: 'ASSETS', routerConfig: { has_user_worker: true } },
    }),
  })
  const { origin } = await worker.ready
  return {
    url: overSocket ? origin : ORIGIN,
    // Miniflare declares Request and Response classes of its own; they are the standard ones.
    fetch: (path, init) =>
      overSocket
        ? fetch(origin + path, init)
        : (worker.dispatchFetch(ORIGIN + path, init as never) as unknown as Promise<Response>),
    async scheduled() {
      const { outcome } = await ((await worker.getWorker()) as unknown as Triggered).scheduled({ cron: '* * * * *' })
      if (outcome !== 'ok') throw new Error(`The trigger ended with ${outcome}.`)
    },
    close: () => worker.dispose(),
  }
}

/** The settings that have a value; `undefined` leaves one out. */
const given = (bindings: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(bindings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
