import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { issueCsrfToken } from '../../kernel/auth/csrf.ts'
import { createSession } from '../../kernel/auth/session.ts'
import type { Observation } from '../../kernel/observation.ts'
import type { ReplicaFence } from '../../kernel/services.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { serveAll } from '../../runtime/app.ts'
import { loadConfig } from '../../runtime/config.ts'
import { openReplica } from '../../runtime/node/database/replica.ts'
import { openHost } from '../../runtime/node/host.ts'
import { connectDatabase, type Database } from '../../runtime/postgres/database.ts'
import { askPrimary } from '../../runtime/postgres/replica-state.ts'
import { Agent } from '../support/agent.ts'
import { createDatabase } from '../support/database.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import type { OwnPostgres } from '../support/own-postgres.ts'
import { type Replicated, startReplicated, type TestReplica } from '../support/replica.ts'
import { serviceSettings } from '../support/service.ts'

const ORIGIN = 'http://modulus.test'

let replicated: Replicated
let postgres: OwnPostgres
let replica: TestReplica
let own: Database
let key: string
const toClose: (() => unknown)[] = []

beforeAll(async () => {
  replicated = await startReplicated({ max_standby_streaming_delay: 0 })
  ;({ postgres, replica, own, key } = replicated)
})
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close()
})
afterAll(() => replicated?.remove())

/** What a server process has, in this process; several may be open at once. */
async function openServer(replicaDsn = replica.dsn, dsn = postgres.dsn) {
  const observed: Observation[] = []
  const settings = serviceSettings(dsn, { SVC_DB_READ_REPLICA_DSN: replicaDsn })
  const { config } = loadConfig({ argv: [], env: settings, readText: () => undefined })
  const host = await openHost({ config, observe: (told) => void observed.push(told), purpose: 'server' })
  toClose.push(() => host.close())
  const app = serveAll(host.services)
  const send = (path: string, init?: RequestInit) => app.fetch(new Request(ORIGIN + path, init), '127.0.0.1')
  return {
    services: host.services,
    client: new Agent(send, { 'x-api-key': key }),
    /** The same session in a browser that reaches this process. */
    browser: ({ token, csrf }: TestSession) => {
      const agent = new Agent(send, { 'x-csrf-token': csrf })
      agent.cookies.set('svc_session', token)
      return agent
    },
    /** Who answered the reads since the last question. */
    outcomes: () => observed.splice(0).flatMap((told) => (told.kind === 'replica' ? [told.outcome] : [])),
    warnings: () => observed.flatMap((told) => (told.kind === 'warning' ? [told.text] : [])),
  }
}

interface TestSession {
  readonly token: string
  readonly csrf: string
}

async function signIn({ services }: Awaited<ReturnType<typeof openServer>>): Promise<TestSession> {
  const [user] = await postgres.query<{ id: number }>(`SELECT id FROM core_user WHERE login = 'operator'`)
  const origin = { userId: user!.id, ip: null, userAgent: null }
  const { token, csrfSecret } = await createSession(services, own.db, origin)
  return { token, csrf: issueCsrfToken(csrfSecret, services.random) }
}

/** Waits until a server has a replica that is known to be up to date. */
const untilUsed = (server: Awaited<ReturnType<typeof openServer>>) =>
  expect
    .poll(async () => {
      await replica.catchUp()
      await namesOf(server.client)
      return server.outcomes().at(-1)
    })
    .toBe('answered')

async function namesOf(agent: Agent): Promise<readonly unknown[]> {
  const found = (await agent.must('core.tag', 'search_read', [[], ['name']])) as readonly { readonly name: string }[]
  return found.map(({ name }) => name)
}

describe('reads that prefer the replica', () => {
  test('are search, search_read and the records of lists, and no others', async () => {
    const server = await openServer()
    await untilUsed(server)
    const session = await signIn(server)
    const browser = server.browser(session)
    await replica.catchUp()
    const answered = async (work: () => Promise<unknown>) => {
      await work()
      return server.outcomes()
    }
    const { client } = server
    expect(await answered(() => client.must('core.tag', 'search', [[]]))).toEqual(['answered'])
    expect(await answered(() => client.must('core.tag', 'search_read', [[], []]))).toEqual(['answered'])
    const workspace = (query: string) => browser.get(`/web/wc/workspace?model=core.partner&${query}`)
    expect(await answered(() => workspace('view_type=list'))).toEqual(['answered'])
    expect(await answered(() => workspace(''))).toEqual(['answered'])
    expect(await answered(() => workspace('view_type=form'))).toEqual([])
    expect(await answered(() => workspace('view_type=kanban'))).toEqual([])
    const [partner] = (await client.must('core.partner', 'search', [[]])) as { id: number }[]
    server.outcomes()
    expect(await answered(() => workspace(`id=${partner!.id}`))).toEqual([])
    expect(await answered(() => client.must('core.partner', 'read', [[partner!.id]]))).toEqual([])
    expect(await answered(() => client.must('core.tag', 'read_group', [{}]))).toEqual([])
    const eager = client.with({ 'cache-control': 'no-cache' })
    expect(await answered(() => eager.must('core.tag', 'search', [[]]))).toEqual([])
  })
})

