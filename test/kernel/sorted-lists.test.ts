import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { type SearchQuery, search } from '../../kernel/orm/record/search.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { buildLaterIndexes } from '../../kernel/schema/later-indexes.ts'
import type { ListedFields } from '../../kernel/schema/spec.ts'
import { planSync } from '../../kernel/schema/sync.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { listedFields } from '../../kernel/view/listed-fields.ts'
import { openPeople, type People } from '../support/people.ts'

/** With three kilobytes each, more than a table may have that is sorted for one page. */
const ROWS = 12_000
const PAGE = 40
/** Rows that a page may read: its own, and some that it leaves out. */
const FEW = 4 * PAGE

let people: People
let listed: ListedFields
let built: readonly string[]

const registry = async () => (await people.modules.holder.latest()).registry
const build = async () => buildLaterIndexes(people.database.db, await registry(), listed)

beforeAll(async () => {
  people = await openPeople()
  await people.hire('clerk')
  const tables = await (await people.modules.holder.latest()).views()
  listed = (model) => listedFields(tables, model)
})
afterAll(() => people.leave())

/** Every tenth has no city. */
async function fill(): Promise<void> {
  const { db } = people.database
  await sql`alter table core_partner add column filler text storage plain`.execute(db)
  await sql`insert into core_partner (name, email, city, country_id, website, active, filler, create_date)
    select 'Partner ' || n, 'p' || n || '@example.com', case when n % 10 > 0 then 'City ' || n % 300 end,
      (select min(id) from core_country) + n % 30, 'https://example.com/' || n, true, repeat(md5(n::text), 90), now() - n * interval '1 min'
    from generate_series(1, ${ROWS}) n`.execute(db)
}

test('a small table has no indexes of its lists', async () => {
  expect(await build()).toEqual([])
})

describe('in a large table', () => {
  beforeAll(async () => {
    await fill()
    built = await build()
  })

  test('every column of a list has an index, the default order the one it has anyway', async () => {
    const model = (await registry()).model('core.partner')!
    expect(listed(model)).toEqual(expect.arrayContaining(['name', 'city', 'country_id', 'vat']))
    expect(built).toEqual(expect.arrayContaining(['core_partner_city_sort', 'core_partner_country_id_sort']))
    expect(built).not.toContain('core_partner_name_sort')
    expect(built).not.toContain('core_partner_website_sort')
    expect(built.filter((name) => name.endsWith('_sort'))).toHaveLength(8)
    expect((await planSync(people.database.db, await registry(), listed)).later).toEqual([])
  })

  test.each(['name', 'city', 'email'])('pages by %s read few rows, both ways, first and next', async (field) => {
    for (const user of ['clerk', 'admin'])
      for (const order of [field, `${field} desc`]) {
        const first = await page(user, order)
        expect(first.rows, `${user}: ${order}`).toBeLessThan(FEW)
        const middle = await page(user, order, { offset: ROWS / 2 })
        const next = await page(user, order, { cursor: middle.cursor! })
        expect(next.rows, `${user}: ${order}, next`).toBeLessThan(FEW)
        const beyond = await page(user, order, { offset: ROWS / 2 + PAGE })
        expect(next.ids, `${user}: ${order}, next`).toEqual(beyond.ids)
      }
  })

  test('a page with a filter and one with a text in any column are found without reading the table', async () => {
    const one = [['email', 'ilike', 'p4711@']]
    expect(await page('clerk', 'city desc', { domain: one })).toMatchObject({ ids: [expect.any(Number)] })
    expect((await page('clerk', 'city desc', { domain: one })).rows).toBeLessThan(FEW)
    expect((await page('clerk', 'city', { domain: [['country_id', '!=', null]] })).rows).toBeLessThan(FEW)
  })

  test.each(['city', 'city desc'])(
    'pages by %s go on from records with a value to those without one',
    async (order) => {
      const WITHOUT = ROWS / 10
      const ends = order === 'city' ? ROWS - WITHOUT : WITHOUT
      const before = await page('clerk', order, { offset: ends - PAGE - 20 })
      const next = await page('clerk', order, { cursor: before.cursor! })
      expect(next.ids).toHaveLength(PAGE)
      expect(next.ids).toEqual((await page('clerk', order, { offset: ends - 20 })).ids)
      expect(next.rows).toBeLessThan(FEW)
    },
  )

  test('an index of a column that no list shows any more is dropped, by whoever knows the lists alone', async () => {
    const { db } = people.database
    const without: ListedFields = (model) =>
      listed(model).filter((name) => !['city', 'vat', 'company_id'].includes(name))
    expect((await planSync(db, await registry())).steps).toEqual([])
    const { later } = await planSync(db, await registry(), without)
    expect(later).toMatchObject([{ kind: 'drop index', target: 'core_partner_city_sort', lock: 'none' }])
    expect(await buildLaterIndexes(db, await registry(), without)).toEqual([])
    expect(await build()).toEqual(['core_partner_city_sort'])
  })
})

interface Page {
  readonly ids: readonly number[]
  readonly cursor: string | null
  /** Rows of partners that were read for it. */
  readonly rows: number
}

type Asked = Pick<SearchQuery, 'cursor' | 'offset'> & { readonly domain?: unknown }

const page = (login: string, order: string, { domain = [], ...asked }: Asked = {}): Promise<Page> =>
  people.as(login, async (env) => {
    const before = await readRows(env)
    const found = await search(env, modelOf(env, 'core.partner'), {
      domain,
      fields: ['name', 'city'],
      order,
      limit: PAGE,
      ...asked,
    })
    const rows = (await readRows(env)) - before
    return { ids: found.records.map(({ id }) => id as number), cursor: found.nextCursor, rows }
  })

async function readRows({ tx }: Env): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read
    from pg_stat_xact_user_tables where relname = 'core_partner'`.execute(tx)
  return rows[0]?.read ?? 0
}
