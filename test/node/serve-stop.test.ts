import { randomInt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { build } from '../../runtime/build/build.mjs'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { type Load, startLoad } from '../support/ledger.ts'
import { withClient } from '../support/own-postgres.ts'
import { openRpcClient, type Reply, type RpcClient } from '../support/rpc-client.ts'
import { createServiceKey, type Service, serviceSettings, startService } from '../support/service.ts'
import { repeats } from '../support/soak.ts'
import { runSvc } from '../support/svc.ts'

const KILLS = repeats(15, 300)
const STOPS = repeats(3, 20)

let database: TestDatabase
let key: string
const started: { readonly service: Service; readonly client: RpcClient }[] = []

beforeAll(async () => {
  await build()
  database = await createDatabase(baseTemplate)
  key = await createServiceKey(database.db)
})
afterEach(async () => {
  for (const { service, client } of started.splice(0)) {
    client.close()
    await service.end('SIGKILL')
  }
})
afterAll(() => database?.drop())

async function start() {
  const service = await startService(database.dsn)
  const client = openRpcClient(service.url, key)
  started.push({ service, client })
  return { service, client }
}

/** Until the load has got some writes through, and then to any point of the next ones. */
async function intoTheMiddle(load: Load): Promise<void> {
  for (const enough = load.acknowledged + 8; load.acknowledged < enough; ) await sleep(5)
  await sleep(randomInt(40))
}

const tag = (name: string) => ({ model: 'core.tag', method: 'create', args: [{ name }] })
const paint = (id: unknown, color: number) => ({ model: 'core.tag', method: 'write', args: [[id], { color }] })

async function colorOf(id: unknown): Promise<number> {
  const { rows } = await withClient(database.dsn, (client) =>
    client.query<{ color: number }>('SELECT color FROM core_tag WHERE id = $1', [id]),
  )
  return rows[0]!.color
}

/** Runs `work` while a writer of the tag has to wait. */
async function whileLocked<T>(id: unknown, work: (unlock: () => Promise<unknown>) => Promise<T>): Promise<T> {
  return withClient(database.dsn, async (other) => {
    await other.query('BEGIN')
    await other.query('SELECT FROM core_tag WHERE id = $1 FOR UPDATE', [id])
    return work(() => other.query('COMMIT'))
  })
}

/** How requests ended: a status, or why there was no answer. */
const endings = (replies: readonly Reply[]) => new Set(replies.map(({ fault, status }) => fault ?? status))

describe('kill -9', () => {
  test(`${KILLS} times while writing: what was acknowledged is there, the rest is wholly there or not, the next start works`, {
    timeout: 60_000 + KILLS * 4_000,
  }, async () => {
    let { service, client } = await start()
    const load = await startLoad(client, { writers: 4, readers: 1 })
    for (let kill = 0; kill < KILLS; kill++) {
      await intoTheMiddle(load)
      expect(await service.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
      ;({ service, client } = await start())
      load.use(client)
    }
    await load.stop()
    expect(load.contradictions).toEqual([])
    expect(endings(load.replies)).toEqual(new Set([200, 'broken', 'refused']))
  })
})

describe('SIGTERM', () => {
  test(`${STOPS} times under load: every request that was accepted is answered, exit code 0`, {
    timeout: 60_000 + STOPS * 5_000,
  }, async () => {
    let { service, client } = await start()
    const load = await startLoad(client, { writers: 8, readers: 8 })
    for (let stop = 0; stop < STOPS; stop++) {
      await intoTheMiddle(load)
      expect(await service.end('SIGTERM')).toMatchObject({ code: 0 })
      ;({ service, client } = await start())
      load.use(client)
    }
    await load.stop()
    expect(load.contradictions).toEqual([])
    // A request that waits too long for a connection to the database is answered too: that it may be sent again.
    const busy = load.replies.filter(({ status }) => status === 503)
    expect(busy.filter(({ body }) => body?.error?.code !== 'UNAVAILABLE')).toEqual([])
    expect([...endings(load.replies)].filter((ending) => ending !== 503).sort()).toEqual([200, 'refused'])
  })

  test('lets a slow request end, says at once that it is not ready, and takes no new connections', async () => {
    const { service, client } = await start()
    const { result: id } = (await client.rpc(tag('slow'))).body!
    await whileLocked(id, async (unlock) => {
      const slow = client.rpc(paint(id, 1))
      await client.get('/api/ready')
      const exit = service.end('SIGTERM')
      let ready: Reply
      do ready = await client.get('/api/ready')
      while (ready.status === 200)
      expect(ready).toMatchObject({ status: 503, body: { error: { message: 'The service is shutting down.' } } })
      expect(await openRpcClient(service.url, key).get('/api/health')).toMatchObject({ fault: 'refused' })
      await sleep(700)
      expect(service.child.exitCode).toBeNull()
      await unlock()
      expect(await slow).toMatchObject({ status: 200, headers: { connection: 'close' } })
      expect((await exit).code).toBe(0)
    })
    expect(await colorOf(id)).toBe(1)
  })

  test('a second time ends at once what is still running; its transaction is undone', async () => {
    const { service, client } = await start()
    const { result: id } = (await client.rpc(tag('slower'))).body!
    await whileLocked(id, async (unlock) => {
      const slow = client.rpc(paint(id, 1))
      await sleep(200)
      const exit = service.end('SIGTERM')
      await sleep(200)
      // The tag is still locked, so only the second signal can have ended the request.
      expect(await service.end('SIGTERM')).toMatchObject({ code: 0 })
      await exit
      expect(await slow).toMatchObject({ fault: 'broken' })
      await unlock()
    })
    expect(await colorOf(id)).toBe(0)
  })
})

describe('a start that must not be', () => {
  const serve = (args: readonly string[] = [], settings = {}) =>
    runSvc(['serve', ...args], serviceSettings(database.dsn, settings))
  const setMigration = (text: string) => withClient(database.dsn, (client) => client.query(text))

  test('a schema of a newer version is refused in one line, and a service that runs is no longer ready', async () => {
    const { client } = await start()
    const ready = async () => (await client.get('/api/ready')).status
    expect(await ready()).toBe(200)
    await setMigration("INSERT INTO sys_migration (name, checksum) VALUES ('9999_future', '')")
    try {
      const { code, stderr } = await serve()
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^svc: The database is from a newer version: [^\n]*9999_future[^\n]*\n$/),
      })
      await expect.poll(ready).toBe(503)
      expect((await client.get('/api/health')).status).toBe(200)
    } finally {
      await setMigration("DELETE FROM sys_migration WHERE name = '9999_future'")
    }
    await expect.poll(ready).toBe(200)
  })

  test('a wrong key or value of the configuration is one line that names the place', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'modulus-stop-'))
    const file = join(folder, 'svc.ini')
    await writeFile(file, 'http_host = 127.0.0.1\nhttp_prot = 1\n')
    expect(await serve(['--config', file])).toMatchObject({
      code: 1,
      stderr: `svc: ${file}:2: http_prot is not a setting.\n`,
    })
    expect(await serve([], { SVC_HTTP_PORT: 'http' })).toMatchObject({
      code: 1,
      stderr: 'svc: SVC_HTTP_PORT must be a whole number from 0 to 65535.\n',
    })
    await rm(folder, { recursive: true })
  })

  test('a database that is not there is told, without a stack', async () => {
    const { code, stderr } = await serve([], { SVC_DB_DSN: 'postgresql://modulus@127.0.0.1:9/modulus' })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^svc: The database is busy or away\..*\n {2}.*ECONNREFUSED.*\n$/)
  })
})