describe('a caller', () => {
  test('reads its own writes through every process, and others may read the state before', async () => {
    const [here, there] = [await openServer(), await openServer()]
    await untilUsed(here)
    await untilUsed(there)
    const [mine, other] = [await signIn(here), await signIn(here)]
    await replica.catchUp()
    await replica.pause()
    try {
      for (let n = 0; n < 10; n++) {
        const name = `pair ${n}`
        const [writer, reader] = n % 2 === 0 ? [here, there] : [there, here]
        await writer.browser(mine).must('core.tag', 'create', [{ name }])
        expect(await namesOf(reader.browser(mine))).toContain(name)
        await writer.client.must('core.tag', 'create', [{ name: `${name} of a key` }])
        expect(await namesOf(reader.client)).toContain(`${name} of a key`)
      }
    } finally {
      await replica.resume()
    }
    expect(there.outcomes()).not.toContain('failed')
    let tries = 0
    await expect
      .poll(async () => {
        const name = `seen by others ${tries++}`
        await replica.catchUp()
        await replica.pause()
        await here.browser(mine).must('core.tag', 'create', [{ name }])
        const names = await namesOf(there.browser(other))
        await replica.resume()
        return names.includes(name)
      })
      .toBe(false)
    expect(there.outcomes()).toContain('answered')
    await replica.catchUp()
    expect(await namesOf(here.browser(mine))).toContain('pair 9')
  })

  test('with many writes at once leaves one fence, which is not before any of them', async () => {
    const server = await openServer()
    const mine = await signIn(server)
    const browser = server.browser(mine)
    await Promise.all(
      Array.from({ length: 12 }, (_, n) => browser.must('core.tag', 'create', [{ name: `at once ${n}` }])),
    )
    const [fences] = await postgres.query<{ count: number }>(
      `
      SELECT count(*)::int AS count FROM sys_fence f JOIN sys_session s ON f.subject = 'session ' || s.public_id
      WHERE s.token_hash = sha256(decode(translate($1, '-_', '+/') || '=', 'base64'))`,
      [mine.token],
    )
    expect(fences).toEqual({ count: 1 })
    expect((await namesOf(browser)).filter((name) => String(name).startsWith('at once'))).toHaveLength(12)
    expect(server.warnings()).toEqual([])
  })

  test('who lost a right no longer sees what the replica still has', async () => {
    const server = await openServer()
    await untilUsed(server)
    const boss = server.browser(await signIn(server))
    const clerk = server.browser(await signIn(server))
    const mine = await boss.must('core.partner', 'create', [{ name: 'Secret', ref: 'open' }])
    const rule = { name: 'open ones', model: 'core.partner', domain: "[['ref', '=', 'open']]", perm_write: false }
    await boss.must('sys.rule', 'create', [rule])
    await untilUsed(server)
    const sees = async () => ((await clerk.must('core.partner', 'search', [[['name', '=', 'Secret']]])) as []).length
    expect(await sees()).toBe(1)
    const asked = async (values: Readonly<Record<string, unknown>>) => {
      await replica.catchUp()
      await replica.pause()
      await boss.must('core.partner', 'write', [[mine], values])
      server.outcomes()
      const seen = await sees()
      await replica.resume()
      return [seen, ...server.outcomes()]
    }
    await expect.poll(() => asked({ function: 'no matter of rights' })).toEqual([1, 'answered'])
    expect((await asked({ ref: 'closed' }))[0]).toBe(0)
  })
})

