import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chargeFailedLogin, limitLogin, limitReset } from '../../kernel/serve/limit.ts'
import { ratePolicies } from '../../kernel/serve/rate-policy.ts'
import type { LimitedRequest, RateLimiter, Services } from '../../kernel/services.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { connectDatabase, type Database } from '../../runtime/postgres/database.ts'
import { countInTable, countWithMemory } from '../../runtime/rate-limiter.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  await sql`delete from sys_rate`.execute(database.db)
  database.statements.length = 0
})

const caller = (subject: string): LimitedRequest => ({ policy: 'rpc', subject })

/** Its clock stands still, so that no call grows back in memory while a test runs. */
const withMemory = (rpm: number, away: unknown[] = [], db = database.db): RateLimiter =>
  countWithMemory({
    db,
    policies: ratePolicies(rpm),
    clock: () => 0,
    onAway: (error) => void away.push(error),
  })

const admitted = async (limiter: RateLimiter, tries: number, request = caller('u:1')): Promise<number> => {
  const answers = await Promise.all(Array.from({ length: tries }, () => limiter.admit(request)))
  return answers.filter((answer) => answer.admitted).length
}

/** As many of a burst as the limit, and no more than grew back in the table meanwhile. */
async function expectAdmitted(limiter: RateLimiter, rpm: number, tries: number, request = caller('u:1')) {
  const began = performance.now()
  const count = await admitted(limiter, tries, request)
  const grownBack = Math.floor(((performance.now() - began) * rpm) / 60_000)
  expect(count).toBeGreaterThanOrEqual(rpm)
  expect(count).toBeLessThanOrEqual(rpm + grownBack)
}

/** Lets time pass for the table. */
const pass = (seconds: number) =>
  sql`update sys_rate set tat = tat - ${seconds} * interval '1 second'`.execute(database.db)

async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database.db)
  return rows[0]!.n
}

describe.each([
  ['the table', (rpm: number) => countInTable(database.db, ratePolicies(rpm))],
  ['the memory before it', (rpm: number) => withMemory(rpm)],
])('%s', (_name, open) => {
  test.each([1, 7, 20, 59])('admits exactly %i of a burst', async (rpm) => {
    await expectAdmitted(open(rpm), rpm, rpm + 5)
  })

  test('admits one after the other as many as all at once', async () => {
    const limiter = open(13)
    const began = performance.now()
    let count = 0
    while ((await limiter.admit(caller('u:1'))).admitted) count++
    const grownBack = Math.floor(((performance.now() - began) * 13) / 60_000)
    expect(count).toBeGreaterThanOrEqual(13)
    expect(count).toBeLessThanOrEqual(13 + grownBack)
  })

  test('counts each subject and each policy for itself', async () => {
    const limiter = open(20)
    await expectAdmitted(limiter, 20, 30, caller('u:1'))
    await expectAdmitted(limiter, 20, 30, caller('k:1'))
    expect(await admitted(limiter, 30, { policy: 'login_address', subject: 'u:1' })).toBe(2)
  })

  test('returns the remaining calls and when to retry', async () => {
    const limiter = open(6)
    const first = await limiter.admit(caller('u:1'))
    expect(first).toEqual({
      admitted: true,
      retryAfter: 0,
      headers: {
        'ratelimit-policy': '"rpc";q=6;w=60',
        ratelimit: '"rpc";r=5;t=10',
        'ratelimit-limit': '6',
        'ratelimit-remaining': '5',
        'ratelimit-reset': '10',
      },
    })
    const answers = await Promise.all(Array.from({ length: 6 }, () => limiter.admit(caller('u:1'))))
    const refused = answers.find((answer) => !answer.admitted)!
    expect(refused.retryAfter).toBeGreaterThan(0)
    expect(refused.retryAfter).toBeLessThanOrEqual(10)
    expect(refused.headers).toMatchObject({
      'ratelimit-remaining': '0',
      ratelimit: expect.stringMatching(/^"rpc";r=0;t=[56]\d$/),
    })
  })

  test('0 means no limit, without a query', async () => {
    expect(await admitted(open(0), 50)).toBe(50)
    await open(0).charge(caller('u:1'), 3)
    expect(database.statements).toEqual([])
  })

  test('a charge may exceed the remaining calls, but locks a caller out for at most one more window', async () => {
    const limiter = open(10)
    await limiter.charge(caller('u:1'), 4)
    expect(await admitted(limiter, 20)).toBe(6)
    for (let i = 0; i < 10; i++) await limiter.charge(caller('u:1'), 30)
    const { retryAfter } = await open(10).admit(caller('u:1'))
    expect(retryAfter).toBeGreaterThan(30)
    expect(retryAfter).toBeLessThanOrEqual(66)
  })
})

