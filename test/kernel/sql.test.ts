import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppError, invalid, notFound, refusal } from '../../kernel/errors.ts'
import type { Observation } from '../../kernel/observation.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { ddl, identifier, joinDdl, literal, runDdl, runScript } from '../../kernel/sql/ddl.ts'
import { type ConstraintNamer, sqlState, translatePgError, type Violation } from '../../kernel/sql/pg-error.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { type RetryPorts, savepoint, transact } from '../../kernel/sql/transaction.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

const ports: RetryPorts = {
  // The clock stands still: on a busy machine, slowness must not end the retries.
  clock: () => new Date(0),
  random: (bytes) => randomBytes(bytes),
  sleep: async (ms) => {
    await sleep(ms)
  },
}

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createDatabase()
  db = database.db
  await runScript(
    db,
    `CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL);
     CREATE TABLE secret_parent (id int PRIMARY KEY);
     CREATE TABLE secret_row (
       id int PRIMARY KEY, code varchar(3) CONSTRAINT secret_code_unique UNIQUE, parent_id int CONSTRAINT secret_fk REFERENCES secret_parent,
       amount numeric(4, 1), needed int NOT NULL DEFAULT 1, happened timestamptz,
       CONSTRAINT secret_check CHECK (amount > 0));
     INSERT INTO secret_parent VALUES (1);
     INSERT INTO secret_row (id, code, parent_id, amount) VALUES (1, 'abc', 1, 5);`,
  )
})
afterAll(() => database.drop())
beforeEach(() => runScript(db, 'DELETE FROM account; INSERT INTO account VALUES (1, 0), (2, 0)'))

const add = (tx: Db, id: number, amount: number) =>
  sql`update account set balance = balance + ${amount} where id = ${id}`.execute(tx)

async function balances(): Promise<number[]> {
  const { rows } = await sql<{ balance: number }>`select balance from account order by id`.execute(db)
  return rows.map((row) => row.balance)
}

/** A point that everybody has to reach before anybody goes on. */
function meeting(size: number): () => Promise<void> {
  let arrived = 0
  let open = () => {}
  const all = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    if (++arrived >= size) open()
    return all
  }
}

const coded = (code: string) => Object.assign(new Error(code), { code })

describe('transact', () => {
  test('commits what the closure did and returns its result', async () => {
    const result = await transact(db, { kind: 'write' }, (tx) => add(tx, 1, 5).then(() => 'done'), ports)
    expect(result).toBe('done')
    expect(await balances()).toEqual([5, 0])
  })

  test('undoes everything when the closure throws, and throws the same error', async () => {
    const failure = notFound('record_not_found', 'nope')
    const attempt = transact(
      db,
      { kind: 'write' },
      async (tx) => {
        await add(tx, 1, 5)
        throw failure
      },
      ports,
    )
    await expect(attempt).rejects.toBe(failure)
    expect(await balances()).toEqual([0, 0])
  })

  test('a serial transaction runs again after a concurrent change', async () => {
    const bothRead = meeting(2)
    let runs = 0
    const increment = async (tx: Db) => {
      runs++
      const { rows } = await sql<{ balance: number }>`select balance from account where id = 1`.execute(tx)
      await bothRead()
      await sql`update account set balance = ${(rows[0]?.balance ?? 0) + 1} where id = 1`.execute(tx)
    }
    await Promise.all([
      transact(db, { kind: 'serial' }, increment, ports),
      transact(db, { kind: 'serial' }, increment, ports),
    ])
    expect(runs).toBe(3)
    expect(await balances()).toEqual([2, 0])
  })

  test('a transaction that a deadlock ended is retried, and the host is notified', async () => {
    const bothLocked = meeting(2)
    const observed: Observation[] = []
    const observe = (observation: Observation) => void observed.push(observation)
    let runs = 0
    const transfer = (from: number, to: number) => async (tx: Db) => {
      runs++
      await add(tx, from, -1)
      await bothLocked()
      await add(tx, to, 1)
    }
    await Promise.all([
      transact(db, { kind: 'write' }, transfer(1, 2), { ...ports, observe }),
      transact(db, { kind: 'write' }, transfer(2, 1), { ...ports, observe }),
    ])
    // On a busy machine the retry may lock its first row before the other transaction has noticed that it can go on.
    expect(observed.length).toBeGreaterThan(0)
    const retries = observed.map((_, at) => ({ kind: 'retry', requestId: null, reason: '40P01', attempt: at + 1 }))
    expect(observed).toEqual(retries)
    expect(runs).toBe(2 + observed.length)
    expect(await balances()).toEqual([0, 0])
  })

  test('gives up after four retries with growing, random pauses', async () => {
    const pauses: number[] = []
    let runs = 0
    const attempt = transact(
      db,
      { kind: 'write' },
      async () => {
        runs++
        throw coded('40001')
      },
      {
        clock: () => new Date(0),
        random: (bytes) => new Uint8Array(bytes).fill(128),
        sleep: async (ms) => {
          pauses.push(Math.round(ms))
        },
      },
    )
    await expect(attempt).rejects.toMatchObject({ code: '40001' })
    expect(runs).toBe(5)
    expect(pauses).toEqual([3, 10, 40, 40])
  })

  test('retries no longer than a second in all', async () => {
    let now = 0
    let runs = 0
    const attempt = transact(
      db,
      { kind: 'write' },
      async () => {
        runs++
        now += 600
        throw coded('40P01')
      },
      { ...ports, clock: () => new Date(now), sleep: async () => {} },
    )
    await expect(attempt).rejects.toMatchObject({ code: '40P01' })
    expect(runs).toBe(3)
  })

  test('a connection lost before COMMIT costs one retry, a second loss is an error', async () => {
    let runs = 0
    const losing = (losses: number) => async (tx: Db) => {
      runs++
      await add(tx, 1, 1)
      if (runs <= losses) await terminate(await backendOf(tx))
      await add(tx, 2, 1)
    }
    await transact(db, { kind: 'write' }, losing(1), ports)
    expect(runs).toBe(2)
    expect(await balances()).toEqual([1, 1])

    runs = 0
    const error = await transact(db, { kind: 'write' }, losing(2), ports).catch((thrown: unknown) => thrown)
    expect(runs).toBe(2)
    expect(translatePgError(error)).toMatchObject({ code: 'UNAVAILABLE', retryAfter: 1 })
    expect(await balances()).toEqual([1, 1])
  })

  test('a closure that swallows a failed statement cannot pass for committed', async () => {
    const attempt = transact(
      db,
      { kind: 'write' },
      async (tx) => {
        await add(tx, 1, 1)
        await sql`select 1 / 0`.execute(tx).catch(() => undefined)
      },
      ports,
    )
    await expect(attempt).rejects.toMatchObject({ code: '25P02' })
    expect(await balances()).toEqual([0, 0])
  })

  test.each([
    ['write', 'read committed', 'off'],
    ['serial', 'repeatable read', 'off'],
    ['snapshot', 'repeatable read', 'on'],
  ] as const)('%s runs as %s, read only %s', async (kind, isolation, readOnly) => {
    const { rows } = await transact(
      db,
      { kind },
      (tx) =>
        sql`select current_setting('transaction_isolation') as isolation,
                   current_setting('transaction_read_only') as read_only`.execute(tx),
      ports,
    )
    expect(rows[0]).toEqual({ isolation, read_only: readOnly })
  })
})

