import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fold } from '../../kernel/domain/fold.ts'
import { isMigrated, type Migration, migrateKernel } from '../../kernel/schema/migrate.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { kernelMigrations } from '../../migrations/index.ts'
import { connectDatabase } from '../../runtime/postgres/database.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/database.ts'

const numbers: readonly Migration[] = [
  { name: '0001_one', sql: 'CREATE TABLE one (n int); INSERT INTO one VALUES (1);' },
  { name: '0002_two', sql: 'ALTER TABLE one ADD two int DEFAULT 2;' },
]

async function withEmpty(work: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await createEmptyDatabase()
  try {
    await work(database)
  } finally {
    await database.drop()
  }
}

async function tables(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    name: string
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  return rows.map((row) => row.name).sort()
}

describe('migrateKernel', () => {
  test('makes the tables of the kernel, once', () =>
    withEmpty(async ({ db }) => {
      const names = kernelMigrations.map((migration) => migration.name)
      expect(names).toEqual(names.toSorted())
      expect(await isMigrated(db, kernelMigrations)).toBe(false)
      expect(await migrateKernel(db, kernelMigrations)).toEqual(names)
      expect(await isMigrated(db, kernelMigrations)).toBe(true)
      expect(await migrateKernel(db, kernelMigrations)).toEqual([])
      expect(await tables(db)).toEqual([
        'sys_api_key_secret',
        'sys_audit',
        'sys_credential',
        'sys_epoch',
        'sys_fence',
        'sys_flash',
        'sys_idempotency',
        'sys_import_record',
        'sys_mail',
        'sys_mail_attachment',
        'sys_migration',
        'sys_outbox',
        'sys_param',
        'sys_presence',
        'sys_rate',
        'sys_reset',
        'sys_revision',
        'sys_session',
      ])
      expect(await db.selectFrom('sys_epoch').select(['modules', 'access']).execute()).toEqual([
        { modules: 0, access: 0 },
      ])
    }))

  test('runs only what is new', () =>
    withEmpty(async ({ db }) => {
      expect(await migrateKernel(db, numbers.slice(0, 1))).toEqual(['0001_one'])
      expect(await isMigrated(db, numbers)).toBe(false)
      expect(await migrateKernel(db, numbers)).toEqual(['0002_two'])
      expect((await sql`select * from one`.execute(db)).rows).toEqual([{ n: 1, two: 2 }])
    }))

  test('two processes at once: one does it, the other finds it done', () =>
    withEmpty(async ({ dsn }) => {
      const slow = numbers.map((migration) => ({ ...migration, sql: `${migration.sql} SELECT pg_sleep(0.1);` }))
      const processes = [1, 2, 3].map(() =>
        connectDatabase({ dsn, maxConnections: 1, applicationName: 'migrate-test' }),
      )
      const applied = await Promise.all(processes.map(({ db }) => migrateKernel(db, slow)))
      expect(applied.flat()).toEqual(['0001_one', '0002_two'])
      await Promise.all(processes.map((database) => database.close()))
    }))

  test('a failing migration leaves nothing behind', () =>
    withEmpty(async ({ db }) => {
      const broken = [...numbers, { name: '0003_broken', sql: 'CREATE TABLE three (); SELECT 1 / 0;' }]
      await expect(migrateKernel(db, broken)).rejects.toMatchObject({ code: '22012' })
      expect(await tables(db)).toEqual([])
    }))

  test('refuses a database from a newer version', () =>
    withEmpty(async ({ db }) => {
      await migrateKernel(db, numbers)
      await expect(migrateKernel(db, numbers.slice(0, 1))).rejects.toThrow('newer version: it has migration 0002_two')
      expect(await isMigrated(db, numbers.slice(0, 1))).toBe(false)
    }))

  test('refuses a file that has changed since, but not its line ends', () =>
    withEmpty(async ({ db }) => {
      const [first, second] = numbers as [Migration, Migration]
      await migrateKernel(db, [{ ...first, sql: `${first.sql}\n` }])
      expect(await migrateKernel(db, [{ ...first, sql: `${first.sql}\r\n` }])).toEqual([])
      await expect(migrateKernel(db, [first, second])).rejects.toThrow('0001_one is not the file')
    }))

  test('refuses a migration slipped in before one that ran', () =>
    withEmpty(async ({ db }) => {
      await migrateKernel(db, numbers)
      const [first, second] = numbers as [Migration, Migration]
      const late = [first, { name: '0001_later', sql: 'SELECT 1' }, second]
      await expect(migrateKernel(db, late)).rejects.toThrow('expects 0001_later')
    }))
})

describe('the tables of the kernel', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  test('hold a single epoch', async () => {
    const { db } = database
    await expect(db.insertInto('sys_epoch').defaultValues().execute()).rejects.toMatchObject({ code: '23505' })
    await expect(db.insertInto('sys_epoch').values({ one: false }).execute()).rejects.toMatchObject({ code: '23514' })
  })

  test('stamp outbox rows with their transaction', async () => {
    const { db } = database
    const ids = await db.transaction().execute(async (tx) => {
      await tx.insertInto('sys_outbox').values({ channel: 'a', payload: '{"id":1}' }).execute()
      const rows = await tx.selectFrom('sys_outbox').select(['id', 'payload', 'xid', 'created_at']).execute()
      const { rows: current } = await sql<{ xid: string }>`select pg_current_xact_id() as xid`.execute(tx)
      return { row: rows[0], xid: current[0]?.xid }
    })
    expect(ids.row).toMatchObject({ id: 1, payload: { id: 1 }, xid: ids.xid })
    expect(ids.row?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })
})

describe('svc_fold', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database.drop())

  async function folded(texts: readonly (string | null)[]): Promise<(string | null)[]> {
    const { rows } = await sql<{ folded: string | null }>`
      select svc_fold(t) as folded from unnest(${texts}::text[]) with ordinality as u (t, i) order by i`.execute(
      database.db,
    )
    return rows.map((row) => row.folded)
  }

  test.each([
    ['ABC xyz', 'abc xyz'],
    ['Müller', 'muller'],
    ['Straße STRAẞE', 'strasse strasse'],
    ['Ærøskøbing', 'aeroskobing'],
    ['ŁÓDŹ Œuvre Þór Ðorđe', 'lodz oeuvre thor dorde'],
    ['İstanbul ISPARTA ılık', 'istanbul isparta ilik'],
    ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
    ['ﬁnance Ⅷ ½', 'finance viii 1⁄2'],
    ['O’Brien “x” a–b', 'o\'brien "x" a-b'],
    ['Ｆｕｌｌ', 'full'],
    ['', ''],
    [null, null],
  ])('%j is %j', async (text, expected) => {
    expect(await folded([text])).toEqual([expected])
  })

  test('agrees with the JavaScript twin on every letter of Europe, alone and among others', async () => {
    const letters: string[] = []
    for (let point = 1; point < 0x0590; point++) letters.push(String.fromCodePoint(point))
    for (let point = 0x1e00; point < 0x2070; point++) letters.push(String.fromCodePoint(point))
    const texts = letters.flatMap((letter) => [letter, `Aé${letter}Σ z`])
    expect(await folded(texts)).toEqual(texts.map(fold))
  })

  test('is written into the query, so that an index on it serves', async () => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain (verbose) select from sys_param where svc_fold(key) like ${'%x%'}`.execute(database.db)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('octet_length')
    expect(plan).not.toContain('svc_fold')
  })
})