describe('the table', () => {
  test('gives back one by one as time passes, and never more than the limit', async () => {
    const limiter = countInTable(database.db, ratePolicies(6))
    expect(await admitted(limiter, 6)).toBe(6)
    await pass(20)
    expect(await admitted(limiter, 6)).toBe(2)
    await pass(3_600)
    expect(await admitted(limiter, 20)).toBe(6)
  })

  test('counts for several processes as for one', async () => {
    const pools = [1, 2, 3].map(() =>
      connectDatabase({ dsn: database.dsn, maxConnections: 2, applicationName: 'rate' }),
    )
    const began = performance.now()
    const counts = await Promise.all(pools.map(({ db }) => admitted(withMemory(30, [], db), 30)))
    const grownBack = Math.floor((performance.now() - began) / 2_000)
    await Promise.all(pools.map((pool) => pool.close()))
    const sum = counts.reduce((total, count) => total + count)
    expect(sum).toBeGreaterThanOrEqual(30)
    expect(sum).toBeLessThanOrEqual(30 + grownBack)
  })

  test('counts from the moment a request has its turn, not from when it began to wait', async () => {
    const limiter = countInTable(database.db, ratePolicies(6))
    expect(await admitted(limiter, 6)).toBe(6)
    let waiting = Promise.resolve(0)
    await database.db.transaction().execute(async (busy) => {
      await sql`update sys_rate set tat = tat`.execute(busy)
      waiting = admitted(limiter, 1)
      await expect.poll(() => waitingForLocks()).toBe(1)
      await sql`update sys_rate set tat = clock_timestamp() + interval '50 seconds'`.execute(busy)
    })
    expect(await waiting).toBe(1)
  })

  test('recovers from a clock that was set back', async () => {
    await sql`insert into sys_rate values ('rpc:u:1', now() + interval '1 day', 0)`.execute(database.db)
    const limiter = countInTable(database.db, ratePolicies(6))
    expect((await limiter.admit(caller('u:1'))).retryAfter).toBeLessThanOrEqual(70)
    await pass(120)
    expect(await admitted(limiter, 6)).toBe(6)
  })
})

describe('the memory', () => {
  test('refuses without a statement what the table would refuse', async () => {
    const limiter = withMemory(5)
    await admitted(limiter, 5)
    await limiter.admit(caller('u:1'))
    database.statements.length = 0
    expect(await admitted(limiter, 1_000)).toBe(0)
    expect(database.statements).toEqual([])
  })

  test('lets a flood of one subject share few statements', async () => {
    const limiter = withMemory(50)
    await expectAdmitted(limiter, 50, 5_000)
    expect(database.statements.length).toBeLessThanOrEqual(2)
  })

  test('returns the remaining calls to each caller of a shared statement', async () => {
    const limiter = withMemory(11)
    await limiter.admit(caller('u:1'))
    const answers = await Promise.all(Array.from({ length: 10 }, () => limiter.admit(caller('u:1'))))
    const left = answers.map(({ headers }) => Number(headers['ratelimit-remaining']))
    expect(left).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  })

  test('forgets subjects when there are too many, and is right about them all the same', async () => {
    const limiter = countWithMemory({
      ...{ db: database.db, policies: ratePolicies(1), clock: () => 0, onAway: () => {} },
      subjects: 10,
    })
    for (let i = 0; i < 11; i++) await limiter.admit(caller(`u:${i}`))
    database.statements.length = 0
    expect((await limiter.admit(caller('u:10'))).admitted).toBe(false)
    expect(database.statements).toHaveLength(0)
    expect((await limiter.admit(caller('u:0'))).admitted).toBe(false)
    expect(database.statements).toHaveLength(1)
  })
})

