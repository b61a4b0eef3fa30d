import { AppError } from '../../kernel/errors.ts'
import { hasMigrations } from '../../kernel/schema/migrate.ts'
import type { Route } from '../../kernel/serve/route.ts'
import type { Services } from '../../kernel/services.ts'
import type { AddressOf, App, Fetch } from '../app.ts'
import { type Config, parseSettings, type Settings } from '../config.ts'
import { DatabaseUnreachable } from '../postgres/unreachable.ts'
import { followModules } from './addon/follow-modules.ts'
import { type CronLoop, openCron } from './cron.ts'
import { type Host, openHost } from './host.ts'
import { createLineWriter } from './log/line-writer.ts'
import { createLog } from './log/log.ts'
import { type MailLoop, openMail } from './mail/mail.ts'
import { prepareDatabase } from './prepare-database.ts'

export interface ServicesOptions {
  /** As in `svc.ini`; missing ones have their defaults. Those of the listener (`http_…`, `trusted_proxies`, `bus_enabled`) have no effect. */
  readonly settings?: Settings
  /** Brings the database to the version of the program first, as `svc serve` does. Default true. */
  readonly migrate?: boolean
  /** Gets the lines of the log, which otherwise go to standard error. */
  readonly log?: (line: string) => void
}

export interface AppOptions extends ServicesOptions {
  /** Runs scheduled jobs and sends mail in this process, too. Without it a scheduler calls `POST /internal/tick`. Default false. */
  readonly jobs?: boolean
  /** Returns the address of a caller, for limits by address. Without it all callers without a credential share one allowance. */
  readonly address?: AddressOf
  /** The path before those of the service, such as `/erp`. Pages need the root of an origin, so only the routes for programs are served. */
  readonly prefix?: `/${string}`
}

export interface OpenServices {
  readonly services: Services
  close(): Promise<void>
}

export interface EmbeddedApp {
  readonly fetch: Fetch
  /** The token that the set-up page asks for: a Fetch handler cannot know whether callers are local. */
  readonly setupToken: string
  /** Ends jobs and closes connections. Let requests end first. */
  close(): Promise<void>
}

/** The database and all other services that handlers need, for programs that serve single routes. */
export async function openServices(options: ServicesOptions = {}): Promise<OpenServices> {
  const { services, close } = await open(parseSettings(options.settings ?? {}), options)
  return { services, close }
}

/** The whole service as a standard Fetch handler, to be mounted in any host on Node. */
export const createApp = async (options: AppOptions = {}): Promise<EmbeddedApp> => (await openApp(options)).app

/** The app together with its host. */
export async function openApp(options: AppOptions): Promise<{ readonly app: EmbeddedApp; readonly host: Host }> {
  const { prefix = '', address = () => null } = options
  if (prefix !== '' && !/^\/[\w.~/-]*[\w.~-]$/.test(prefix))
    throw new Error('prefix must be a path such as /erp, without a slash at its end.')
  const config = parseSettings(options.settings ?? {})
  const host = await open(config, options)
  const app = prefix === '' ? followModules(host) : behind(prefix, followModules(host, isForPrograms))
  const loops: (CronLoop | MailLoop | undefined)[] = options.jobs ? [openCron(host), openMail(host)] : []
  const embedded: EmbeddedApp = {
    fetch: (request, ...more) => app.fetch(request, address(request, ...more)),
    setupToken: host.services.setup!.token,
    async close() {
      await Promise.all(loops.map((loop) => loop?.stop(STOP_MS)))
      await host.close()
    },
  }
  return { app: embedded, host }
}

const STOP_MS = 10_000

async function open(config: Config, { migrate = true, log: write }: ServicesOptions): Promise<Host> {
  const { log_level: level, log_format: format } = config
  const log = createLog({ level, format, write: write ?? createLineWriter(process.stderr), clock: () => new Date() })
  const { observe, lost: linesLost } = log
  const host = await openHost({ config: { ...config, bus_enabled: false }, observe, purpose: 'server', linesLost })
  try {
    const prepared = migrate ? await prepareDatabase(host) : null
    if (!prepared && !(await hasMigrations(host.services.db)))
      throw new Error('The database has no tables yet. Run: svc migrate')
    await host.holder.latest(prepared?.modules.registry)
  } catch (error) {
    await host.close()
    // Callers of the service are never told which server is away and why; whoever starts it needs to know.
    const cause = error instanceof AppError ? error.cause : undefined
    throw cause instanceof DatabaseUnreachable ? cause : error
  }
  const { setup, ownUrl: _own, ...ports } = host.services
  // Hosts expect the standard `Response`, and their listener may be reachable from anywhere, so the set-up needs the token.
  return { ...host, services: { ...ports, Response, setup: { token: setup!.token, isLocal: false } } }
}

/** Whether a route can be served behind a prefix. Pages cannot, since their links begin at the root of the origin. */
const isForPrograms = ({ path }: Route): boolean => !/^\/((web|setup)(\/|$)|$)/.test(path)

/** Removes the prefix from addresses; those without it are not found. */
function behind(prefix: string, app: App): App {
  return {
    fetch(request, address) {
      const url = new URL(request.url)
      const isOurs = url.pathname.startsWith(`${prefix}/`)
      url.pathname = isOurs ? url.pathname.slice(prefix.length) : '/'
      return app.fetch(new Request(url, request), address)
    },
  }
}
