import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { createSession } from '../../kernel/auth/session.ts'
import { queueMail } from '../../kernel/mail/mail-queue.ts'
import { MOMENTARY_TABLES } from '../../kernel/schema/restored.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { EmbeddedPostgres } from '../../runtime/node/embedded/embedded-postgres.ts'
import { findPgTool } from '../../runtime/node/pg-tools.ts'
import { connectDatabase, type Database } from '../../runtime/postgres/database.ts'
import { buildOnce } from '../support/build-once.ts'
import { PATIENCE_MS, withDatabase } from '../support/database.ts'
import { startDebianPostgres } from '../support/debian-postgres.ts'
import { startLoad } from '../support/ledger.ts'
import { openModules } from '../support/modules.ts'
import { withClient } from '../support/own-postgres.ts'
import { openRpcClient } from '../support/rpc-client.ts'
import { createServiceKey, serviceSettings, startService } from '../support/service.ts'
import { runSvc } from '../support/svc.ts'

let server: EmbeddedPostgres
let folder: string
let file: string
let database: Database

beforeAll(async () => {
  await buildOnce()
  folder = await mkdtemp(join(tmpdir(), 'modulus-backup-'))
  file = join(folder, 'modulus.dump')
  server = await startDebianPostgres()
  database = connect(server.dsn)
})
afterAll(async () => {
  await database?.close()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

const connect = (dsn: string) =>
  connectDatabase({ dsn, maxConnections: 4, applicationName: 'modulus-test', connectWaitMs: PATIENCE_MS })

async function createTarget(name: string): Promise<string> {
  const owner = new URL(server.dsn).username
  await withClient(server.adminDsn, (client) =>
    client.query(`CREATE DATABASE ${name} OWNER "${owner}" TEMPLATE template0`),
  )
  return withDatabase(server.dsn, name)
}

const countOf = async ({ db }: Database, table: string) =>
  Number((await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(db)).rows[0]!.n)

const signedIn = async (url: string, token: string) =>
  (await fetch(`${url}/web/account`, { headers: { cookie: `svc_session=${token}` }, redirect: 'manual' })).status

test('the drill: a backup under load is restored into another database, and served', async () => {
  const service = await startService(server.dsn)
  const key = await createServiceKey(database.db)
  const client = openRpcClient(service.url, key)
  const { services, asSystem } = openModules(database.db, bundledAddons)
  const { token } = await createSession(services, database.db, { userId: 1, ip: null, userAgent: null })
  await asSystem((env) =>
    queueMail(env, { to: { name: 'Ann', address: 'ann@example.com' }, subject: 'Hello', text: 'Hello.' }),
  )
  expect(await signedIn(service.url, token)).toBe(200)
  const load = await startLoad(client, { writers: 3, readers: 1 })
  await expect.poll(() => load.acknowledged).toBeGreaterThan(20)

  const before = load.acknowledged
  const saved = await runSvc(['backup', file, '--json'], serviceSettings(server.dsn))
  expect([saved.code, saved.stderr]).toEqual([0, ''])
  await expect.poll(() => load.acknowledged).toBeGreaterThan(before)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await countOf(database, 'sys_outbox')).toBeGreaterThan(0)
  await load.stop()
  expect(load.contradictions).toEqual([])
  client.close()
  await service.end('SIGTERM')

  const target = await createTarget('restored')
  const restored = await runSvc(['restore', file, '--json'], serviceSettings(target))
  expect([restored.code, restored.stderr, restored.json]).toMatchObject([0, '', { ok: true, held_mails: 1 }])
  const planned = await runSvc(['migrate', '--plan'], serviceSettings(target))
  expect([planned.stdout, planned.stderr]).toEqual(['Everything is up to date.\n', ''])
  const copy = connect(target)
  try {
    for (const table of MOMENTARY_TABLES) expect([table, await countOf(copy, table)]).toEqual([table, 0])
    const { rows: mails } = await sql<{ state: string }>`select state from sys_mail`.execute(copy.db)
    expect(mails).toEqual([{ state: 'unknown' }])
    // Each write gave a partner and its contact the same number and version, in one transaction.
    const { rows: torn } = await sql`
      select a.id from core_partner a join core_partner b on b.parent_id = a.id
      where a.name like 'writer %' and (a.ref is distinct from b.ref or a.version <> b.version)`.execute(copy.db)
    expect(torn).toEqual([])
    const { rows: written } = await sql<{ total: number }>`
      select sum(ref::int)::int as total from core_partner where name like 'writer %' and ref is not null and parent_id is null`.execute(
      copy.db,
    )
    expect(written[0]!.total).toBeGreaterThanOrEqual(before)
    const clock = await sql<{ now: string }>`select clock_timestamp()::text as now`.execute(copy.db)
    const restoredAt = clock.rows[0]!.now
    const again = await startService(target)
    const other = openRpcClient(again.url, key)
    const reply = await other.rpc({ model: 'core.partner', method: 'create', args: [{ name: 'After the restore' }] })
    expect(reply.body).toMatchObject({ ok: true })
    expect(await signedIn(again.url, token)).toBe(303)
    const { rows: replayed } = await sql`select id from sys_outbox where created_at < ${restoredAt}`.execute(copy.db)
    expect(replayed).toEqual([])
    other.close()
    await again.end('SIGTERM')
  } finally {
    await copy.close()
  }

  const twice = await runSvc(['restore', file], serviceSettings(target))
  expect([twice.code, twice.stderr]).toEqual([1, expect.stringContaining('The database is not empty')])
})

test('a restore with another secret says that API keys do not work', async () => {
  const target = await createTarget('other_secret')
  const other = { ...serviceSettings(target), SVC_SECRET_KEY: 'another secret of thirty-two characters' }
  const { code, stderr } = await runSvc(['restore', file], other)
  expect([code, stderr]).toEqual([0, expect.stringContaining('is not the one of this database')])
})

test('a file that is none, and one that is no backup, leave the database empty', async () => {
  const target = await createTarget('untouched')
  const missing = await runSvc(['restore', join(folder, 'nowhere')], serviceSettings(target))
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('nowhere. Check the name.')])
  const wrong = await runSvc(['restore', 'package.json'], serviceSettings(target))
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('pg_restore failed')])
})

