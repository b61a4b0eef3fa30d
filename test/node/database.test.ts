import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import type { Db } from '../../kernel/sql/database.ts'
import { runScript } from '../../kernel/sql/ddl.ts'
import { translatePgError } from '../../kernel/sql/pg-error.ts'
import { sql as kernelSql } from '../../kernel/sql/sql.ts'
import { transact } from '../../kernel/sql/transaction.ts'
import type { Database } from '../../runtime/postgres/database.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { stillPorts, useOwnDatabase } from '../support/own-database.ts'

const { own, open } = useOwnDatabase('database-test')

async function one<T>(db: Db, query: RawBuilder<T>): Promise<T> {
  const { rows } = await query.execute(db)
  if (rows[0] === undefined) throw new Error('no row')
  return rows[0]
}

const cell = async (db: Db, query: RawBuilder<unknown>) => {
  const row = await one(db, query)
  return Object.values(Object(row))[0]
}

const setting = (db: Db, name: string) => cell(db, sql`select current_setting(${name})`)
const backend = (db: Db) => cell(db, sql`select pg_backend_pid()`)

describe('values', () => {
  const cases: [expression: string, expected: unknown][] = [
    ['1::int2', 1],
    ['1::int4', 1],
    ['9007199254740991::int8', 9007199254740991],
    ['count(*)', 1],
    ['12.50::numeric(10, 2)', 12.5],
    ['-0.000001::numeric', -0.000001],
    ['0.1::float8', 0.1],
    ['true', true],
    ["'2024-02-29'::date", '2024-02-29'],
    ["'2024-02-29T12:30:00+02'::timestamptz", '2024-02-29T10:30:00.000Z'],
    ["'2024-02-29T12:30:00.1Z'::timestamptz", '2024-02-29T12:30:00.100Z'],
    ["'2024-02-29T12:30:00.123987Z'::timestamptz", '2024-02-29T12:30:00.123Z'],
    ["'2024-02-29 12:30:00.5'::timestamp", '2024-02-29T12:30:00.500Z'],
    ["'infinity'::timestamptz", 'infinity'],
    ["'1 day 02:00'::interval", '1 day 02:00:00'],
    ["'{}'::int[]", []],
    ["'{1,NULL,-3}'::int[]", [1, null, -3]],
    ["'{1,2}'::int8[]", [1, 2]],
    ["'{1.5,2}'::numeric[]", [1.5, 2]],
    ["'{2024-02-29,NULL}'::date[]", ['2024-02-29', null]],
    ["array['2024-02-29T12:30:00.25Z'::timestamptz]", ['2024-02-29T12:30:00.250Z']],
    ["array['a,b', 'c\"d', null]", ['a,b', 'c"d', null]],
    ['\'{"a": [1, null]}\'::jsonb', { a: [1, null] }],
    ["'[1]'::json", [1]],
    ["'null'::jsonb", null],
    ["'\\x00ff'::bytea", Buffer.from([0, 255])],
    ['null::numeric', null],
  ]

  test.each(cases)('%s', async (expression, expected) => {
    expect(await cell(open().db, sql.raw(`select ${expression} as value`))).toEqual(expected)
    // Once more with a parameter, prepared and then from its plan: the extended protocol must agree.
    const { db } = open()
    for (let i = 0; i < 3; i++) {
      expect(await cell(db, sql`select ${sql.raw(expression)} as value where ${i} >= 0`)).toEqual(expected)
    }
  })
})