describe('while the database is away', () => {
  let proxy: FaultProxy
  let behind: Database

  beforeEach(async () => {
    proxy = await startFaultProxy(database.dsn)
    behind = connectDatabase({ dsn: proxy.dsn, maxConnections: 4, applicationName: 'rate test' })
  })
  afterEach(async () => {
    await behind.close(0)
  })

  test('a process counts alone from its memory, grants sign-ins a quarter, and logs that once', async () => {
    const away: unknown[] = []
    const limiter = withMemory(40, away, behind.db)
    expect(await admitted(limiter, 30)).toBe(30)
    await proxy.close()
    expect(await admitted(limiter, 60)).toBe(10)
    expect(await admitted(limiter, 60, caller('u:2'))).toBe(40)
    const login: LimitedRequest = { policy: 'login_address', subject: 'ip:192.0.2.1' }
    expect(await admitted(limiter, 3, login)).toBe(1)
    expect(away).toHaveLength(1)
  })

  test('no caller waits for it, and it counts again once it is back', async () => {
    let now = 0
    const away: unknown[] = []
    const limiter = countWithMemory({
      ...{ db: behind.db, policies: ratePolicies(40), clock: () => now },
      onAway: (error) => void away.push(error),
    })
    const nowhere = 'postgresql://x@127.0.0.1:9/x'
    const inTable = async () => (await sql`select from sys_rate`.execute(database.db)).rows.length
    proxy.lead(nowhere)
    expect(await admitted(limiter, 1)).toBe(1)
    proxy.silent = true
    now += 2_000
    const { opened } = proxy
    let answered = 0
    const counting = admitted(limiter, 1).then((count) => {
      answered = count
    })
    await expect.poll(() => proxy.opened).toBe(opened + 1)
    expect(answered).toBe(1)
    await counting
    proxy.silent = false
    proxy.lead(database.dsn)
    await expect
      .poll(async () => {
        now += 2_000
        expect(await admitted(limiter, 1)).toBe(1)
        return inTable()
      })
      .toBe(1)
    expect(away).toHaveLength(1)
  })

  test('does not ask the database with every request', async () => {
    let asked = 0
    const dead = createServer((socket) => {
      asked++
      socket.destroy()
    }).listen(0, '127.0.0.1')
    await once(dead, 'listening')
    const { port } = dead.address() as AddressInfo
    const away = connectDatabase({ dsn: `postgresql://x@127.0.0.1:${port}/x`, maxConnections: 1, applicationName: 'x' })
    const limiter = withMemory(40, [], away.db)
    for (let i = 0; i < 20; i++) await limiter.admit(caller(`u:${i}`))
    expect(asked).toBe(1)
    await away.close()
    dead.close()
  })
})