async function backendOf(tx: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
  return rows[0]?.pid ?? 0
}

async function terminate(pid: number): Promise<void> {
  await sql`select pg_terminate_backend(${pid}, 5000)`.execute(db)
}

describe('savepoint', () => {
  test('a failure undoes only its own statements, also nested', async () => {
    await transact(
      db,
      { kind: 'write' },
      async (tx) => {
        await add(tx, 1, 1)
        await savepoint(tx, async () => {
          await add(tx, 2, 10)
          const inner = savepoint(tx, async () => {
            await add(tx, 2, 100)
            await sql`select 1 / 0`.execute(tx)
          })
          await expect(inner).rejects.toMatchObject({ code: '22012' })
        })
        const outer = savepoint(tx, async () => {
          await add(tx, 1, 1_000)
          throw invalid('value_invalid', {}, 'no')
        })
        await expect(outer).rejects.toMatchObject({ code: 'VALIDATION' })
      },
      ports,
    )
    expect(await balances()).toEqual([1, 10])
  })
})

describe('translatePgError', () => {
  const cases: [state: string, code: string, statement: string][] = [
    ['23505', 'CONFLICT', "insert into secret_row (id, code) values (2, 'abc')"],
    ['23503', 'CONFLICT', 'insert into secret_row (id, parent_id) values (2, 99)'],
    ['23503', 'CONFLICT', 'delete from secret_parent'],
    ['23514', 'VALIDATION', 'insert into secret_row (id, amount) values (2, -1)'],
    ['23502', 'VALIDATION', 'insert into secret_row (id, needed) values (2, null)'],
    ['22001', 'VALIDATION', "insert into secret_row (id, code) values (2, 'abcd')"],
    ['22003', 'VALIDATION', 'insert into secret_row (id, amount) values (2, 12345)'],
    ['22003', 'VALIDATION', 'select 2147483648::int'],
    ['22P02', 'VALIDATION', "select 'x'::int"],
    ['22007', 'VALIDATION', "select 'x'::date"],
    ['22008', 'VALIDATION', "select '2024-02-30'::date"],
    ['22012', 'VALIDATION', 'select 1 / 0'],
    ['57014', 'UNAVAILABLE', "set local statement_timeout = '20ms'; select pg_sleep(1)"],
  ]

  test.each(cases)('%s is %s: %s', async (state, code, statement) => {
    const error = await sql
      .raw(statement)
      .execute(db)
      .catch((thrown: unknown) => thrown)
    expect(sqlState(error)).toBe(state)
    const translated = translatePgError(error)
    expect(translated).toBeInstanceOf(AppError)
    expect(translated).toMatchObject({ code, cause: error })
    expect(JSON.stringify([translated, (translated as AppError).message])).not.toMatch(
      /secret|select|insert|constraint/i,
    )
  })

  test('NUL in a bound text is a validation error', async () => {
    const error = await sql`select ${'a\0b'}::text`.execute(db).catch((thrown: unknown) => thrown)
    expect(translatePgError(error)).toMatchObject({ code: 'VALIDATION' })
  })

  test('a lock held by another transaction is a conflict', async () => {
    await transact(
      db,
      { kind: 'write' },
      async (tx) => {
        await add(tx, 1, 1)
        const error = await sql`select * from account where id = 1 for update nowait`
          .execute(db)
          .catch((thrown: unknown) => thrown)
        expect(sqlState(error)).toBe('55P03')
        expect(translatePgError(error)).toMatchObject({ code: 'CONFLICT' })
      },
      ports,
    )
  })

  test.each([
    '40001 CONFLICT',
    '40P01 CONFLICT',
    '40003 UNAVAILABLE',
    '53100 UNAVAILABLE',
    '53300 UNAVAILABLE',
    '57P01 UNAVAILABLE',
    '57P02 UNAVAILABLE',
    '57P03 UNAVAILABLE',
    '08006 UNAVAILABLE',
    '22021 VALIDATION',
    '54000 VALIDATION',
    '23001 CONFLICT',
    '23P01 CONFLICT',
    'ECONNREFUSED UNAVAILABLE',
    'ECONNRESET UNAVAILABLE',
  ])('%s', (pair) => {
    const [state = '', code] = pair.split(' ')
    const translated = translatePgError(coded(state))
    expect(translated).toMatchObject({ code })
    if (code === 'UNAVAILABLE') expect((translated as AppError).retryAfter).toBeGreaterThan(0)
  })

  test('the namer learns the place and decides field, message and kind of refusal', async () => {
    const seen: Violation[] = []
    const namer: ConstraintNamer = (violation) => {
      seen.push(violation)
      return {
        field: 'code',
        message: 'This code is taken.',
        refuse: (...about) => refusal('VALIDATION', 'check_failed', ...about),
      }
    }
    const error = await sql`insert into secret_row (id, code) values (2, ${'abc'})`.execute(db).catch((e: unknown) => e)
    expect(translatePgError(error, namer)).toMatchObject({
      code: 'VALIDATION',
      message: 'This code is taken.',
      details: { fields: { code: 'This code is taken.' } },
    })
    const missing = await sql`insert into secret_row (id, needed) values (2, null)`.execute(db).catch((e: unknown) => e)
    translatePgError(missing, namer)
    expect(seen).toEqual([
      { kind: 'unique', table: 'secret_row', constraint: 'secret_code_unique', column: undefined },
      { kind: 'required', table: 'secret_row', constraint: undefined, column: 'needed' },
    ])
  })

  test.each([
    refusal('CSRF', 'cross_site', 'x'),
    new Error('bug'),
    coded('42P01'),
    coded('ERR_BUG'),
    'text',
    undefined,
  ])('leaves alone what is not a fault of data or database: %s', (error) => {
    expect(translatePgError(error)).toBe(error)
  })
})