/** The guard of the replica alone, with a clock that the test moves and a short pause after a failure. */
async function openGuard(dsn = replica.dsn, slowMs = 60_000) {
  const observed: Observation[] = []
  const time = { ms: 0 }
  const pool = connectDatabase({ dsn, maxConnections: 2, applicationName: 'guarded', readOnly: true })
  const guard = openReplica({
    replica: pool,
    primary: own.db,
    observe: (told) => void observed.push(told),
    clock: () => time.ms,
    pauseMs: 50,
    slowMs,
  })
  toClose.push(
    () => pool.close(0),
    () => guard.close(),
  )
  /** As the authentication of somebody who has written nothing. */
  const fence = async (): Promise<ReplicaFence> => {
    const { primary_lsn: primaryLsn, primary_ms: primaryMs, timeline } = await askPrimary(own.db)
    return { lsn: 0, primaryLsn, primaryMs, timeline, epoch: { modules: 0, access: 0, views: 0 } }
  }
  /** Who answers a query: the standby is in recovery, the primary is not. */
  const ask = async (
    query = sql<{ by: string }>`
    select case when pg_is_in_recovery() then 'replica' else 'primary' end as by`,
    signal?: AbortSignal,
  ) =>
    guard.read({ primary: own.db, signal, fence: await fence() }, async (db) => (await query.execute(db)).rows[0]!.by)
  return {
    time,
    ask,
    outcomes: () => observed.flatMap((told) => (told.kind === 'replica' ? [told.outcome] : [])),
    warnings: () => observed.flatMap((told) => (told.kind === 'warning' ? [told.text] : [])),
    isUsed: guard.isUsed,
  }
}

const NOT_USED = /^The read replica is not used: .+ The primary answers instead\.$/
const USED_AGAIN = /^The read replica is used again after \d+ s\. Reads answered by the primary: \d+\.$/

