import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { baseTemplate } from '../support/base-database.ts'
import { runInProcess } from '../support/cli.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'

let folder: string
let database: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'modulus-populate-'))
  database = await createDatabase(baseTemplate)
  await svc('module install contacts product sale crm project')
  await svc('user create --login boss --password "a horse of another colour" --groups base.group_system')
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

const svc = (line: string) => runInProcess(line, { SVC_DB_DSN: database.dsn, SVC_DATA_DIR: folder })
const query = async (text: string) =>
  (await sql<Record<string, unknown>>`${sql.raw(text)}`.execute(database.db)).rows[0]!

test('svc populate adds records with names, links and dates that differ, and goes on counting the next time', async () => {
  const before = (await query('select count(*)::int as n from core_partner'))['n'] as number
  expect(await svc('populate core.partner --rows 2500 --login boss --json')).toMatchObject({
    code: 0,
    json: { model: 'core.partner', rows: 2_500 },
  })
  expect((await svc('populate core.partner --rows 7 --login boss')).stdout).toMatch(/^Added 7 records in \d+\.\d s\.\n/)
  const made =
    await query(`select count(*)::int as rows, count(distinct name)::int as names, count(distinct email)::int as mails,
    count(distinct country_id)::int > 20 as far, count(distinct create_uid)::int as owners
    from core_partner where email like 'contact%@example.com'`)
  expect(made).toEqual({ rows: 2_507, names: 2_507, mails: 2_507, far: true, owners: 1 })
  expect((await query('select count(*)::int as n from core_partner'))['n']).toBe(before + 2_507)
})

test.each(['product.product', 'sale.order', 'sale.order.line', 'crm.lead', 'project.project', 'project.task'])(
  'svc populate makes valid records of %s',
  async (model) => {
    expect(await svc(`populate ${model} --rows 30 --login boss`)).toMatchObject({ code: 0, stderr: '' })
  },
)

test('svc populate gives no user a record of a foreign company, and links no records of two companies', async () => {
  await openModules(database.db, bundledAddons).asSystem(async (env) => {
    const [boss] = await env.model('core.user').searchRead([['login', '=', 'boss']], ['company_ids'])
    const [currency] = await env.model('core.currency').search([], { limit: 1 })
    const branch = await env.model('core.company').create({ name: 'Branch', currency_id: currency! })
    await env.model('core.user').create({ name: 'Far', login: 'far', company_id: branch, company_ids: [branch] })
    await env.model('core.user').write([boss!.id], { company_ids: [...boss!.company_ids, branch] })
  })
  expect(await svc('populate core.partner --rows 300 --login boss --json')).toMatchObject({ json: { left_out: [] } })
  expect(await svc('populate crm.lead --rows 100 --login boss --json')).toMatchObject({ code: 0 })
  const mixed = await query(`select count(*)::int as n from core_partner as p
    where not exists (select from core_user_company_ids_rel as r where r.source_id = p.user_id and r.target_id = p.company_id)
      and p.company_id is not null and p.user_id is not null`)
  expect(mixed).toEqual({ n: 0 })
  const both = await query(`select count(distinct company_id)::int as companies, count(distinct user_id)::int as users
    from core_partner where email like 'contact%'`)
  expect(both).toEqual({ companies: 2, users: 2 })
  expect(await query(`select count(*)::int as n from crm_lead where partner_id is not null`)).not.toEqual({ n: 0 })
})

test('svc populate leaves out what a check of the model refuses, and says so', async () => {
  const { json } = await svc('populate sale.order.line --rows 5 --login boss --json')
  expect(json).toMatchObject({ rows: 5, left_out: ['display_type', 'uom_id'] })
})

test('svc populate says what it cannot do', async () => {
  expect((await svc('populate core.nothing --rows 5 --login boss')).stderr).toContain('There is no model core.nothing.')
  expect((await svc('populate core.partner --rows many --login boss')).stderr).toContain(
    '--rows must be a number from 1 to 100000000.',
  )
  expect(await svc('populate core.partner --login boss')).toMatchObject({ code: 2 })
  expect(await svc('populate core.partner --rows 5 --login nobody')).toMatchObject({ code: 1 })
})

test('svc populate leaves a table that it has made large with the indexes that its lists need then', async () => {
  await sql`alter table core_partner add column filler text storage plain`.execute(database.db)
  await sql`insert into core_partner (name, filler, active) select 'Partner', repeat('x', 7000), true from generate_series(1, 2000)`.execute(
    database.db,
  )
  const { code, json } = await svc('populate core.partner --rows 1 --login boss --json')
  expect([code, json]).toMatchObject([0, { rows: 1, indexes: expect.arrayContaining([expect.any(String)]) }])
  const { indexes } = json as { indexes: string[] }
  expect(
    await query(`select bool_and(indisvalid) as all, count(*)::int as n from pg_index
    where indexrelid = any ('{${indexes}}'::regclass[])`),
  ).toEqual({ all: true, n: indexes.length })
  expect(await svc('populate core.partner --rows 1 --login boss --json')).toMatchObject({ json: { indexes: [] } })
})
