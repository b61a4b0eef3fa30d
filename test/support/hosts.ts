import { afterAll, beforeAll, describe } from 'vitest'
import { createApiKey } from '../../kernel/auth/api-key.ts'
import { issueCsrfToken } from '../../kernel/auth/csrf.ts'
import { createSession } from '../../kernel/auth/session.ts'
import { storeMailServer } from '../../kernel/mail/mail-server.ts'
import type { Observation } from '../../kernel/observation.ts'
import type { Route } from '../../kernel/serve/route.ts'
import type { Services } from '../../kernel/services.ts'
import { serveAll } from '../../runtime/app.ts'

import { listen, NodeResponse } from '../../runtime/node/server.ts'
import { Agent, type Fetch } from './agent.ts'
import { apiTemplate, type TestUser } from './api-database.ts'
import { createDatabase, type Template, type TestDatabase } from './database.ts'
import { DEMO_ADDONS } from './demo-addons.ts'
import { openModules, type TestModules } from './modules.ts'
import { allOnWorkerd, excuseListed } from './on-workerd.ts'
import { requireReason } from './reasons.ts'
import { type Front, ORIGIN, openWorker, SECRET_KEY, type WorkerOptions } from './worker.ts'

export { SECRET_KEY } from './worker.ts'

const HOST_KINDS = ['process', 'listener', 'workerd'] as const
/** process: the handlers themselves. listener: a real socket of Node. workerd: the same handlers in the Workers runtime. */
export type HostKind = (typeof HOST_KINDS)[number]

/** One running service over a database of its own. */
export interface Host {
  readonly kind: HostKind
  readonly database: TestDatabase
  readonly modules: TestModules
  /** What the service reported; only hosts in this process can be listened to. */
  readonly observed: Observation[]
  /** Address of the listener. */
  readonly url: string
  /** Sends a request as it is. */
  fetch: Fetch
  /** A cron trigger of the platform; only workerd has them. */
  scheduled(): Promise<void>
  /** A caller without any credential. */
  anonymous(): Agent
  /** A browser of this user: session cookie and CSRF token. */
  signIn(login: TestUser | string): Promise<Agent>
  /** An integration of this user, with the key it uses. */
  apiKey(
    login: TestUser | string,
    options?: KeyOptions,
  ): Promise<Agent & { readonly key: string; readonly keyId: number }>
}

export interface KeyOptions {
  readonly scope?: Readonly<Record<string, unknown>>
  readonly expiresAt?: string
}

/** Ports instead of those a host in this process has. The host in workerd has bindings and the folder of a client instead. */
export interface OtherPorts extends Partial<Services>, Pick<WorkerOptions, 'bindings' | 'clientFolder'> {
  /** Routes of an addon; not in workerd, where they come with the bundle. */
  readonly routes?: readonly Route[] | undefined
}

type Overrides = OtherPorts | ((services: Services) => OtherPorts)

interface OpenHost extends Host {
  close(): Promise<void>
}

/** Runs one suite in process and again inside workerd; or on the hosts that `ports` names, with those ports. */
export function describeHosts(
  name: string,
  suite: (host: Host) => void,
  ports: Readonly<Partial<Record<HostKind, Overrides>>> = { process: {}, workerd: {} },
): void {
  for (const kind of HOST_KINDS) {
    const overrides = ports[kind]
    if (overrides && (kind === 'workerd' || !allOnWorkerd())) describeHost(name, kind, suite, overrides)
  }
}

/**
 * Runs a suite on one kind of host; where `TEST_HOST` says so, in workerd instead. The host exists from `beforeAll` on; while tests are
 * collected it is only a name. Its database is a clone of the `template`, usually that with the library and the three users.
 */
export function describeHost(
  name: string,
  host: HostKind | { readonly kind: HostKind; readonly template: Template },
  suite: (host: Host) => void,
  overrides: Overrides = {},
): void {
  const { kind: meant, template } = typeof host === 'string' ? { kind: host, template: apiTemplate } : host
  const kind = allOnWorkerd() ? 'workerd' : meant
  describe(`${name} [${kind}]`, () => {
    let open: OpenHost | undefined
    beforeAll(async () => {
      open = await openHost(kind, overrides, template, meant === 'listener')
    })
    if (kind !== meant) excuseListed()
    afterAll(() => open?.close())
    const late = <K extends keyof Host>(key: K): Host[K] => {
      if (!open) throw new Error('The host opens in beforeAll.')
      return open[key]
    }
    suite({
      kind,
      get database() {
        return late('database')
      },
      get modules() {
        return late('modules')
      },
      get observed() {
        return late('observed')
      },
      get url() {
        return late('url')
      },
      fetch: (path, init) => late('fetch')(path, init),
      scheduled: () => late('scheduled')(),
      anonymous: () => late('anonymous')(),
      signIn: (login) => late('signIn')(login),
      apiKey: (login, options) => late('apiKey')(login, options),
    })
  })
}

