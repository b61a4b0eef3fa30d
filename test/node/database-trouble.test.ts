import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { installModules } from '../../kernel/module/install.ts'
import { migrateKernel } from '../../kernel/schema/migrate.ts'
import { transact } from '../../kernel/sql/transaction.ts'
import { kernelMigrations } from '../../migrations/index.ts'
import { connectDatabase } from '../../runtime/postgres/database.ts'
import { buildOnce } from '../support/build-once.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { AT_GATE, CREATE_GATE, OPEN_GATE } from '../support/gate.ts'
import { type Load, startLoad } from '../support/ledger.ts'
import { openModules } from '../support/modules.ts'
import { type OwnPostgres, startOwnPostgres, withClient } from '../support/own-postgres.ts'
import { openRpcClient, type Reply, type RpcClient } from '../support/rpc-client.ts'
import { createServiceKey, residentMegabytes, type Service, startService } from '../support/service.ts'
import { isSoak, repeats } from '../support/soak.ts'
import type { Settings } from '../support/svc.ts'

const CRASHES = repeats(2, 20)
const BURSTS = repeats(5, 200)
const LOST_COMMITS = repeats(6, 200)

let postgres: OwnPostgres
let key: string
/** Keys of several users, since one user alone may not use all connections. */
const keys: string[] = []
const USERS = 6
/** Connections for requests; one user gets three of them. */
const CONNECTIONS = 5
const toClose: (() => unknown)[] = []

beforeAll(async () => {
  await buildOnce()
  postgres = await startOwnPostgres()
  const { db, close } = connectDatabase({ dsn: postgres.dsn, maxConnections: 2, applicationName: 'test' })
  await migrateKernel(db, kernelMigrations)
  const { services, catalogue } = openModules(db, bundledAddons)
  await installModules(services, catalogue, ['base'])
  for (let user = 0; user < USERS; user++) keys.push(await createServiceKey(db, `operator ${user}`))
  key = keys[0]!
  await close()
  await postgres.query(CREATE_GATE)
})
afterAll(() => postgres?.remove())

async function closeAll(): Promise<void> {
  for (const close of toClose.splice(0).toReversed()) await close()
}

async function open(settings: Settings = {}, dsn = postgres.dsn): Promise<{ service: Service; client: RpcClient }> {
  const service = await startService(dsn, settings)
  const client = openRpcClient(service.url, key)
  toClose.push(() => service.end('SIGKILL'), client.close)
  return { service, client }
}

const countries = { model: 'core.country', method: 'search_read', args: [[], ['name']] }
const newTag = { model: 'core.tag', method: 'create', args: [{}] }

const paint = (ids: readonly number[], color: number) => ({
  model: 'core.tag',
  method: 'write',
  args: [ids, { color }],
})

async function createTag(client: RpcClient, name: string): Promise<number> {
  const { body } = await client.rpc({ ...newTag, args: [{ name }] })
  return Number(body?.result)
}

const rename = (id: number) => ({ model: 'core.tag', method: 'write', args: [[id], { name: `held ${id} again` }] })

/** Color and version of a tag as they are in the database. */
const tagRow = async (id: number) =>
  (
    await postgres.query<{ color: number; version: number }>('SELECT color, version FROM core_tag WHERE id = $1', [id])
  )[0]!

/** Replies that are neither an answer nor the one error an absent database may cause. */
const improper = (replies: readonly Reply[]) =>
  replies.filter(({ status, body, headers }) => {
    if (status === 200) return body?.ok !== true
    return status !== 503 || body?.error?.code !== 'UNAVAILABLE' || !(Number(headers['retry-after']) > 0)
  })

const statuses = (replies: readonly Reply[]) => [...new Set(replies.map(({ status }) => status))].sort()

/** How long callers wait is only checked on a quiet machine, what they are told on every machine. */
function expectWithin(ms: number, replies: readonly Reply[]): void {
  if (isSoak) expect(Math.max(0, ...replies.map((reply) => reply.ms))).toBeLessThan(ms)
}

const until = (ask: () => Promise<Reply>, status: number): Promise<void> =>
  expect.poll(async () => (await ask()).status, { interval: 20 }).toBe(status)

