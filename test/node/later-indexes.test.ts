import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { createServiceKey, type Service, serviceSettings, startService } from '../support/service.ts'
import { runSvc } from '../support/svc.ts'
import { withoutTimeLimit } from '../support/without-time-limit.ts'

let database: TestDatabase
let service: Service | undefined
let key: string

const INDEX = 'core_partner_parent_id_idx'

beforeAll(async () => {
  await buildOnce()
  database = await createDatabase(baseTemplate)
  key = await createServiceKey(database.db)
  // More than 32 MB; a column that nothing declares is left alone.
  await sql`alter table core_partner add column filler text`.execute(database.db)
  await withoutTimeLimit(
    database.db,
    sql`insert into core_partner (name, filler) select 'Partner', repeat(md5(n::text), 30) from generate_series(1, 40000) n`,
  )
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await database?.drop()
})

/** Whether it is complete; undefined: there is none. */
async function isValid(): Promise<boolean | undefined> {
  const { rows } = await sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = to_regclass(${INDEX})`.execute(database.db)
  return rows[0]?.valid
}

const builders = async () =>
  (
    await sql`select from pg_stat_activity where datname = current_database()
      and application_name like 'modulus indexes %'`.execute(database.db)
  ).rows.length

const dropIndex = () => sql`drop index ${sql.table(INDEX)}`.execute(database.db)

const create = async (name: string) => {
  const response = await fetch(`${service!.url}/api/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ model: 'core.partner', method: 'create', args: [{ name }] }),
  })
  return (await response.json()).ok
}

/** Starts a service while a transaction has written to the table: a build waits for its end, which comes when `work` is done. */
async function whileBuilding(work: (started: Service) => Promise<void>): Promise<void> {
  await dropIndex()
  await database.db.connection().execute(async (session) => {
    await sql`begin`.execute(session)
    await sql`update core_partner set name = name where id = 1`.execute(session)
    service = await startService(database.dsn)
    await expect.poll(isValid).toBe(false)
    await work(service)
    await sql`rollback`.execute(session)
  })
}

test('a large table stays writable while an index of it is built, and one that was interrupted is built by the next start', async () => {
  await whileBuilding(async (started) => {
    expect(await create('written meanwhile')).toBe(true)
    await started.end('SIGKILL')
    await expect.poll(builders).toBe(0)
  })
  expect(await isValid()).toBe(false)
  service = await startService(database.dsn)
  await expect.poll(isValid).toBe(true)
  await expect.poll(() => service!.log()).toContain(`index ${INDEX} built`)
})

test('a stop does not wait for an index', async () => {
  await service!.end('SIGTERM')
  await whileBuilding(async (started) => {
    expect(await started.end('SIGTERM')).toMatchObject({ code: 0 })
  })
})

test('a command builds it before it ends, and shows it in its plan', async () => {
  const settings = serviceSettings(database.dsn)
  const plan = await runSvc(['migrate', '--plan'], settings)
  expect(plan.stdout).toContain(`create index core_partner.${INDEX}`)
  const { stdout } = await runSvc(['migrate'], settings)
  expect(stdout).toContain(`index ${INDEX}`)
  expect(await isValid()).toBe(true)
  expect((await runSvc(['migrate', '--plan'], settings)).stdout).toContain('Everything is up to date.')
})