describe('signing in', () => {
  const open = (rpm: number): Services => ({
    // Of all ports, these functions use two.
    ...({ secretKey: new Uint8Array(32) } as Services),
    limiter: countWithMemory({
      db: database.db,
      policies: ratePolicies(rpm),
      clock: () => 0,
      onAway: () => {},
    }),
  })
  const refusal = { code: 'RATE_LIMITED', status: 429, retryAfter: expect.any(Number) }

  test('is limited by address to a tenth of the calls, over all accounts', async () => {
    const services = open(100)
    for (let i = 0; i < 10; i++) await limitLogin(services, { address: '192.0.2.1', loginKey: `user${i}` })
    await expect(limitLogin(services, { address: '192.0.2.1', loginKey: 'other' })).rejects.toMatchObject(refusal)
    await expect(limitLogin(services, { address: '192.0.2.2', loginKey: 'other' })).resolves.toBeUndefined()
  })

  test('is limited by account to half of the calls, over all addresses', async () => {
    const services = open(100)
    for (let i = 0; i < 50; i++) await limitLogin(services, { address: `192.0.2.${i}`, loginKey: 'ann' })
    await expect(limitLogin(services, { address: '192.0.2.99', loginKey: 'ann' })).rejects.toMatchObject(refusal)
    await expect(limitLogin(services, { address: '192.0.2.99', loginKey: 'ben' })).resolves.toBeUndefined()
  })

  test('in a browser that the account knows is limited for itself, to a tenth of the calls', async () => {
    const services = open(100)
    for (let i = 0; i < 50; i++) await limitLogin(services, { address: `192.0.2.${i}`, loginKey: 'ann' })
    const known = { address: '192.0.2.1', loginKey: 'ann', device: '00ff' }
    for (let i = 0; i < 10; i++) await limitLogin(services, known)
    await expect(limitLogin(services, known)).rejects.toMatchObject(refusal)
    await expect(limitLogin(services, { ...known, device: '01ff' })).resolves.toBeUndefined()
  })

  test('costs the account nothing when the address is refused', async () => {
    const services = open(100)
    for (let i = 0; i < 10; i++) await limitLogin(services, { address: '192.0.2.1', loginKey: 'x' })
    const { rows: before } = await sql`select * from sys_rate order by key`.execute(database.db)
    await expect(limitLogin(services, { address: '192.0.2.1', loginKey: 'ann' })).rejects.toMatchObject(refusal)
    const { rows: after } = await sql`select * from sys_rate order by key`.execute(database.db)
    expect(after).toEqual(before)
  })

  test('counts three times when it fails', async () => {
    const services = open(120)
    const ann = { address: '192.0.2.1', loginKey: 'ann' }
    for (let i = 0; i < 4; i++) {
      await limitLogin(services, ann)
      await chargeFailedLogin(services, ann)
    }
    await expect(limitLogin(services, ann)).rejects.toMatchObject({
      ...refusal,
      headers: { 'ratelimit-remaining': '0' },
    })
  })

  test('writes no login into the table', async () => {
    await limitLogin(open(100), { address: '192.0.2.1', loginKey: 'canary@example.com' })
    const { rows } = await sql<{ key: string }>`select key from sys_rate order by key`.execute(database.db)
    expect(rows.map(({ key }) => key)).toEqual([
      expect.stringMatching(/^login_account:acc:[\da-f]{32}$/),
      'login_address:ip:192.0.2.1',
    ])
  })

  test.each([0, 600])(
    'mails with a link are 3 an hour for an account and 10 for an address, with a limit of %i',
    async (rpm) => {
      const services = open(rpm)
      for (let i = 0; i < 3; i++) await limitReset(services, { address: '192.0.2.1', loginKey: 'ann' })
      await expect(limitReset(services, { address: '192.0.2.1', loginKey: 'ann' })).rejects.toMatchObject(refusal)
      for (let i = 0; i < 6; i++) await limitReset(services, { address: '192.0.2.1', loginKey: `other${i}` })
      await expect(limitReset(services, { address: '192.0.2.1', loginKey: 'ben' })).rejects.toMatchObject(refusal)
    },
  )

  test('needs no statement without a limiter', async () => {
    const { limiter: _, ...services } = open(1)
    for (let i = 0; i < 3; i++) await limitLogin(services, { address: null, loginKey: 'ann' })
    await chargeFailedLogin(services, { address: null, loginKey: 'ann' })
  })
})
