import { setTimeout as sleep } from 'node:timers/promises'
import { isSecretOf, OTHER_SECRET } from '../../kernel/auth/secret-check.ts'
import { AppError } from '../../kernel/errors.ts'
import { isInitialised } from '../../kernel/module/initialise.ts'
import type { UpgradeResult } from '../../kernel/module/install.ts'
import type { Observe } from '../../kernel/observation.ts'
import type { Services } from '../../kernel/services.ts'
import { translatePgError } from '../../kernel/sql/pg-error.ts'
import { parseNetwork } from '../client-address.ts'
import type { Config } from '../config.ts'
import { DatabaseUnreachable } from '../postgres/unreachable.ts'
import { followModules } from './addon/follow-modules.ts'
import { type CronLoop, openCron } from './cron.ts'
import { explainListenError, requireFreePort } from './free-port.ts'
import { type Host, openHost } from './host.ts'
import { type IndexLoop, openIndexes } from './indexes.ts'
import { type Live, openLive } from './live.ts'
import type { Log } from './log/log.ts'
import { createLogStore, type LogStore } from './log/log-store.ts'
import { type MailLoop, openMail } from './mail/mail.ts'
import { prepareDatabase } from './prepare-database.ts'
import { type Listener, listen, type Patience } from './server.ts'
import { type Stoppable, stopOnSignals } from './stop.ts'

export interface Serving {
  readonly url: string
  /** The address and what to do next, for a person. */
  readonly greeting: string
}

export interface Service {
  /** Answers once it listens; undefined when it was stopped before. */
  readonly serving: Promise<Serving | undefined>
  /** Ends everything after `drainMs`, during which only readiness fails; a second call ends it at once. */
  readonly stop: Stoppable['stop']
}

/** Serves until a signal ends the process. */
export function runService(config: Config, log: Log): Promise<Serving | undefined> {
  const { serving, stop } = openService(config, log)
  stopOnSignals({ stop, drainMs: config.drain_seconds * 1_000 }, log)
  return serving
}

/** Serves until it is stopped; for a process that also does other work. */
export function openService(config: Config, log: Log): Service {
  let stopped: Promise<void> | undefined
  let host: Host | undefined
  let listener: Listener | undefined
  let mail: MailLoop | undefined
  let cron: CronLoop | undefined
  let live: Live | undefined
  let indexes: IndexLoop | undefined
  let store: LogStore | undefined
  let begun: Promise<Serving | undefined> = Promise.resolve(undefined)
  const end = async (patience: Patience, drainMs: number) => {
    const { graceMs } = patience
    // A running start is awaited, so that everything it opens is closed.
    await begun.catch(() => undefined)
    const stopServing = async () => {
      await listener?.drain(drainMs)
      const [cut = []] = await Promise.all([listener?.close(patience), live?.stop(graceMs)])
      if (cut.length > 0) log.line('warn', `Cut, since they had not ended: ${namesOf(cut)}.`)
    }
    await Promise.all([stopServing(), mail?.stop(graceMs), cron?.stop(graceMs), indexes?.stop()])
    await store?.close()
    await host?.close()
  }
  const stop = (patience: Patience, drainMs: number) => {
    if (stopped) {
      listener?.cut()
      void mail?.stop(0)
      void cron?.stop(0)
      void live?.stop(0)
    }
    stopped ??= end(patience, drainMs)
    return stopped
  }
  const stopping = () => stopped !== undefined
  const observe: Observe = (observation) => {
    log.observe(observation)
    if (observation.kind === 'mail' && observation.outcome === 'queued') mail?.wake()
    if (observation.kind === 'registry') indexes?.wake()
  }
  const wakeCron = (models: readonly unknown[]) => {
    if (models.includes('sys.cron')) cron?.wake()
  }
  const changed = (models: readonly string[]) => {
    live?.announce()
    wakeCron(models)
  }
  const { http_host, http_port } = config
  const start = async () => {
    // Checked first, since the database takes seconds to start.
    await requireFreePort(http_host, http_port)
    const opened = await openHost({ config, observe, changed, purpose: 'server', stopping, linesLost: log.lost })
    host = opened
    if (stopping()) return undefined
    const { migrations, modules } = await waitForDatabase(() => prepareDatabase(opened), { stopping, isFirst: true })
    store = createLogStore(host.system)
    log.keepIn(store.keep)
    for (const name of migrations) log.line('info', `migration ${name} applied`)
    for (const name of modules.modules) log.line('info', `module ${name} installed or updated`)
    const { isSetUp, isOwnSecret } = await readFirstState(host, modules, stopping)
    if (!isOwnSecret) log.line('warn', OTHER_SECRET)
    if (stopping()) return undefined
    live = await openLive(config, host, (events) => wakeCron(events.map(({ payload }) => payload['model'])))
    listener = await listen(followModules(host), {
      host: http_host,
      port: http_port,
      publicUrl: config.public_url,
      trustedProxies: config.trusted_proxies.map(parseNetwork).filter((network) => network !== null),
      ...(live.upgrade && { upgrade: live.upgrade }),
    }).catch((error: unknown) => {
      throw explainListenError(error, http_host, http_port)
    })
    mail = openMail(host)
    cron = openCron(host)
    indexes = openIndexes(host, (name) => log.line('info', `index ${name} built`))
    return { url: listener.url, greeting: greet(host.services, listener.url, isSetUp) }
  }
  begun = start()
  const serving = begun.catch(async (error: unknown) => {
    await live?.stop(0)
    await host?.close()
    throw error
  })
  return { serving, stop }
}

