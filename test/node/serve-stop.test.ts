import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { AT_GATE, CLOSE_GATE, CREATE_GATE, OPEN_GATE } from '../support/gate.ts'
import { type Load, startLoad } from '../support/ledger.ts'
import { withClient } from '../support/own-postgres.ts'
import { openRpcClient, type Reply, type RpcClient } from '../support/rpc-client.ts'
import { createServiceKey, type Exit, type Service, serviceSettings, startService } from '../support/service.ts'
import { repeats } from '../support/soak.ts'
import { runSvc } from '../support/svc.ts'

const KILLS = repeats(4, 300)
const STOPS = repeats(1, 20)

let database: TestDatabase
let key: string
/** The service under test; a test that ends it leaves none, and the next one starts its own. */
let current: Running | undefined

interface Running {
  readonly service: Service
  readonly client: RpcClient
}

beforeAll(async () => {
  await buildOnce()
  database = await createDatabase(baseTemplate)
  key = await createServiceKey(database.db)
  await query(CREATE_GATE)
})
afterAll(async () => {
  await end('SIGKILL')
  await database?.drop()
})

async function running(): Promise<Running> {
  if (!current) {
    const service = await startService(database.dsn)
    current = { service, client: openRpcClient(service.url, key) }
  }
  return current
}

async function end(signal: NodeJS.Signals): Promise<Exit | undefined> {
  const ending = current
  current = undefined
  const exit = await ending?.service.end(signal)
  ending?.client.close()
  return exit
}

const query = (text: string) => withClient(database.dsn, async (client) => (await client.query(text)).rows)

/** Until the load has got some writes through, and then to any point of the next ones. */
async function intoTheMiddle(load: Load): Promise<void> {
  const enough = load.acknowledged + 8
  await expect.poll(() => load.acknowledged, { interval: 5 }).toBeGreaterThanOrEqual(enough)
  await sleep(randomInt(40))
}

/** A call that has reached the gate. */
async function callAtGate(client: RpcClient): Promise<{ readonly id: unknown; readonly slow: Promise<Reply> }> {
  await query(CLOSE_GATE)
  const created = await client.rpc({ model: 'core.tag', method: 'create', args: [{ name: 'before' }] })
  expect(created).toMatchObject({ status: 200 })
  const id = created.body!.result
  const slow = client.rpc({ model: 'core.tag', method: 'write', args: [[id], { name: 'after' }] })
  await expect.poll(() => query(AT_GATE)).toHaveLength(1)
  return { id, slow }
}

const nameOf = async (id: unknown) => (await query(`SELECT name FROM core_tag WHERE id = ${id}`))[0].name

/** A connection whose bytes the test sends itself. */
async function openSocket(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
    .setEncoding('latin1')
    .on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const READY = 'GET /api/ready HTTP/1.1\r\nHost: localhost\r\n'

describe('kill -9', () => {
  test(`${KILLS} times while writing: acknowledged writes are stored, others completely or not at all, and the next start works`, async () => {
    const load = await startLoad((await running()).client, { writers: 4, readers: 1 })
    for (let kill = 0; kill < KILLS; kill++) {
      await intoTheMiddle(load)
      expect(await end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
      load.use((await running()).client)
    }
    await load.stop()
    expect(load.contradictions).toEqual([])
    // A request that waits too long for a connection to the database is answered with 503.
    expect(load.replies.filter(({ fault, status }) => fault === null && status !== 200 && status !== 503)).toEqual([])
    expect(load.replies.map(({ fault }) => fault)).toContain('refused')
  })
})

describe('SIGTERM', () => {
  test(`${STOPS} times under load: every request that was sent before it is answered, exit code 0`, async () => {
    const load = await startLoad((await running()).client, { writers: 8, readers: 8 })
    const signals: number[] = []
    const starts: number[] = []
    for (let stop = 0; stop < STOPS; stop++) {
      await intoTheMiddle(load)
      signals.push(performance.now())
      expect(await end('SIGTERM')).toMatchObject({ code: 0 })
      load.use((await running()).client)
      starts.push(performance.now())
    }
    await load.stop()
    expect(load.contradictions).toEqual([])
    const isWhileStopped = ({ startedAt }: Reply) =>
      signals.some((signal, stop) => startedAt >= signal && startedAt <= starts[stop]!)
    const answers = load.replies.filter((reply) => reply.fault === null || !isWhileStopped(reply))
    // A request that waits too long for a connection to the database is answered too: that it may be sent again.
    const isProper = ({ status, body }: Reply) =>
      status === 200 || (status === 503 && body?.error?.code === 'UNAVAILABLE')
    expect(answers.filter((reply) => !isProper(reply))).toEqual([])
    expect(load.replies.map(({ fault }) => fault)).toContain('refused')
  })

  test('lets a slow request end, says at once that it is not ready, and takes no new connections', async () => {
    const { service, client } = await running()
    const { id, slow } = await callAtGate(client)
    const idle = await openSocket(service.url)
    idle.write(`${READY}\r\n`)
    await once(idle, 'data')
    const half = await openSocket(service.url)
    // Node closes connections that bring no request. This one is in the middle of one.
    half.write(READY)
    const exit = end('SIGTERM')
    const stranger = openRpcClient(service.url, key)
    await expect.poll(() => stranger.get('/api/health')).toMatchObject({ fault: 'refused' })
    half.end('\r\n')
    const answer = await text(half)
    expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close[\s\S]*The service is shutting down\./i)
    // Its last answer promised to keep the connection open for longer than this test takes.
    idle.write(`${READY}\r\n`)
    expect(await text(idle)).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close/i)
    expect(service.child.exitCode).toBeNull()
    await query(OPEN_GATE)
    expect(await slow).toMatchObject({ status: 200, headers: { connection: 'close' } })
    expect(await exit).toMatchObject({ code: 0 })
    expect(await nameOf(id)).toBe('after')
  })

  test('is announced to load balancers for the configured time before the port is closed; a second one ends that', async () => {
    const service = await startService(database.dsn, { SVC_DRAIN_SECONDS: '600' })
    const stranger = openRpcClient(service.url, key)
    service.child.kill('SIGTERM')
    await expect.poll(() => stranger.get('/api/ready')).toMatchObject({ status: 503, headers: { connection: 'close' } })
    const created = await stranger.rpc({ model: 'core.tag', method: 'create', args: [{ name: 'meanwhile' }] })
    expect(created).toMatchObject({ status: 200 })
    expect(await service.end('SIGTERM')).toMatchObject({ code: 0 })
    expect(service.log()).not.toContain('Cut')
    stranger.close()
  })

  test('a second time ends running requests at once, and their transactions are rolled back', async () => {
    const { service, client } = await running()
    const { id, slow } = await callAtGate(client)
    service.child.kill('SIGTERM')
    await expect.poll(service.log).toContain('SIGTERM: stopping')
    // The gate stays closed, so only the second signal can end the request before the statement's time is up.
    expect(await end('SIGTERM')).toMatchObject({ code: 0 })
    expect(service.log()).toContain('SIGTERM: stopping at once')
    expect(service.log()).toContain('Cut, since they had not ended: POST /api/rpc.\n')
    expect(await slow).toMatchObject({ fault: 'broken' })
    expect(await nameOf(id)).toBe('before')
  })
})

