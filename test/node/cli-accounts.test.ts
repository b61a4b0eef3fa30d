import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { METHODS } from '../../kernel/rpc/methods.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { kernelMigrations } from '../../migrations/index.ts'
import { baseTemplate } from '../support/base-database.ts'
import { runInProcess } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

/** Users and API keys on the command line. */

let folder: string
let database: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modulus-accounts-'))
  database = await createDatabase(baseTemplate)
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const PASSWORD = 'a horse of another colour'

const svc = (line: string) => runInProcess(line, { SVC_DB_DSN: database.dsn, SVC_DATA_DIR: folder })

test('a user joins one company by its name, or all of them', async () => {
  await svc(`user create --login finn --password "${PASSWORD}"`)
  await sql`insert into core_company (name, partner_id, currency_id) select 'Branch', partner_id, currency_id from core_company`.execute(
    database.db,
  )
  expect(await svc('user companies --login finn --company Nowhere')).toMatchObject({ code: 1 })
  expect(await svc('user companies --login finn --company Branch')).toMatchObject({ code: 0 })
  expect((await svc('user companies --login finn --json')).json).toMatchObject({ company_ids: [1, 2] })
  const { rows } = await sql`select target_id from core_user_company_ids_rel r join core_user u on u.id = r.source_id
    where u.login = 'finn'`.execute(database.db)
  expect(rows).toHaveLength(2)
})

describe('a login', () => {
  beforeAll(() => svc(`user create --login bob --password "${PASSWORD}"`))

  test.each(['bob ', ' BOB', 'Bo\u200bb', 'b\uff4fb\u00a0'])('%j is the one of bob', async (login) => {
    const { code, stderr } = await svc(`user create --login "${login}" --password "${PASSWORD}"`)
    expect([code, stderr]).toEqual([1, 'svc: login: Another user already has this login.\n'])
    const renewed = await svc(`user password --login "${login}" --password "${PASSWORD}"`)
    expect(renewed).toMatchObject({ code: 0, stdout: 'The password of bob is changed.\n' })
    const { json } = await svc(`key create --login "${login}" --name x --json`)
    expect(json).toMatchObject({ ok: true, login: 'bob' })
  })

  test('keeps no blanks around it, and is not blank', async () => {
    const { json } = await svc(`user create --login " Carl " --password "${PASSWORD}" --json`)
    expect(json).toMatchObject({ ok: true, login: 'Carl' })
    expect(await svc(`user create --login "\u200b" --name x --password "${PASSWORD}"`)).toMatchObject({
      code: 1,
      stderr: 'svc: login: Must not be blank.\n',
    })
  })

  test('that was compared with its blanks before is compared without them after the migration', async () => {
    const { sql: text } = kernelMigrations.find(({ name }) => name === '0006_login_key')!
    const keys = async () => {
      const { rows } = await sql<{ key: string }>`select login_key as key from core_user
        where login_key like '%dora%' or login_key like '%bob%' order by id`.execute(database.db)
      return rows.map(({ key }) => key)
    }
    for (const login of ['dora', 'other']) await svc(`user create --login ${login} --password "${PASSWORD}"`)
    await sql`update core_user set login_key = ' dora ' where login = 'dora'`.execute(database.db)
    await sql`update core_user set login_key = 'bob ' where login = 'other'`.execute(database.db)
    await sql.raw(text).execute(database.db)
    expect(await keys()).toEqual(['bob', 'dora', 'bob '])
  })
})

describe('the scope of a key', () => {
  beforeAll(() => svc(`user create --login anna --password "${PASSWORD}"`))

  const create = (scope: unknown) => svc(`key create --login anna --name x --scope ${JSON.stringify(scope)}`)

  test('names models and methods that exist', async () => {
    expect(await create({ models: { 'core.partnr': ['read'] } })).toMatchObject({
      code: 1,
      stderr: 'svc: scope: There is no model core.partnr in this installation.\n',
    })
    expect(await create({ models: { 'core.partner': ['raed'] } })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^svc: scope: There is no method raed; a scope names search, .*unlink_many.*\n$/),
    })
  })

  test('may name every method, every model at once and the figures', async () => {
    const methods = [...METHODS.keys(), 'explain', '*']
    expect(await create({ models: { 'core.partner': methods, '*': methods, metrics: ['read'] } })).toMatchObject({
      code: 0,
    })
  })
})

describe('another secret than the one of the database', () => {
  const other = { SVC_SECRET_KEY: 'x'.repeat(40) }
  const told = 'is not the one of this database: its API keys, open forms and page links do not work.'
  const run = (line: string, settings = {}) =>
    runInProcess(line, { SVC_DB_DSN: database.dsn, SVC_DATA_DIR: folder, ...settings })

  test('is reported by every command and refused by those that create keys, until no key depends on the old one', async () => {
    await svc(`user create --login eve --password "${PASSWORD}"`)
    expect(await svc('key create --login eve --name x')).toMatchObject({ code: 0, stderr: '' })
    expect(await run('user list', other)).toMatchObject({ code: 0, stderr: expect.stringContaining(told) })
    expect(await run('key create --login eve --name y', other)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`svc: The secret (secret_key, or the file secret_key in data_dir) ${told}`),
    })
    expect(await svc('user list')).toMatchObject({ code: 0, stderr: '' })
    const { keys } = (await svc('key list --json')).json
    for (const { id } of keys) await run(`key revoke ${id}`, other)
    expect(await run('key create --login eve --name y', other)).toMatchObject({ code: 0, stderr: '' })
    expect(await svc('user list')).toMatchObject({ code: 0, stderr: expect.stringContaining(told) })
  })
})