const NAMED = 10

/** The first names, and the number of the others. */
const namesOf = (requests: readonly string[]): string =>
  requests.slice(0, NAMED).join(', ') + (requests.length > NAMED ? ` and ${requests.length - NAMED} more` : '')

const START_WAIT_MS = 30_000
const START_PAUSE_MS = 100

/**
 * Repeats the work until the database stays available during it. If it cannot be reached even the first time, that is logged at once, since
 * its address may be wrong.
 */
async function waitForDatabase<T>(
  work: () => Promise<T>,
  { stopping, isFirst = false }: { readonly stopping: () => boolean; readonly isFirst?: boolean },
): Promise<T> {
  let hasAnswered = !isFirst
  for (const deadline = performance.now() + START_WAIT_MS; ; await sleep(START_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      const known = translatePgError(error)
      const isAway = known instanceof AppError && known.code === 'UNAVAILABLE'
      hasAnswered ||= isAway && (!(known.cause instanceof DatabaseUnreachable) || known.cause.isPassing)
      if (!isAway || !hasAnswered || stopping() || performance.now() > deadline) throw error
    }
  }
}

interface FirstState {
  readonly isSetUp: boolean
  /** The secret of this process is that of the database. */
  readonly isOwnSecret: boolean
}

/**
 * Loads the registry and reads what else a start has to know, over the connections that requests will use. Those give up after a
 * second; since the database answered a moment ago, a start tries again.
 */
const readFirstState = (
  { holder, services: { db, secretKey } }: Host,
  { registry }: UpgradeResult,
  stopping: () => boolean,
): Promise<FirstState> =>
  waitForDatabase(
    async () => {
      // Over one connection, beside that of the state.
      const read = async () => ({ isSetUp: await isInitialised(db), isOwnSecret: await isSecretOf(db, secretKey) })
      const [first] = await Promise.all([read(), holder.latest(registry)])
      return first
    },
    { stopping },
  )

function greet({ setup }: Services, url: string, isSetUp: boolean): string {
  const hello = `\nModulus is ready at ${url}\n\n`
  if (isSetUp)
    return `${hello}Sign in there, or create an API key:\n  npx svc key create --login <login> --name "my first key"\n`
  const token = setup && `\n\nFrom elsewhere, or through a proxy, the page asks for this token: ${setup.token}`
  return `${hello}Open it to set it up, or in another terminal:\n  npx svc init --company "My Company" --login admin@example.com${token}\n`
}
