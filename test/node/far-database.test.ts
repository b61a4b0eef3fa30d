import { beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../kernel/sql/database.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase } from '../support/database.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { useOwnDatabase } from '../support/own-database.ts'
import { openRpcClient } from '../support/rpc-client.ts'
import { createServiceKey, startService } from '../support/service.ts'

const { own, open } = useOwnDatabase('far')

/** Opening a connection takes longer than a caller waits for one. */
async function withFarServer(work: (proxy: FaultProxy) => Promise<void>, dsn = own().dsn): Promise<void> {
  const proxy = await startFaultProxy(dsn)
  proxy.slowConnections = Number.POSITIVE_INFINITY
  try {
    await work(proxy)
  } finally {
    await proxy.close()
  }
}

const ask = async (db: Db) => (await sql`select pg_backend_pid() as pid`.execute(db)).rows[0]

describe('a connection that takes longer to open than its caller waits', () => {
  test('is there for the next caller', () =>
    withFarServer(async (proxy) => {
      const { db, stats } = open({ dsn: proxy.dsn, maxConnections: 1, connectWaitMs: 200 })
      await expect(ask(db)).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 1 })
      await expect.poll(stats).toEqual({ open: 1, idle: 1, waiting: 0 })
      await ask(db)
      expect(proxy.opened).toBe(1)
    }))

  test('is waited for by the next caller, who opens no other', () =>
    withFarServer(async (proxy) => {
      const { db } = open({ dsn: proxy.dsn, maxConnections: 4 })
      await expect(ask(db)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
      await ask(db)
      expect(proxy.opened).toBe(1)
    }))

  test('is not waited for while another is given back', () =>
    withFarServer(async (proxy) => {
      const { db, stats } = open({ dsn: proxy.dsn, maxConnections: 2, connectWaitMs: 120_000 })
      let give = () => {}
      const given = new Promise<void>((resolve) => {
        give = resolve
      })
      const first = db.connection().execute(async (connection) => {
        const session = await ask(connection)
        await given
        return session
      })
      await expect.poll(stats).toEqual({ open: 1, idle: 0, waiting: 0 })
      proxy.slowMs = 120_000
      const second = ask(db)
      await expect.poll(stats).toEqual({ open: 2, idle: 0, waiting: 1 })
      give()
      expect(await second).toEqual(await first)
    }))

  test('does not delay the end of the pool', () =>
    withFarServer(async (proxy) => {
      const { db, stats, close } = open({ dsn: proxy.dsn, maxConnections: 1 })
      proxy.silent = true
      const waiting = ask(db).catch(() => undefined)
      await expect.poll(() => stats().open).toBe(1)
      await close(0)
      await waiting
      expect(stats().open).toBe(0)
    }))
})

describe('a service', () => {
  beforeAll(buildOnce)

  test('starts and answers, though each connection takes longer to open than a caller waits', async () => {
    const database = await createDatabase(baseTemplate)
    const key = await createServiceKey(database.db)
    await withFarServer(async (proxy) => {
      const service = await startService(proxy.dsn)
      const client = openRpcClient(service.url, key)
      const countries = { model: 'core.country', method: 'search_read', args: [[], ['name']] }
      expect((await client.rpc(countries)).status).toBe(200)
      client.close()
      expect((await service.end('SIGTERM')).code).toBe(0)
    }, database.dsn)
    await database.drop()
  })
})