describe('a replica', () => {
  test('that is away fails no request, is reported once, and is used again when it is back', async () => {
    await replica.catchUp()
    const guard = await openGuard()
    expect(await guard.ask()).toBe('replica')
    await replica.crash()
    for (let n = 0; n < 5; n++) expect(await guard.ask()).toBe('primary')
    expect(guard.outcomes()).toEqual(['answered', 'failed', 'away', 'away', 'away', 'away'])
    expect(guard.warnings()).toEqual([expect.stringMatching(NOT_USED)])
    await replica.start()
    await replica.catchUp()
    await expect.poll(guard.isUsed).toBe(true)
    expect(await guard.ask()).toBe('replica')
    expect(guard.warnings()).toEqual([expect.stringMatching(NOT_USED), expect.stringMatching(USED_AGAIN)])
  })

  test('that was never there costs no request either', async () => {
    const server = await openServer('postgresql://nobody@127.0.0.1:9/nothing')
    for (let n = 0; n < 3; n++) await namesOf(server.client)
    expect(server.warnings()).toEqual([
      'The read replica is not used: No PostgreSQL listens at 127.0.0.1:9. Start it, or check host and port in db_read_replica_dsn. The primary answers instead.',
    ])
    expect(server.outcomes()).toEqual(['failed', 'away', 'away'])
    const text = await (await server.client.get('/metrics')).text()
    expect(text).toContain('svc_replica_reads_total{outcome="away"} 2')
    expect(text).toContain('svc_replica_used 0')
  })

  test('that does not answer is given up', async () => {
    const proxy = await startFaultProxy(replica.dsn)
    toClose.push(proxy.close)
    await replica.catchUp()
    const guard = await openGuard(proxy.dsn)
    expect(await guard.ask()).toBe('replica')
    proxy.silent = true
    guard.time.ms += 2_000
    expect(await guard.ask()).toBe('primary')
    expect(guard.warnings()).toEqual([expect.stringMatching(NOT_USED)])
    proxy.silent = false
    await expect.poll(guard.isUsed).toBe(true)
  })

  test('that is more than five seconds behind is not used until it has caught up', async () => {
    await replica.catchUp()
    const guard = await openGuard()
    expect(await guard.ask()).toBe('replica')
    await replica.pause()
    try {
      await postgres.query(`INSERT INTO core_tag (name) VALUES ('late')`)
      expect(await guard.ask()).toBe('replica')
      guard.time.ms += 1_000
      expect(await guard.ask()).toBe('replica')
      guard.time.ms += 5_100
      expect(await guard.ask()).toBe('primary')
      expect(guard.warnings()).toEqual([expect.stringContaining('It is more than five seconds behind the primary.')])
    } finally {
      await replica.resume()
    }
    await replica.catchUp()
    await expect.poll(guard.isUsed).toBe(true)
    expect(await guard.ask()).toBe('replica')
  })

  test('that is another server, another database or the primary itself is never used', async () => {
    const foreign = await createDatabase()
    toClose.push(foreign.drop)
    const cases = [
      [foreign.dsn, 'It holds another database. Check db_read_replica_dsn.'],
      [postgres.dsn, 'It is no standby, or has been promoted.'],
      [replica.dsn.replace(/\/modulus$/, '/postgres'), 'relation "sys_epoch" does not exist.'],
    ] as const
    for (const [dsn, why] of cases) {
      const guard = await openGuard(dsn)
      expect(await guard.ask()).toBe('primary')
      expect(guard.warnings()).toEqual([`The read replica is not used: ${why} The primary answers instead.`])
    }
  })

  test('whose query conflicts with what it replays is replaced by the primary', async () => {
    await postgres.query(`INSERT INTO core_tag (name) SELECT 'dead ' || n FROM generate_series(1, 100) n`)
    await replica.catchUp()
    const guard = await openGuard()
    const slow = sql<{
      by: string
    }>`select case when pg_is_in_recovery() then 'replica ' || pg_sleep(60) else 'primary' end as by
      from core_tag limit 1`
    const asked = guard.ask(slow)
    await expect
      .poll(() =>
        replica.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'guarded' AND wait_event = 'PgSleep'`),
      )
      .toHaveLength(1)
    await postgres.query(`DELETE FROM core_tag WHERE name LIKE 'dead %'`)
    await postgres.query('VACUUM core_tag')
    expect(await asked).toBe('primary')
    // On a busy machine it is used again before this is looked at, which is said too.
    expect(guard.warnings()[0]).toContain('conflict with recovery')
  })

  test('that takes too long is replaced by the primary', async () => {
    await replica.catchUp()
    const guard = await openGuard(replica.dsn, 1_000)
    const slow = sql<{ by: string }>`
      select case when pg_is_in_recovery() then 'replica ' || pg_sleep(60) else 'primary' end as by`
    expect(await guard.ask(slow)).toBe('primary')
    expect(guard.warnings()[0]).toContain('The request took too long')
  })

  test('gets no further statement when the caller has left, and neither does the primary', async () => {
    await replica.catchUp()
    const guard = await openGuard()
    const caller = new AbortController()
    const asked = guard.ask(sql`select 'anybody' as by, pg_sleep(60)`, caller.signal)
    const sleeping = () =>
      replica.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = 'guarded' AND wait_event = 'PgSleep'`)
    await expect.poll(sleeping).toHaveLength(1)
    caller.abort()
    await expect(asked).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect.poll(sleeping).toHaveLength(0)
    expect([guard.outcomes(), guard.warnings()]).toEqual([[], []])
  })

  test('refuses what the primary refuses too, without being left', async () => {
    await replica.catchUp()
    const guard = await openGuard()
    await expect(guard.ask(sql`select (1 / 0)::text as by`)).rejects.toMatchObject({ code: '22012' })
    expect([guard.isUsed(), guard.warnings()]).toEqual([true, []])
  })
})

describe('a failover', () => {
  test('ends connections to a server that cannot be written, and the service goes on with the new primary by itself', async () => {
    const proxy = await startFaultProxy(postgres.dsn)
    toClose.push(proxy.close)
    const server = await openServer(replica.dsn, proxy.dsn)
    const { client } = server
    await client.must('core.tag', 'create', [{ name: 'before the failover' }])
    await replica.catchUp()
    await own.close()
    await postgres.crash()
    proxy.lead(replica.dsn)
    const refused = await client.rpc('core.tag', 'create', [{ name: 'too early' }])
    expect(refused).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } })
    expect((await client.get('/api/ready')).status).toBe(503)
    await replica.promote()
    await expect.poll(async () => (await client.rpc('core.tag', 'create', [{ name: 'after it' }])).ok).toBe(true)
    // The promoted server is no longer in recovery, so it is not used as a replica any more, and fences are recorded on it anew.
    expect(await namesOf(client)).toEqual(expect.arrayContaining(['before the failover', 'after it']))
    expect(await namesOf(client)).not.toContain('too early')
    await expect
      .poll(() => replica.query('SELECT subject FROM sys_fence ORDER BY 1'))
      .toContainEqual({ subject: 'rights' })
    expect(server.warnings().filter((text) => text.includes('replica'))).toEqual([expect.stringMatching(NOT_USED)])
  })
})
