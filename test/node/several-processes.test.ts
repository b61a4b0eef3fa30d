import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { createSession } from '../../kernel/auth/session.ts'
import { Agent } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { connectBus } from '../support/bus-client.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { type Load, startLoad } from '../support/ledger.ts'
import { type LivePage, openLivePage } from '../support/live-page.ts'
import { openModules, type TestModules } from '../support/modules.ts'
import { inversionsOf, writeEvents } from '../support/outbox-writers.ts'
import { openRpcClient, type RpcClient } from '../support/rpc-client.ts'
import { createServiceKey, type Service, startService } from '../support/service.ts'
import { repeats } from '../support/soak.ts'

const RESTARTS = repeats(1, 10)
const KILLS = repeats(2, 20)
const PAGES = repeats(12, 200)
const EVENTS = repeats(400, 20_000)

/** One of the processes that a load balancer has behind it. */
interface Target {
  service: Service
  client: RpcClient
}

let database: TestDatabase
let modules: TestModules
let key: string
let userId: number
const targets: Target[] = []

beforeAll(async () => {
  await buildOnce()
  database = await createDatabase(baseTemplate)
  modules = openModules(database.db, bundledAddons)
  key = await createServiceKey(database.db)
  userId = await hire(modules, 'crowd', ['base.group_system'])
  targets.push(...(await Promise.all([start(), start(), start()])))
})
afterAll(async () => {
  await Promise.all(targets.map(({ service }) => service.end('SIGKILL')))
  await database?.drop()
})

async function start(): Promise<Target> {
  const service = await startService(database.dsn)
  return { service, client: openRpcClient(service.url, key) }
}

async function restart(target: Target, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const exit = await target.service.end(signal)
  if (signal === 'SIGTERM') expect(exit).toMatchObject({ code: 0 })
  target.client.close()
  Object.assign(target, await start())
}

let turn = 0
const next = (): Target => targets[turn++ % targets.length]!

/** As a load balancer does it: one process after the other, and another one only if the connection is refused. */
function balanced(): RpcClient {
  const send = async (ask: (client: RpcClient) => ReturnType<RpcClient['get']>) => {
    for (;;) {
      const reply = await ask(next().client)
      if (reply.fault !== 'refused') return reply
    }
  }
  return {
    rpc: (call) => send((client) => client.rpc(call)),
    get: (path) => send((client) => client.get(path)),
    close() {},
  }
}

async function openPage(): Promise<LivePage> {
  const { token } = await createSession(modules.services, database.db, { userId, ip: null, userAgent: null })
  return openLivePage({
    connect: (options) => connectBus(next().service.url, { cookie: `svc_session=${token}`, ...options }),
  })
}

/** A few at a time: the test itself has few connections. */
async function openPages(): Promise<readonly LivePage[]> {
  const pages: LivePage[] = []
  while (pages.length < PAGES)
    pages.push(...(await Promise.all(Array.from({ length: Math.min(4, PAGES - pages.length) }, openPage))))
  return pages
}

const some = (load: Load): Promise<void> => {
  const enough = load.acknowledged + 8
  return expect.poll(() => load.acknowledged, { interval: 5 }).toBeGreaterThanOrEqual(enough)
}

const missing = ({ heard }: LivePage, made: readonly string[]): readonly string[] =>
  made.filter((record) => !heard.has(record))

/** Creates records until it is stopped; those that were acknowledged. */
function keepCreating(client: RpcClient): { stop(): Promise<readonly string[]> } {
  const made: string[] = []
  let isStopped = false
  const loop = (async () => {
    for (let n = 0; !isStopped; n++) {
      const { status, body } = await client.rpc({
        model: 'core.tag',
        method: 'create',
        args: [{ name: `${Date.now()} ${n}` }],
      })
      if (status === 200) made.push(`core.tag/${body!.result}`)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await loop
      return made
    },
  }
}

test(`${EVENTS} events of 16 writers, with rollbacks and beside a long transaction, reach sockets of three processes once and in order`, async () => {
  const { token } = await createSession(modules.services, database.db, { userId, ip: null, userAgent: null })
  const clients = await Promise.all(
    targets.map(({ service }) => connectBus(service.url, { cookie: `svc_session=${token}` })),
  )
  const { committed, end } = await writeEvents(database.dsn, EVENTS)
  for (const client of clients) {
    const heard = () =>
      client.received.filter(({ channel }) => channel === 'toast').map(({ payload }) => String(payload['name']))
    await expect.poll(() => heard().length).toBeGreaterThanOrEqual(committed.length)
    expect(heard().toSorted()).toEqual(committed.toSorted())
    expect(inversionsOf(heard())).toEqual([])
    await client.close()
  }
  await end()
})

test('a session that one process has begun is known to all, and ends for all', async () => {
  const password = 'one session for all'
  const id = await hire(modules, 'commuter', ['base.group_user'])
  await modules.asSystem((env) => env.model('core.user').write([id], { password }))
  /** A browser whose requests go to one process after the other. */
  const browser = new Agent((path, init) => fetch(next().service.url + path, init), {})
  expect((await browser.fill('/web/login', { login: 'commuter', password })).status).toBe(303)
  const csrfToken = /"csrfToken":"([^"]+)"/.exec(await browser.page('/web/home'))![1]!
  const { header } = browser.cookies
  /** What each process says to this session, also when the browser has forgotten it. */
  const answers = async () => {
    const session = browser.with({ cookie: header!, 'x-csrf-token': csrfToken })
    const all = await Promise.all(targets.map(() => session.send({ model: 'core.tag', method: 'search', args: [[]] })))
    return all.map(({ status }) => status)
  }
  expect(await answers()).toEqual([200, 200, 200])
  expect((await browser.get('/web/logout')).status).toBe(303)
  await expect.poll(answers).toEqual([401, 401, 401])
})

test(`three processes restarted one after the other, ${RESTARTS} times: no request fails and no event is missed`, async () => {
  const pages = await openPages()
  const load = await startLoad(balanced(), { writers: 4, readers: 2 })
  const creating = keepCreating(balanced())
  for (let round = 0; round < RESTARTS; round++)
    for (const target of targets) {
      await some(load)
      await restart(target, 'SIGTERM')
    }
  await some(load)
  const made = await creating.stop()
  await load.stop()
  expect(load.contradictions).toEqual([])
  expect(load.replies.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  for (const page of pages) await expect.poll(() => missing(page, made)).toEqual([])
  expect(pages.filter(({ resyncs }) => resyncs > 0)).toEqual([])
  await Promise.all(pages.map((page) => page.close()))
})

test(`one of three processes killed, ${KILLS} times: no acknowledged write and no event is lost`, async () => {
  const pages = await openPages()
  const load = await startLoad(balanced(), { writers: 4, readers: 2 })
  const creating = keepCreating(balanced())
  for (let kill = 0; kill < KILLS; kill++) {
    await some(load)
    await restart(next(), 'SIGKILL')
  }
  await some(load)
  const made = await creating.stop()
  await load.stop()
  expect(load.contradictions).toEqual([])
  for (const page of pages) await expect.poll(() => missing(page, made)).toEqual([])
  await Promise.all(pages.map((page) => page.close()))
})