describe('a connection', () => {
  test('has the limits of the service', async () => {
    const { db } = open()
    expect(await setting(db, 'TimeZone')).toBe('UTC')
    expect(await setting(db, 'statement_timeout')).toBe('15s')
    expect(await setting(db, 'lock_timeout')).toBe('3s')
    expect(await setting(db, 'idle_in_transaction_session_timeout')).toBe('15s')
    expect(await setting(db, 'client_connection_check_interval')).toBe('500ms')
    expect(await setting(db, 'application_name')).toBe('database-test')
  })

  test('keeps them when the DSN brings options of its own', async () => {
    const { db } = open({ dsn: `${own().dsn}?options=-c%20TimeZone%3DAsia%2FTokyo` })
    expect(await setting(db, 'TimeZone')).toBe('UTC')
  })

  test('to a replica is read-only', async () => {
    const { db } = open({ readOnly: true })
    await expect(sql`create table x ()`.execute(db)).rejects.toMatchObject({ code: '25006' })
  })

  test('reports affected rows', async () => {
    const { db } = open()
    await runScript(db, 'CREATE TEMP TABLE n AS SELECT generate_series(1, 5) AS n')
    const result = await sql`update n set n = n + 1 where n > ${3}`.execute(db)
    expect(result.numAffectedRows).toBe(2n)
  })

  test('streams page by page, inside and outside a transaction', async () => {
    const { db } = open()
    const numbers = sql<{ n: number }>`(select generate_series(1, ${1_050}::int) as n)`
    const query = db.selectFrom(numbers.as('numbers')).select('numbers.n')
    const pages: number[] = []
    for await (const row of query.stream(500)) pages.push(Number(row.n))
    expect(pages).toHaveLength(1_050)
    await transact(
      db,
      { kind: 'snapshot' },
      async (tx) => {
        for await (const row of tx.selectFrom(numbers.as('numbers')).select('numbers.n').stream(500)) {
          if (Number(row.n) === 3) break
        }
        expect(await cell(tx, sql`select count(*) from pg_cursors where name like 'svc%'`)).toBe(0)
      },
      stillPorts,
    )
    expect(await cell(db, sql`select 1`)).toBe(1)
  })
})

describe('prepared statements', () => {
  const names = (db: Db) => cell(db, sql`select count(*) from pg_prepared_statements`)

  test('a text gets a name when it comes back', async () => {
    const { db } = open({ maxConnections: 1 })
    const run = (n: number) => cell(db, sql`select ${n}::int + 1`)
    await run(1)
    expect(await names(db)).toBe(0)
    expect([await run(2), await run(3)]).toEqual([3, 4])
    expect(await names(db)).toBe(1)
  })

  test('the least recently used is removed', async () => {
    const { db } = open({ maxConnections: 1 })
    for (let n = 0; n < 310; n++) {
      for (let times = 0; times < 2; times++) await cell(db, sql`select ${n}::int + ${sql.raw(String(n))}`)
      await cell(db, sql`select ${n}::int as favourite`)
    }
    expect(await names(db)).toBe(300)
    const kept = sql`select count(*) from pg_prepared_statements where statement like '%favourite'`
    expect(await cell(db, kept)).toBe(1)
  })

  test('are off where asked', async () => {
    const { db } = open({ maxConnections: 1, prepare: false })
    for (let n = 0; n < 3; n++) await cell(db, sql`select ${n}::int + 1`)
    expect(await names(db)).toBe(0)
  })

  test('survive DDL outside a transaction, and in the middle of one by running it again', async () => {
    const { db } = open({ maxConnections: 1 })
    const other = open({ maxConnections: 1 }).db
    await runScript(db, 'CREATE TABLE changing (id int); INSERT INTO changing VALUES (1)')
    const read = (tx: Db) => sql`select * from changing where id = ${1}`.execute(tx).then(({ rows }) => rows[0])
    for (let i = 0; i < 3; i++) expect(await read(db)).toEqual({ id: 1 })

    await runScript(other, 'ALTER TABLE changing ADD a int DEFAULT 7')
    expect(await read(db)).toEqual({ id: 1, a: 7 })
    for (let i = 0; i < 3; i++) expect(await read(db)).toEqual({ id: 1, a: 7 })

    await runScript(other, 'ALTER TABLE changing DROP a')
    let runs = 0
    const twice = transact(
      db,
      { kind: 'write' },
      async (tx) => {
        runs++
        await sql`select 1`.execute(tx)
        return read(tx)
      },
      stillPorts,
    )
    expect(await twice).toEqual({ id: 1 })
    expect(runs).toBe(2)
  })
})