describe('DDL text', () => {
  const awkward = 'a"b\'c\\d%; --'

  test('names and values may contain any characters', async () => {
    const columns = [ddl`${identifier(awkward)} text DEFAULT ${literal(awkward)}`, ddl`n int DEFAULT ${literal(7)}`]
    await runDdl(db, ddl`CREATE TABLE ${identifier(`t ${awkward}`)} (${joinDdl(columns)})`)
    await runDdl(db, ddl`INSERT INTO ${identifier(`t ${awkward}`)} DEFAULT VALUES`)
    const { rows } = await sql`select * from ${sql.table(`t ${awkward}`)}`.execute(db)
    expect(rows).toEqual([{ [awkward]: awkward, n: 7 }])
  })

  test('null and booleans', () => {
    expect([literal(null), literal(true), literal(false)].map((part) => part.text)).toEqual(['NULL', 'TRUE', 'FALSE'])
  })

  test.each(['', 'x'.repeat(64), 'ä'.repeat(32), 'a\0'])('refuses the name %j', (name) => {
    expect(() => identifier(name)).toThrow('identifier')
  })

  test('refuses values that have no literal', () => {
    expect(() => literal('a\0')).toThrow('NUL')
    expect(() => literal(Number.NaN)).toThrow('number')
  })
})
