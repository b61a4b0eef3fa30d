import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { createSession } from '../../kernel/auth/session.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { installModules } from '../../kernel/module/install.ts'
import { migrateKernel } from '../../kernel/schema/migrate.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { kernelMigrations } from '../../migrations/index.ts'
import { connectDatabase, type Database } from '../../runtime/postgres/database.ts'
import { hire } from '../support/api-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { type BusClient, connectBus } from '../support/bus-client.ts'
import { openCrowd } from '../support/bus-crowd.ts'
import { openModules, type TestModules } from '../support/modules.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { longestStall, residentMegabytes, type Service, startService } from '../support/service.ts'
import { isSoak, repeats } from '../support/soak.ts'

const SOCKETS = repeats(60, 10_000)
const CRASHES = repeats(1, 10)
/** Bytes of messages to a client that does not read them; more than the system itself keeps for a connection. */
const UNREAD_MESSAGES = 40
const UNREAD_CHARS = 200_000

let postgres: OwnPostgres
let database: Database
let modules: TestModules
let service: Service
const clients: BusClient[] = []

beforeAll(async () => {
  await buildOnce()
  postgres = await startOwnPostgres()
  database = connectDatabase({ dsn: postgres.dsn, maxConnections: 4, applicationName: 'test', connectWaitMs: 60_000 })
  await migrateKernel(database.db, kernelMigrations)
  modules = openModules(database.db, bundledAddons)
  await installModules(modules.services, modules.catalogue, ['base'])
  service = await startService(postgres.dsn, {}, true)
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await service.end('SIGKILL')
  await database.close()
  await postgres.remove()
})

let users = 0

/** Sockets of as many users as it takes, all of whom are there before the first socket hears of it. */
async function openMany<T>(count: number, connect: (cookie: string) => Promise<T>): Promise<readonly T[]> {
  const ids: number[] = []
  while (ids.length * LIMITS.userSockets < count) ids.push(await hire(modules, `crowd ${++users}`, ['base.group_user']))
  const opened: T[] = []
  while (opened.length < count) {
    const userId = ids[Math.floor(opened.length / LIMITS.userSockets)]!
    const { token } = await createSession(modules.services, database.db, { userId, ip: null, userAgent: null })
    const some = Math.min(LIMITS.sessionSockets, count - opened.length)
    opened.push(...(await Promise.all(Array.from({ length: some }, () => connect(`svc_session=${token}`)))))
  }
  return opened
}

async function openClients(count: number): Promise<readonly BusClient[]> {
  const opened = await openMany(count, (cookie) => connectBus(service.url, { cookie }))
  clients.push(...opened)
  return opened
}

const publish = (payload: object) =>
  sql`with e as (insert into sys_outbox (channel, payload) values ('toast', ${JSON.stringify(payload)}::jsonb))
    select pg_notify('modulus_outbox', '')`.execute(database.db)

const numbered = (n: number) => (message: { readonly payload: Readonly<Record<string, unknown>> }) =>
  message.payload['n'] === n

test('an event reaches every socket, and of many events each gets all of them once and in order', async () => {
  const crowd = openCrowd(service.url)
  await openMany(SOCKETS, crowd.connect)
  const times: number[] = []
  for (let n = 0; n <= 5; n++) {
    const heard = crowd.untilAllHear('toast')
    await publish({ n })
    const started = performance.now()
    const moments = await heard
    // What was going on while they connected is over after the first.
    if (n === 0) await longestStall(service)
    else times.push(...moments.map((moment) => moment - started))
  }
  for (const messages of crowd.received()) {
    const toasts = messages.filter(({ channel }) => channel === 'toast')
    expect(toasts.map(({ payload }) => payload['n'])).toEqual([0, 1, 2, 3, 4, 5])
  }
  const [megabytes, stall] = [await residentMegabytes(service), await longestStall(service)]
  crowd.close()
  if (!isSoak) return
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)]!
  const [ms, mb, stalled] = [p99, megabytes, stall].map(Math.round)
  console.info(`${SOCKETS} sockets: p99 ${ms} ms, ${mb} MB, stall ${stalled} ms`)
  expect(megabytes).toBeLessThan(300)
  expect(p99).toBeLessThan(500)
  expect(stall).toBeLessThan(30)
})

test('a client that does not read loses messages instead of filling memory, and gets a resync', async () => {
  const [idle, reader] = await openClients(2)
  const before = await residentMegabytes(service)
  idle!.socket.pause()
  for (let n = 100; n < 100 + UNREAD_MESSAGES; n++) {
    await publish({ n, text: 'x'.repeat(UNREAD_CHARS) })
    await reader!.until(numbered(n))
  }
  const grown = (await residentMegabytes(service)) - before
  idle!.socket.resume()
  await Promise.race([idle!.until(({ channel }) => channel === 'resync'), idle!.closed])
  expect(idle!.received.length).toBeLessThan(UNREAD_MESSAGES)
  expect(grown).toBeLessThan(150)
})

test('a crash of PostgreSQL loses no event of an open socket', async () => {
  const [client] = await openClients(1)
  for (let crash = 0; crash < CRASHES; crash++) {
    const n = 1_000 + 10 * crash
    await publish({ n })
    await client!.until(numbered(n))
    await publish({ n: n + 1 })
    await postgres.crash()
    await postgres.start()
    await publish({ n: n + 2 }).catch(() => publish({ n: n + 2 }))
    await client!.until(numbered(n + 2))
  }
  const seen = client!.received.map(({ payload }) => Number(payload['n'])).filter((n) => n >= 1_000)
  const sent = Array.from({ length: CRASHES }, (_, crash) => [0, 1, 2].map((i) => 1_000 + 10 * crash + i)).flat()
  expect(seen).toEqual(sent)
})