describe('the pool', () => {
  /** Takes every connection of a database until the function returned is called. */
  async function takeAll({ db, stats }: Database, connections: number): Promise<() => Promise<unknown>> {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const held = Array.from({ length: connections }, () => db.connection().execute(() => released))
    await expect.poll(stats).toEqual({ open: connections, idle: 0, waiting: 0 })
    return () => {
      release()
      return Promise.all(held)
    }
  }

  test('lets four callers wait for each connection and answers UNAVAILABLE at once to more', async () => {
    const database = open({ maxConnections: 2, connectWaitMs: 120_000 })
    const release = await takeAll(database, 2)
    const waiting = Array.from({ length: 8 }, () => cell(database.db, sql`select 1`))
    await expect.poll(database.stats).toEqual({ open: 2, idle: 0, waiting: 8 })
    await expect(sql`select 1`.execute(database.db)).rejects.toMatchObject({
      ...{ code: 'UNAVAILABLE', reason: 'busy', retryAfter: 1 },
    })
    await release()
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 1))
  })

  test('answers UNAVAILABLE to a caller who has waited for a second: the service is busy, the network is fine', async () => {
    const database = open({ maxConnections: 1 }, false)
    const release = await takeAll(database, 1)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    try {
      const waiting = sql`select 1`.execute(database.db)
      const refused = expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE', reason: 'busy' })
      await expect.poll(database.stats).toEqual({ open: 1, idle: 0, waiting: 1 })
      expect(timers.mock.calls.map(([, ms]) => ms)).toContain(1_000)
      await refused
    } finally {
      timers.mockRestore()
      await release()
    }
    expect(await cell(database.db, sql`select 1`)).toBe(1)
  })

  test('does not blame the network for a new connection that takes too long while others get answers', async () => {
    const proxy = await startFaultProxy(own().dsn)
    const { db, stats } = open({ dsn: proxy.dsn, maxConnections: 2 })
    await db.connection().execute(async (other) => {
      await cell(other, sql`select 1`)
      proxy.slowConnections = 1
      const waiting = sql`select 1`.execute(db)
      await expect.poll(() => stats().open).toBe(2)
      const refused = expect(waiting).rejects.toMatchObject({
        reason: 'busy',
        cause: { message: expect.stringContaining('to open a connection') },
      })
      await cell(other, sql`select 1`)
      await refused
    })
    proxy.silent = true
    await expect(sql`select 1`.execute(open({ dsn: proxy.dsn }).db)).rejects.toMatchObject({ reason: 'database_away' })
    await proxy.close()
  })

  describe('a busy event loop is no absent database', () => {
    /** Does not let the loop read from its sockets until the wait for a connection is over. */
    const block = () => {
      for (const end = performance.now() + 1_500; performance.now() < end; );
    }

    test('a connection that is being made is waited for', async () => {
      const { db, stats } = open({ maxConnections: 1 }, false)
      const waiting = cell(db, sql`select 1`)
      while (stats().open === 0) await Promise.resolve()
      block()
      expect(await waiting).toBe(1)
    })

    test('a connection that another caller gives back is waited for', async () => {
      const { db, stats } = open({ maxConnections: 1 }, false)
      await cell(db, sql`select 1`)
      const other = cell(db, sql`select 2`)
      const waiting = cell(db, sql`select 1`)
      while (stats().waiting === 0) await Promise.resolve()
      block()
      expect(await Promise.all([other, waiting])).toEqual([2, 1])
    })
  })

  test('answers UNAVAILABLE if no server listens', async () => {
    const { db } = open({ dsn: 'postgresql://x:y@127.0.0.1:1/z' })
    await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  test('advises nothing about a setting where the server is our own', async () => {
    const { db } = open({ dsn: 'postgresql://x:y@127.0.0.1:1/z', setting: null })
    const cause = { message: 'No PostgreSQL listens at 127.0.0.1:1.' }
    await expect(sql`select 1`.execute(db)).rejects.toMatchObject({ cause })
  })

  test('survives the death of idle connections and of those in use', async () => {
    const errors: Error[] = []
    const { db } = open({ maxConnections: 1, onError: (error) => errors.push(error) })
    const kill = async (pid: unknown) => sql`select pg_terminate_backend(${pid}, 5000)`.execute(own().db)
    await kill(await backend(db))
    await expect.poll(() => errors).toHaveLength(1)
    expect(await cell(db, sql`select 1`)).toBe(1)

    const inUse = db.connection().execute(async (connection) => {
      await kill(await backend(connection))
      await sql`select 1`.execute(connection)
    })
    expect(translatePgError(await inUse.catch((error: unknown) => error))).toMatchObject({ code: 'UNAVAILABLE' })
    expect(await cell(db, sql`select 1`)).toBe(1)
  })

  test('does not hand on a connection that was left in a transaction', async () => {
    const { db } = open({ maxConnections: 1 })
    await sql`begin`.execute(db)
    expect(await cell(db, sql`select now() = statement_timestamp()`)).toBe(true)
  })

  test('reports every statement and its duration', async () => {
    const seen: string[] = []
    const { db } = open({ onQuery: ({ sql: text, ms }) => seen.push(`${text} ${ms >= 0}`) })
    await transact(db, { kind: 'write' }, (tx) => sql`select ${1}::int`.execute(tx), stillPorts)
    await sql`broken`.execute(db).catch(() => undefined)
    expect(seen).toEqual(['select $1::int true', 'broken true'])
  })
})

