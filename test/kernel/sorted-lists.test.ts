import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ListedFields } from '../../kernel/schema/spec.ts'
import { planSync } from '../../kernel/schema/sync.ts'
import { addPartners, buildIndexes, listedOf, MANY_PARTNERS, PAGE, pageOfPartners } from '../support/large-partners.ts'
import { openPeople, type People } from '../support/people.ts'

/** Rows that a page may read: its own, and some that it leaves out. */
const FEW = 4 * PAGE

let people: People
let listed: ListedFields
let built: readonly string[]

const registry = async () => (await people.modules.holder.latest()).registry
const page = (login: string, order: string, asked = {}) => pageOfPartners(people, login, order, asked)

beforeAll(async () => {
  people = await openPeople()
  await people.hire('clerk')
  listed = await listedOf(people)
})
afterAll(() => people.leave())

test('a small table has no indexes of its lists', async () => {
  expect(await buildIndexes(people)).toEqual([])
})

describe('in a large table', () => {
  beforeAll(async () => {
    await addPartners(people)
    built = await buildIndexes(people)
  })

  test('every column of a list has an index, the default order the one it has anyway', async () => {
    const model = (await registry()).model('core.partner')!
    expect(listed(model)).toEqual(expect.arrayContaining(['name', 'city', 'country_id', 'vat']))
    expect(built).toEqual(expect.arrayContaining(['core_partner_city_sort', 'core_partner_country_id_sort']))
    expect(built).not.toContain('core_partner_name_sort')
    expect(built).not.toContain('core_partner_website_sort')
    expect(built.filter((name) => name.endsWith('_sort'))).toHaveLength(9)
    expect(built).not.toContain('core_partner_parent_id_sort')
    expect((await planSync(people.database.db, await registry(), listed)).later).toEqual([])
  })

  test.each(['name', 'city', 'email'])('pages by %s read few rows, both ways, first and next', async (field) => {
    for (const user of ['clerk', 'admin'])
      for (const order of [field, `${field} desc`]) {
        const first = await page(user, order)
        expect(first.rows, `${user}: ${order}`).toBeLessThan(FEW)
        const middle = await page(user, order, { offset: MANY_PARTNERS / 2 })
        const next = await page(user, order, { cursor: middle.cursor! })
        expect(next.rows, `${user}: ${order}, next`).toBeLessThan(FEW)
        const beyond = await page(user, order, { offset: MANY_PARTNERS / 2 + PAGE })
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
      const WITHOUT = MANY_PARTNERS / 10
      const ends = order === 'city' ? MANY_PARTNERS - WITHOUT : WITHOUT
      const before = await page('clerk', order, { offset: ends - PAGE - 20 })
      const next = await page('clerk', order, { cursor: before.cursor! })
      expect(next.ids).toHaveLength(PAGE)
      expect(next.ids).toEqual((await page('clerk', order, { offset: ends - 20 })).ids)
      expect(next.rows).toBeLessThan(FEW)
    },
  )

  test('an index of a column that no list shows any more is dropped only by code that knows the lists', async () => {
    const { db } = people.database
    const without: ListedFields = (model) => listed(model).filter((name) => name !== 'city')
    expect((await planSync(db, await registry())).steps).toEqual([])
    const { later } = await planSync(db, await registry(), without)
    expect(later).toMatchObject([{ kind: 'drop index', target: 'core_partner_city_sort', lock: 'none' }])
    expect(await buildIndexes(people, without)).toEqual([])
    expect(await buildIndexes(people)).toEqual(['core_partner_city_sort'])
  })
})