/** Until the load has got more writes through. */
const untilWritten = (load: Load): Promise<void> =>
  expect.poll(() => load.acknowledged, { interval: 20 }).toBeGreaterThan(load.acknowledged + 8)

/** Asks `/api/health` all the time. */
function watchHealth(client: RpcClient): { stop(): Promise<readonly Reply[]> } {
  const replies: Reply[] = []
  let isStopped = false
  const loop = (async () => {
    while (!isStopped) {
      replies.push(await client.get('/api/health'))
      await sleep(50)
    }
  })()
  return {
    async stop() {
      isStopped = true
      await loop
      return replies
    },
  }
}

describe('PostgreSQL', () => {
  let service: Service
  let client: RpcClient
  beforeAll(async () => {
    ;({ service, client } = await open({ SVC_DB_MAX_OPEN_CONNS: String(CONNECTIONS) }))
  })
  afterAll(closeAll)

  test(`crashes ${CRASHES} times under load: callers get 503, no write is lost or half done, the service recovers`, async () => {
    const health = watchHealth(client)
    const load = await startLoad(client, { writers: 4, readers: 4 })
    const ready = () => client.get('/api/ready')
    for (let round = 0; round < CRASHES; round++) {
      await untilWritten(load)
      await postgres.crash()
      await until(ready, 503)
      await postgres.start()
      await until(() => client.rpc(countries), 200)
      await until(ready, 200)
    }
    await untilWritten(load)
    await load.stop()
    expect(load.contradictions).toEqual([])
    expect(improper(load.replies)).toEqual([])
    expect(statuses(load.replies)).toEqual([200, 503])
    expectWithin(4_500, load.replies)
    const alive = await health.stop()
    expect(statuses(alive)).toEqual([200])
    expectWithin(1_000, alive)
    expect(service.child.exitCode).toBeNull()
  })

  test('stays away: each call is answered with 503, and nothing piles up', async () => {
    const load = await startLoad(client, { writers: 3, readers: 3 })
    await untilWritten(load)
    const before = await residentMegabytes(service)
    const logged = service.log().length
    await postgres.crash()
    const health = watchHealth(client)
    const bursts: Reply[] = []
    for (let burst = 0; burst < BURSTS; burst++) {
      bursts.push(...(await Promise.all(Array.from({ length: 40 }, () => client.rpc(countries)))))
    }
    expect(statuses(bursts)).toEqual([503])
    expect(improper(bursts)).toEqual([])
    expectWithin(1_900, bursts)
    await expect.poll(async () => (await client.get('/api/ready')).status).toBe(503)
    const alive = await health.stop()
    expect(statuses(alive)).toEqual([200])
    expect((await residentMegabytes(service)) - before).toBeLessThan(80)
    await postgres.start()
    await until(() => client.rpc(countries), 200)
    await load.stop()
    // One line for the beginning, one for the end, and nothing for each request.
    const told = () => service.log().slice(logged)
    const end = () => /The database is back after \d+ s\. Requests refused: (\d+)\./.exec(told())
    await expect.poll(() => Number(end()?.[1])).toBeGreaterThanOrEqual(bursts.length)
    const during = told()
      .slice(0, end()!.index)
      .split('\n')
      .slice(0, -1)
      // A slow machine makes requests before and after the outage slow enough for a line.
      .filter((line) => !/ 200 \d+ ms /.test(line))
    expect(during).toEqual([expect.stringContaining('The database is away: ')])
    expect(load.contradictions).toEqual([])
    expect(improper(load.replies)).toEqual([])
  })

  test('has a deadlock with another session: the call is delayed and then succeeds', async () => {
    const first = await createTag(client, 'first')
    const second = await createTag(client, 'second')
    await withClient(postgres.adminDsn, async (other) => {
      // Leaves it to the service's session to find the deadlock, and so to be undone.
      await other.query("SET deadlock_timeout = '20s'")
      await other.query(`BEGIN; UPDATE core_tag SET color = 7 WHERE id = ${second}`)
      // Inside the server, because the service's session looks for a deadlock only once, soon after it began to wait.
      const crossing = other.query(`DO $$ BEGIN
        WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted) LOOP PERFORM pg_sleep(0.01); END LOOP;
        UPDATE core_tag SET color = 7 WHERE id = ${first};
      END $$`)
      const call = client.rpc(paint([first, second], 8))
      await crossing
      await other.query('COMMIT')
      expect(await call).toMatchObject({ status: 200 })
    })
    expect(await tagRow(first)).toEqual({ color: 8, version: 2 })
    expect(await tagRow(second)).toEqual({ color: 8, version: 2 })
  })

  test('has deadlocks between calls that write the same records in opposite order: they are run again', async () => {
    const left = await createTag(client, 'left')
    const right = await createTag(client, 'right')
    const partner = async (name: string) =>
      Number((await client.rpc({ model: 'core.partner', method: 'create', args: [{ name }] })).body?.result)
    const [forth, back] = [await partner('forth'), await partner('back')]
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) => {
        const order = i % 2 === 0 ? [left, right] : [right, left]
        const tag_ids = order.flatMap((id) => [
          [4, id],
          [1, id, { color: i }],
        ])
        return client.rpc({ model: 'core.partner', method: 'write', args: [[i % 2 === 0 ? forth : back], { tag_ids }] })
      }),
    )
    // A call is run again for a second; on a machine that is too busy for that it is told to come again, and has changed nothing.
    expect(replies.filter(({ status }) => status !== 200 && status !== 409 && status !== 503)).toEqual([])
    if (isSoak) expect(statuses(replies)).toEqual([200])
    const written = replies.filter(({ status }) => status === 200).length
    expect(written).toBeGreaterThan(0)
    expect((await tagRow(left)).version).toBe(1 + written)
    expect((await tagRow(right)).version).toBe(1 + written)
  })

  test('has a lock that is not released: the caller gets a CONFLICT', async () => {
    const id = await createTag(client, 'locked')
    await withClient(postgres.dsn, async (other) => {
      await other.query('BEGIN')
      await other.query('UPDATE core_tag SET color = 9 WHERE id = $1', [id])
      const reply = await client.rpc(paint([id], 1))
      expect(reply).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
      expectWithin(5_000, [reply])
      await other.query('ROLLBACK')
    })
  })

  test('has no connection left: callers get 503, health and readiness stay, and it recovers', async () => {
    const others = keys.slice(1).map((each) => openRpcClient(service.url, each))
    toClose.push(() => others.map((each) => each.close()))
    const ids = await Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => createTag(client, `held ${i}`)))
    const held = ids.map((id, i) => (i < 3 ? client : others[0]!).rpc(rename(id)))
    await expect.poll(() => postgres.query(AT_GATE)).toHaveLength(CONNECTIONS)
    const logged = service.log().length
    const refused = await Promise.all(others.slice(1).flatMap((each) => [each.rpc(countries), each.rpc(paint(ids, 4))]))
    expect(statuses(refused)).toEqual([503])
    expect(improper(refused)).toEqual([])
    expect(refused.map(({ body }) => body?.error?.details?.['reason'])).toEqual(refused.map(() => 'busy'))
    expectWithin(1_900, refused)
    // One line for all of them: it names the resource that is exhausted, and does not mention the network.
    const told = () => service.log().slice(logged).split('\n').slice(0, -1)
    const why = `All ${CONNECTIONS} connections "modulus ${service.child.pid}" were in use for 1000 ms.`
    await expect.poll(told).toEqual([expect.stringContaining(`POST /api/rpc refused: The service is busy.`)])
    expect(told()[0]).toContain(why)
    expect((await client.get('/api/health')).status).toBe(200)
    expect((await client.get('/api/ready')).status).toBe(200)
    await postgres.query(OPEN_GATE)
    expect(statuses(await Promise.all(held))).toEqual([200])
    expect(await client.rpc(paint(ids, 5))).toMatchObject({ status: 200 })
    expect(await Promise.all(ids.map(tagRow))).toEqual(ids.map(() => ({ color: 5, version: 3 })))
  })

  test('crashes between the last statement and COMMIT: a reused transaction id does not count as committed', async () => {
    const database = connectDatabase({ dsn: postgres.dsn, maxConnections: 1, applicationName: 'test' })
    toClose.push(database.close)
    // Otherwise the write might reach the log before the crash, and its number would not be free again.
    await postgres.query("ALTER SYSTEM SET wal_writer_delay = '10s'")
    await postgres.query('SELECT pg_reload_conf()')
    await postgres.query('CREATE TABLE note (text text); GRANT ALL ON note TO modulus')
    let hasCrashed = false
    let others: Promise<void> | undefined
    const attempt = transact(
      database.db,
      { kind: 'write' },
      async (tx) => {
        await sql`insert into note values ('mine')`.execute(tx)
        if (hasCrashed) return
        hasCrashed = true
        await postgres.crash()
        others = postgres.start().then(async () => {
          for (let i = 0; i < 20; i++) await postgres.query("INSERT INTO note VALUES ('of somebody else')")
        })
      },
      { clock: () => new Date(), random: (n) => randomBytes(n), sleep: (ms) => sleep(ms) },
    )
    const isAcknowledged = await attempt.then(
      () => true,
      () => false,
    )
    await others
    const mine = await postgres.query("SELECT FROM note WHERE text = 'mine'")
    expect(mine).toHaveLength(isAcknowledged ? 1 : 0)
  })
})

