import pg from 'pg'
import { describe, expect, test } from 'vitest'
import type { Db } from '../../kernel/sql/database.ts'
import { runScript } from '../../kernel/sql/ddl.ts'
import { type Sql, sql } from '../../kernel/sql/sql.ts'
import { transact } from '../../kernel/sql/transaction.ts'
import { Connection, watchClient } from '../../runtime/postgres/connection.ts'
import { preparedNames } from '../../runtime/postgres/prepared-statements.ts'
import { Pulse } from '../../runtime/postgres/pulse.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { stillPorts, useOwnDatabase } from '../support/own-database.ts'

const { own, open } = useOwnDatabase('transaction-test')

const cell = async (db: Db, query: Sql) => Object.values(Object((await query.execute(db)).rows[0]))[0]
const backend = (db: Db) => cell(db, sql`select pg_backend_pid()`)

describe('a transaction', () => {
  const committed = (table: string) => cell(own().db, sql`select count(*) from ${sql.table(table)}`)
  const work = (db: Db, run: (tx: Db) => Promise<unknown>) => transact(db, { kind: 'write' }, run, stillPorts)

  test('begins with its first statement, and without one it does not begin at all', async () => {
    const { db } = open({ maxConnections: 1 })
    const own = await work(db, (tx) =>
      sql`select now() < statement_timestamp() as late`.execute(tx).then(() => backend(tx)),
    )
    await work(db, async () => {})
    const ended = sql`select state, query from pg_stat_activity where pid = ${own}`
    expect((await ended.execute(open({}).db)).rows).toEqual([{ state: 'idle', query: 'commit' }])
  })

  test('on a connection that failed before it was used fails as lost, not with the words of the driver', async () => {
    const client = Object.assign(new pg.Client(), {
      query: () => Promise.reject(new Error('Client has encountered a connection error and is not queryable')),
    })
    watchClient(client)
    client.emit('error', new Error('The backend was ended.'))
    const connection = new Connection(client as unknown as pg.PoolClient, {
      localLimits: [],
      names: preparedNames(() => false),
      onQuery: undefined,
      pulse: new Pulse({ dsn: '', applicationName: 'test' }),
      answerMs: 1_000,
      cancel: async () => {},
    })
    await expect(connection.command('select 1')).rejects.toMatchObject({ code: '08006' })
  })

  test('whose first statement was prepared before its table changed begins once more', async () => {
    await runScript(own().db, 'CREATE TABLE changing (n int); INSERT INTO changing VALUES (1)')
    const { db } = open({ maxConnections: 1 })
    const all = async (tx: Db) => (await sql`select * from changing where n > ${0}`.execute(tx)).rows
    for (let times = 0; times < 5; times++) expect(await work(db, all)).toEqual([{ n: 1 }])
    await runScript(own().db, 'ALTER TABLE changing ADD COLUMN more int')
    let tries = 0
    const read = work(db, (tx) => {
      tries++
      return all(tx)
    })
    expect([await read, tries]).toEqual([[{ n: 1, more: null }], 1])
  })

  test('whose first or last statement fails leaves nothing behind, however often', async () => {
    await runScript(own().db, 'CREATE TABLE failing (n int PRIMARY KEY)')
    const { db } = open({ maxConnections: 1 })
    const insert = (tx: Db, n: number, isLast: boolean) =>
      sql`insert into failing values (${n})`.execute(tx, { isLast })
    await work(db, (tx) => insert(tx, 1, false))
    for (let times = 0; times < 4; times++) {
      await expect(work(db, (tx) => insert(tx, 1, false))).rejects.toMatchObject({ code: '23505' })
      const late = work(db, async (tx) => {
        await insert(tx, 2, false)
        await insert(tx, 1, true)
      })
      await expect(late).rejects.toMatchObject({ code: '23505' })
    }
    expect(await committed('failing')).toBe(1)
    // Each is prepared once: the two statements of the test, BEGIN, the query for the mark of the transaction, COMMIT.
    expect(Number(await cell(db, sql`select count(*) from pg_prepared_statements`))).toBeLessThanOrEqual(5)
    await work(db, (tx) => insert(tx, 2, true))
    expect(await committed('failing')).toBe(2)
  })

  test.each(['lose request', 'lose answer'] as const)(
    '%s of the COMMIT with its last statement: all is there exactly once',
    async (fault) => {
      const table = `last_${fault.slice(5)}`
      await runScript(own().db, `CREATE TABLE ${table} (n int)`)
      const proxy = await startFaultProxy(own().dsn)
      const { db } = open({ dsn: proxy.dsn, maxConnections: 1 })
      const add = (n: number) =>
        transact(
          db,
          { kind: 'write' },
          async (tx) => {
            await sql`select ${n}::int`.execute(tx)
            await sql`insert into ${sql.table(table)} values (${n})`.execute(tx, { isLast: true })
          },
          stillPorts,
        )
      // Several times, so that COMMIT is also tried after it got a prepared name.
      for (let n = 1; n <= 4; n++) {
        proxy.commit = n % 2 === 0 ? fault : 'pass'
        await add(n)
        expect(proxy.commit).toBe('pass')
      }
      expect(await cell(own().db, sql`select array_agg(n order by n) from ${sql.table(table)}`)).toEqual([1, 2, 3, 4])
      await proxy.close()
    },
  )

  test.each([false, true])(
    'that what goes ahead of it refuses commits nothing, even if its code goes on (%s)',
    async (isLast) => {
      const table = `refused_${isLast}`
      await runScript(own().db, `CREATE TABLE ${table} (n int)`)
      const ahead = {
        text: 'select 1 as one',
        take: () => {
          throw new Error('refused')
        },
      }
      const db = open().forRequest(undefined, 60_000, { ahead })
      const attempt = work(db, async (tx) => {
        for (const n of [1, 2])
          await sql`insert into ${sql.table(table)} values (${n})`.execute(tx, { isLast }).catch(() => undefined)
      })
      await expect(attempt).rejects.toThrow('refused')
      expect(await committed(table)).toBe(0)
    },
  )
})