const RELEASES = readdirSync('test/node/releases').map((name) => name.replace(/\.dump\.gz$/, ''))

test.each(RELEASES)('a database of release %s is brought up to date, and keeps its records', async (release) => {
  const target = await createTarget(`release_${release.replaceAll('.', '_')}`)
  const dump = join(folder, `${release}.dump`)
  await writeFile(dump, gunzipSync(readFileSync(`test/node/releases/${release}.dump.gz`)))
  const settings = serviceSettings(target)
  expect(await runSvc(['restore', dump], settings)).toMatchObject({ code: 0, stderr: '' })
  const copy = connect(target)
  try {
    const records = async () =>
      Promise.all(
        ['core_partner', 'sale_order', 'crm_lead', 'project_task', 'mail_message'].map((t) => countOf(copy, t)),
      )
    const before = await records()
    expect(Math.min(...before)).toBeGreaterThan(0)
    expect(await runSvc(['migrate', '--plan'], settings)).toMatchObject({ code: 0, stderr: '' })
    expect(await runSvc(['backup', `${dump}.before`], settings)).toMatchObject({ code: 0, stderr: '' })
    expect(await runSvc(['migrate'], settings)).toMatchObject({ code: 0, stderr: '' })
    expect((await runSvc(['migrate', '--plan'], settings)).stdout).toBe('Everything is up to date.\n')
    expect(await records()).toEqual(before)
    const untranslated = await sql`select name from crm_stage where "name@de" is null`.execute(copy.db)
    expect(untranslated.rows).toEqual([])
  } finally {
    await copy.close()
  }
})

test('tools that are older than the server are not used, and the message says what to install', async () => {
  await expect(findPgTool('pg_dump', 999)).rejects.toThrow(
    /pg_dump of PostgreSQL 999 or newer is needed.*postgresql-client-999/,
  )
})

test('a backup is made before an upgrade too, with the program that is to upgrade, and after a newer one has been there', async () => {
  const { db } = database
  const backUp = (name: string) => runSvc(['backup', join(folder, name)], serviceSettings(server.dsn))
  const list = () => runSvc(['user', 'list'], serviceSettings(server.dsn))
  const last = (
    await sql<{ name: string; checksum: string }>`
      delete from sys_migration where name = (select max(name collate "C") from sys_migration) returning name, checksum`.execute(
      db,
    )
  ).rows[0]!
  expect(await list()).toMatchObject({ code: 1, stderr: expect.stringContaining('Run: svc migrate') })
  expect(await backUp('older.dump')).toMatchObject({ code: 0 })
  await db.insertInto('sys_migration').values(last).execute()
  await db.insertInto('sys_migration').values({ name: '9999_future', checksum: 'x' }).execute()
  expect(await list()).toMatchObject({ code: 1, stderr: expect.stringContaining('from a newer version') })
  expect(await backUp('newer.dump')).toMatchObject({ code: 0 })
  await db.deleteFrom('sys_migration').where('name', '=', '9999_future').execute()
})
