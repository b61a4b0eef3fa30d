import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { countRecords, searchIds } from '../../kernel/orm/record/search.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { buildLaterIndexes } from '../../kernel/schema/later-indexes.ts'
import { planSync } from '../../kernel/schema/sync.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { textSearchDomain } from '../../kernel/workspace/text-search.ts'
import { openPeople, type People } from '../support/people.ts'
import { withoutTimeLimit } from '../support/without-time-limit.ts'

/** More than are named by their ids. */
const MANY = 250
/** With a kilobyte each, more than a table may have that is read through. */
const ROWS = 12_000
const COLUMNS = ['name', 'function', 'parent_id', 'email', 'phone', 'city', 'country_id', 'tag_ids', 'user_id']

let people: People
beforeAll(async () => {
  people = await openPeople()
  await people.hire('clerk')
  await people.asSystem(async (env) => {
    const partner = env.model('core.partner')
    const tag = await env.model('core.tag').create({ name: 'Lighthouse' })
    const [currency_id] = await env.model('core.currency').search([], { limit: 1 })
    const hidden = await env.model('core.company').create({ name: 'Elsewhere', currency_id: currency_id! })
    const parent = await partner.create({ name: 'Quartz Mills', is_company: true })
    const secret = await partner.create({ name: 'Undisclosed', company_id: hidden })
    const gone = await partner.create({ name: 'Closed Works', active: false })
    await partner.createMany([
      { name: 'Ada', parent_id: parent },
      { name: 'Ben of Quartz' },
      { name: 'Cleo', tag_ids: [[6, 0, [tag]]] },
      { name: 'Dan', parent_id: secret },
      { name: 'Eve', parent_id: gone },
    ])
    const firms = await partner.createMany(Array.from({ length: MANY }, (_, i) => ({ name: `Harbour ${i}` })))
    await partner.createMany(firms.slice(0, 3).map((parent_id, i) => ({ name: `Sailor ${i}`, parent_id })))
  })
})
afterAll(() => people.leave())

const asClerk = <T>(work: (env: Env) => Promise<T>) => people.as('clerk', work)

const found = (q: string) =>
  asClerk(async (env) => {
    const model = modelOf(env, 'core.partner')
    const domain = textSearchDomain(env, model, COLUMNS, q)
    const ids = await searchIds(env, model, { domain, order: 'id' })
    expect(await countRecords(env, model, { domain })).toBe(ids.length)
    return env.model('core.partner').read(ids, ['name'])
  }).then((records) => records.map(({ name }) => name))

test('a text is found in the record itself, in the names of linked records and of tags', async () => {
  expect(await found('quartz')).toEqual(['Quartz Mills', 'Ada', 'Ben of Quartz'])
  expect(await found('lighthouse')).toEqual(['Cleo'])
  expect(await found('nobody at all')).toEqual([])
})

test('more linked records than can be named are found, too', async () => {
  const names = await found('harbour')
  expect(names).toHaveLength(MANY + 3)
  expect(names.slice(-3)).toEqual(['Sailor 0', 'Sailor 1', 'Sailor 2'])
})

test('the name of an archived record is found, that of a record the user may not read is not', async () => {
  expect(await found('closed works')).toEqual(['Eve'])
  expect(await found('undisclosed')).toEqual([])
})

test('a search for names that do not contain a text finds all other records', async () => {
  const count = (domain: unknown) => asClerk((env) => countRecords(env, modelOf(env, 'core.partner'), { domain }))
  const either = ['|', ['name', 'ilike', 'quartz'], ['parent_id', 'ilike', 'quartz']]
  expect(await count(['!', ...either])).toBe((await count([])) - (await count(either)))
})

test('in a large table a text in any column of a list is looked up in indexes', async () => {
  const { db } = people.database
  await sql`alter table core_partner add column filler text`.execute(db)
  await withoutTimeLimit(
    db,
    sql`insert into core_partner (name, email, phone, city, active, filler)
      select 'Partner ' || n, 'p' || n || '@example.com', '+49 30 ' || n, 'City ' || n, true, repeat(md5(n::text), 30)
      from generate_series(1, ${ROWS}) n`,
  )
  const { registry } = await people.modules.holder.latest()
  const built = await buildLaterIndexes(db, registry, () => ['city', 'country_id', 'tag_ids'])
  expect(built).toContain('core_partner_shown_texts_trgm')
  // Its columns are sorted without an index, its links are not.
  expect(built.filter((name) => name.endsWith('_sort'))).toEqual(['core_partner_country_id_sort'])
  expect((await planSync(db, registry)).later).toEqual([])
  for (const q of ['City 9876', '+49 30 7182', 'p6180@']) {
    const rows = await asClerk(async (env) => {
      const model = modelOf(env, 'core.partner')
      const before = await readRows(env)
      expect(await searchIds(env, model, { domain: textSearchDomain(env, model, COLUMNS, q) })).toHaveLength(1)
      return (await readRows(env)) - before
    })
    expect(rows, q).toBeLessThan(100)
  }
})

/** Rows of partners that the transaction has read one after the other. */
async function readRows({ tx }: Env): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select coalesce(seq_tup_read, 0)::int as read from pg_stat_xact_user_tables where relname = 'core_partner'`.execute(
    tx,
  )
  return rows[0]?.read ?? 0
}