describe('a COMMIT whose connection breaks', () => {
  test.each(['lose request', 'lose answer'] as const)(
    '%s: the row is there exactly once and nobody hears of it',
    async (fault) => {
      await runScript(own().db, 'CREATE TABLE IF NOT EXISTS note (fault text)')
      const proxy = await startFaultProxy(own().dsn)
      const { db } = open({ dsn: proxy.dsn })
      proxy.commit = fault
      let runs = 0
      await transact(
        db,
        { kind: 'write' },
        (tx) => {
          runs++
          return sql`insert into note values (${fault})`.execute(tx)
        },
        stillPorts,
      )
      expect(runs).toBe(fault === 'lose request' ? 2 : 1)
      expect(proxy.commit).toBe('pass')
      expect(await cell(own().db, sql`select count(*) from note where fault = ${fault}`)).toBe(1)
      await proxy.close()
    },
  )

  test('and the server stays away: the outcome is reported as unknown', async () => {
    const proxy = await startFaultProxy(own().dsn)
    const { db } = open({ dsn: proxy.dsn })
    const attempt = transact(
      db,
      { kind: 'write' },
      async (tx) => {
        await sql`select 1`.execute(tx)
        await proxy.close()
      },
      stillPorts,
    )
    expect(translatePgError(await attempt.catch((error: unknown) => error))).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('unknown'),
    })
  })

  test('a statement that the server ends late still gets the answer of the server', async () => {
    const { db } = open({ maxConnections: 1 })
    const timers = vi.spyOn(globalThis, 'setTimeout')
    try {
      expect(await cell(db, sql`select 1`)).toBe(1)
      expect(timers.mock.calls.map(([, ms]) => ms)).toContain(22_500)
    } finally {
      timers.mockRestore()
    }
  })

  test('statements of one round trip have the time that each of them may take', async () => {
    const { db } = open({ statementTimeoutMs: 2_000 })
    const counted: unknown[] = []
    const page = kernelSql`select 'rows' as value, pg_sleep(1.1)::text as slept`
    const ahead = {
      text: 'select 7 as count, pg_sleep(1.1)',
      take: (rows: readonly unknown[]) => counted.push(...rows),
    }
    const { ends } = await page.executeJson(db, [{ name: 'value', form: 'value' }], { ahead })
    expect([counted.length, ends.length]).toEqual([1, 1])
  })

  test('a server that has gone silent is given up', async () => {
    const proxy = await startFaultProxy(own().dsn)
    const { db } = open({ dsn: proxy.dsn, statementTimeoutMs: 200 })
    expect(await cell(db, sql`select 1`)).toBe(1)
    proxy.silent = true
    const error = await sql`select 1`.execute(db).catch((thrown: unknown) => thrown)
    expect(translatePgError(error)).toMatchObject({ code: 'UNAVAILABLE' })
    await proxy.close()
  })
})