async function openHost(
  kind: HostKind,
  overrides: Overrides,
  template: Template,
  overSocket: boolean,
): Promise<OpenHost> {
  const database = await createDatabase(template)
  const modules = openModules(database.db, DEMO_ADDONS)
  const { bindings, clientFolder, routes, ...ports } =
    typeof overrides === 'function' ? overrides(modules.services) : overrides
  const services: Services = {
    ...modules.services,
    secretKey: new TextEncoder().encode(SECRET_KEY),
    ...(kind === 'listener' && { Response: NodeResponse }),
    ...ports,
  }
  const front = await FRONTS[kind](services, database, { bindings, clientFolder, routes, overSocket })
  const isInside = kind !== 'workerd'
  return {
    kind,
    database: isInside ? database : { ...database, statements: unseen() },
    modules,
    observed: isInside ? modules.observed : unseen(),
    url: front.url,
    fetch: async (path, init) => requireReason(await front.fetch(path, init)),
    scheduled: async () => {
      if (!front.scheduled) throw new Error(`There are no triggers on a ${kind} host.`)
      await front.scheduled()
    },
    anonymous: () => new Agent(front.fetch, {}),
    signIn: async (login) => {
      const userId = await userIdOf(modules, login)
      const { token, csrfSecret } = await createSession(services, database.db, { userId, ip: null, userAgent: null })
      const csrf = issueCsrfToken(csrfSecret, services.random)
      const agent = new Agent(front.fetch, { 'x-csrf-token': csrf })
      agent.cookies.set('svc_session', token)
      return agent
    },
    apiKey: async (
      login,
      { scope = null, expiresAt = null }: { scope?: KeyOptions['scope'] | null; expiresAt?: string | null } = {},
    ) => {
      const userId = await userIdOf(modules, login)
      const { id, key } = await modules.asSystem((env) =>
        // The pepper is that of this host, not the one `openModules` made up.
        createApiKey({ ...env, services }, { userId, name: 'test', expiresAt, scope }),
      )
      return Object.assign(new Agent(front.fetch, { 'x-api-key': key }), { key, keyId: id })
    },
    close: async () => {
      await front.close()
      await database.drop()
    },
  }
}

/** For observations inside workerd, which a test cannot see: reading the list throws, since an empty one could let a test pass wrongly. */
const unseen = <T>(): T[] =>
  new Proxy<T[]>([], {
    get(): never {
      throw new Error('What happens inside of workerd cannot be seen from here.')
    },
  })

async function userIdOf(modules: TestModules, login: string): Promise<number> {
  const [id] = await modules.asSystem((env) =>
    env.model('core.user').search([['login', '=', login]], { archived: 'include' }),
  )
  if (id === undefined) throw new Error(`There is no user ${login}.`)
  return id
}

type FrontOptions = WorkerOptions & Pick<OtherPorts, 'routes'>

type OpenFront = (services: Services, database: TestDatabase, options: FrontOptions) => Promise<Front>

const FRONTS: Readonly<Record<HostKind, OpenFront>> = {
  async process(services, _database, { routes }) {
    const app = serveAll(services, routes)
    return {
      url: ORIGIN,
      fetch: (path, init) => app.fetch(new Request(ORIGIN + path, init), '127.0.0.1'),
      close: async () => {},
    }
  },
  async listener(services, _database, { routes }) {
    const { url, close } = await listen(serveAll(services, routes), { host: '127.0.0.1', port: 0 })
    return { url, fetch: (path, init) => fetch(url + path, init), close: () => close({ graceMs: 0 }) }
  },
  async workerd(services, { dsn, db }, { bindings, ...options }) {
    const { mail } = services
    // In workerd the mail server is set in the database.
    if (mail?.configured?.server) await storeMailServer({ services, tx: db }, mail.configured.server)
    return openWorker(dsn, { ...options, bindings: { ...bindingsOf(services), ...bindings } })
  },
}

/** The bindings of workerd that correspond to these ports. */
const bindingsOf = ({ publicUrl, sessionHours, mapTilesUrl }: Services): Readonly<Record<string, string>> => ({
  ...(publicUrl !== null && { PUBLIC_URL: publicUrl }),
  ...(sessionHours && {
    SESSION_IDLE_HOURS: String(sessionHours.idle),
    SESSION_MAX_HOURS: String(sessionHours.absolute),
  }),
  ...(mapTilesUrl !== undefined && { MAP_TILES_URL: mapTilesUrl }),
})
