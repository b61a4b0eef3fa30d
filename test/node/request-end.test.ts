import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerLeft } from '../../kernel/errors.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { connectDatabase, type Database } from '../../runtime/postgres/database.ts'
import { openWorkGate } from '../../runtime/work-gate.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { describeHost } from '../support/hosts.ts'

describe('the database of one request', () => {
  let own: TestDatabase
  let database: Database
  beforeAll(async () => {
    own = await createDatabase()
    database = connectDatabase({ dsn: own.dsn, maxConnections: 1, applicationName: 'request-end' })
  })
  afterAll(async () => {
    await database.close()
    await own.drop()
  })

  const asleep = async () => {
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where application_name = 'request-end' and query like '%pg_sleep(60)%' and state = 'active'`.execute(own.db)
    return rows.length
  }

  test('the running statement ends when the caller leaves, and the connection goes on', async () => {
    const leaving = new AbortController()
    const db = database.forRequest(leaving.signal, 60_000)
    const backend = () => sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.db)
    const before = await backend()
    const slow = sql`select pg_sleep(60)`.execute(db)
    const refusal = expect(slow).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('left'),
    })
    await expect.poll(asleep).toBe(1)
    leaving.abort()
    await refusal
    // The server answers the cancelled statement a moment before its entry leaves the list.
    await expect.poll(asleep).toBe(0)
    expect(await backend()).toEqual(before)
    await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  test('a transaction whose time is over is undone as a whole', async () => {
    await sql`create table mark (id int)`.execute(database.db)
    const db = database.forRequest(undefined, 200)
    const work = db.transaction().execute(async (tx) => {
      await sql`insert into mark values (1)`.execute(tx)
      for (;;) await sql`select pg_sleep(0.05)`.execute(tx)
    })
    await expect(work).rejects.toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('too long') })
    expect((await sql`select * from mark`.execute(database.db)).rows).toEqual([])
  })
})

let main: Database
describeHost(
  'while expensive queries of one user hold every connection',
  'process',
  (host) => {
    afterAll(() => main.close())

    test('others sign in and see their pages, and the user waits, then gets 429', async () => {
      const hog = await host.apiKey('admin')
      const guest = await host.signIn('guest')
      main = connectDatabase({ dsn: host.database.dsn, maxConnections: 1, applicationName: 'hogged' })
      const held = sql`select pg_sleep(60)`.execute(main.forRequest(undefined, 60_000))
      held.catch(() => undefined)
      expect((await guest.fetch('/web/home', {}, { accept: 'text/html' })).status).toBe(200)
      const login = await host.anonymous().fetch('/web/login')
      expect(login.status).toBe(200)
      const calls = Array.from({ length: LIMITS.userWaiting + LIMITS.userRequests }, () =>
        hog.rpc('core.tag', 'search_read', [[], []]),
      )
      const codes = (await Promise.all(calls)).map(({ error }) => error?.code)
      expect(codes).toContain('RATE_LIMITED')
    })
  },
  (services) => ({
    authDb: services.db,
    workGate: openWorkGate(1, 4),
    forRequest: (signal, ms) => {
      return main === undefined ? services.db : main.forRequest(signal, Math.min(ms, 500))
    },
  }),
)

describeHost(
  'a client that leaves while its query runs',
  'process',
  (host) => {
    test('is counted as one that left, and its request is no error', async () => {
      const admin = await host.apiKey('admin')
      const leaving = new AbortController()
      const body = JSON.stringify({ model: 'core.tag', method: 'search_read', args: [[], ['name']] })
      const headers = { 'content-type': 'application/json', 'x-api-key': admin.key }
      leaving.abort()
      await host.fetch('/api/rpc', { method: 'POST', headers, body, signal: leaving.signal })
      const reported = host.observed.filter(({ kind }) => kind !== 'registry')
      expect(reported).toMatchObject([
        { kind: 'rpc', model: 'core.tag', method: 'search_read', code: 'CALLER_LEFT' },
        { kind: 'request', path: '/api/rpc', status: 499, code: null },
      ])
    })
  },
  (services) => ({
    forRequest: (signal) => {
      if (signal?.aborted) throw callerLeft()
      return services.db
    },
  }),
)