describe('a start that must not be', () => {
  const serve = (args: readonly string[] = [], settings = {}) =>
    runSvc(['serve', ...args], serviceSettings(database.dsn, settings))

  test('a schema of a newer version is refused in one line, and a service that runs is no longer ready', async () => {
    const { client } = await running()
    const ready = async () => (await client.get('/api/ready')).status
    expect(await ready()).toBe(200)
    await query("INSERT INTO sys_migration (name, checksum) VALUES ('9999_future', '')")
    try {
      const { code, stderr } = await serve()
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^svc: The database is from a newer version: [^\n]*9999_future[^\n]*\n$/),
      })
      await expect.poll(ready).toBe(503)
      expect((await client.get('/api/health')).status).toBe(200)
    } finally {
      await query("DELETE FROM sys_migration WHERE name = '9999_future'")
    }
    await expect.poll(ready).toBe(200)
  })

  test('a wrong key or value of the configuration is one line that names the place', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'modulus-stop-'))
    const file = join(folder, 'svc.ini')
    await writeFile(file, 'http_host = 127.0.0.1\nhttp_prot = 1\n')
    expect(await serve(['--config', file])).toMatchObject({
      code: 1,
      stderr: `svc: ${file}:2: http_prot is not a setting. Did you mean http_port?\n`,
    })
    expect(await serve([], { SVC_HTTP_PORT: 'http' })).toMatchObject({
      code: 1,
      stderr: 'svc: SVC_HTTP_PORT must be a whole number from 0 to 65535.\n',
    })
    await rm(folder, { recursive: true })
  })

  test('a database that is slower than a request would wait is waited for', async () => {
    const proxy = await startFaultProxy(database.dsn)
    // The first connection of the start, and the first of those that will be for requests.
    proxy.slowConnections = 2
    const service = await startService(proxy.dsn)
    expect(proxy.slowConnections).toBe(0)
    expect(await service.end('SIGTERM')).toMatchObject({ code: 0 })
    await proxy.close()
  })

  test('a secret that is not the one of the database is reported in one line', async () => {
    const own = await startService(database.dsn)
    await own.end('SIGTERM')
    expect(own.log()).not.toContain('is not the one of this database')
    const other = await startService(database.dsn, { SVC_SECRET_KEY: 'x'.repeat(40) })
    await other.end('SIGTERM')
    expect(other.log().match(/is not the one of this database/g)).toHaveLength(1)
  })

  test.each([2, 4, 9])('a connection that breaks while it starts, at message %i, is made again', async (message) => {
    const proxy = await startFaultProxy(database.dsn)
    proxy.cutAt = message
    const service = await startService(proxy.dsn)
    expect(proxy.cutAt).toBe(0)
    expect(await service.end('SIGTERM')).toMatchObject({ code: 0 })
    await proxy.close()
  })

  test('an unreachable database is reported without a stack', async () => {
    const { code, stderr } = await serve([], { SVC_DB_DSN: 'postgresql://modulus@127.0.0.1:9/modulus' })
    expect(code).toBe(1)
    expect(stderr).toBe('svc: No PostgreSQL listens at 127.0.0.1:9. Start it, or check host and port in db_dsn.\n')
  })
})