describe('a connection that breaks', () => {
  let client: RpcClient
  let proxy: FaultProxy
  beforeAll(async () => {
    proxy = await startFaultProxy(postgres.dsn)
    toClose.push(proxy.close)
    client = (await open({}, proxy.dsn)).client
  })
  afterAll(closeAll)

  test(`at COMMIT, ${LOST_COMMITS} times: the write is there exactly once and its caller does not notice`, async () => {
    const id = await createTag(client, 'committed')
    for (let color = 1; color <= LOST_COMMITS; color++) {
      proxy.commit = color % 2 === 0 ? 'lose request' : 'lose answer'
      expect(await client.rpc(paint([id], color))).toMatchObject({ status: 200 })
      expect(proxy.commit).toBe('pass')
      expect(await tagRow(id)).toEqual({ color, version: color + 1 })
    }
  })

  test('at any other statement: the call is retried as a whole, or answered with 503', async () => {
    const id = await createTag(client, 'cut')
    let expected = { color: 0, version: 1 }
    const outcomes: number[] = []
    for (let statement = 1; ; statement++) {
      // A cut-off connection is replaced, and what a new one begins with must not count.
      await until(() => client.rpc(countries), 200)
      proxy.cutAt = statement
      const reply = await client.rpc(paint([id], statement))
      if (proxy.cutAt > 0) break
      expect(improper([reply])).toEqual([])
      outcomes.push(reply.status)
      if (reply.status === 200) expected = { color: statement, version: expected.version + 1 }
      expect(await tagRow(id)).toEqual(expected)
    }
    proxy.cutAt = 0
    // Who calls, BEGIN and the write; the event and COMMIT.
    expect(outcomes).toEqual([200, 200])
  })

  test('without a sound is given up; the service is alive, not ready, and recovers', async () => {
    const id = await createTag(client, 'silent')
    const calls = () =>
      Promise.all([1, 2, 3, 4].flatMap((color) => [client.rpc(countries), client.rpc(paint([id], color))]))
    expect(statuses(await calls())).toEqual([200])
    const { version } = await tagRow(id)
    proxy.silent = true
    const swallowed = calls()
    const health = watchHealth(client)
    await until(() => client.get('/api/ready'), 503)
    const replies = await swallowed
    expect(statuses(replies)).toEqual([503])
    expect(improper(replies)).toEqual([])
    expectWithin(5_000, replies)
    const later = await calls()
    expect(statuses(later)).toEqual([503])
    expectWithin(1_900, later)
    proxy.silent = false
    await until(() => client.rpc(countries), 200)
    await until(() => client.get('/api/ready'), 200)
    expect(statuses(await calls())).toEqual([200])
    expect((await tagRow(id)).version).toBe(version + 4)
    expect(statuses(await health.stop())).toEqual([200])
  })
})
