import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type GroupQuery, type GroupQueryOptions, groupPage } from '../../kernel/orm/group/group.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { pick as pickOf, randomOf } from '../support/seeded-random.ts'
import { shopEnv, shopRegistry } from '../support/shop.ts'
import { storeRows } from './domain-engines.ts'
import { measure, refusal } from './shop-orders.ts'

let database: TestDatabase

const STATES = ['draft', 'sent', 'done', null]

beforeAll(async () => {
  database = await createDatabase()
  const random = randomOf(7)
  const pick = <T>(values: readonly T[]): T => pickOf(random, values)
  const orders = Array.from({ length: 400 }, (_, index) => ({
    id: index + 1,
    name: `o${index}`,
    state: pick(STATES),
    partner_id: pick([1, 2, 3, null]),
    tag_ids: pick([[], [1], [1, 2], [2]]),
    at: pick([null, `2026-0${1 + Math.floor(random() * 6)}-${10 + Math.floor(random() * 18)}T22:40:00.000Z`]),
    amount: pick([null, 1.5, 10, 22.25]),
    company: 1,
    active: true,
  }))
  await storeRows(database.db, {
    registry: shopRegistry,
    rows: {
      'shop.tag': [
        { id: 1, name: 'blue', rank: 1 },
        { id: 2, name: 'red', rank: 2 },
      ],
      'shop.partner': ['Zoe', 'Abe', 'Bea'].map((name, index) => ({ id: index + 1, name, level: 1, company: 1 })),
      'shop.order': orders,
    },
  })
})
afterAll(() => database.drop())
beforeEach(() => {
  database.statements.length = 0
})

const page = (spec: Partial<GroupQuery>, options: GroupQueryOptions = {}) =>
  groupPage(
    shopEnv(database.db, { tz: 'Europe/Berlin' }),
    shopRegistry.model('shop.order')!,
    { domain: [], groupby: [], fields: [], ...spec },
    options,
  )

const MEASURES = [
  measure('total', 'amount', 'sum'),
  measure('mean', 'amount', 'avg'),
  measure('partners', 'partner_id', 'count_distinct'),
]

const GROUPBY = ['state', 'partner_id', 'at:month']
const SETS = [[], ['at:month'], ['state'], ['state', 'at:month'], ['state', 'partner_id'], GROUPBY]

/** The same figures of one set, from a statement of its own that knows nothing of the kernel. */
async function independent(set: readonly string[]): Promise<unknown[]> {
  const month = sql`to_char(date_trunc('month', at at time zone 'Europe/Berlin'), 'YYYY-MM-DD')`
  const column = (item: string) => (item === 'at:month' ? month : sql.id(item))
  const keys = set.map((item, index) => sql`${column(item)} as ${sql.id(`k${index}`)}`)
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join([
      ...keys,
      sql`sum(amount)::float8 as total`,
      sql`avg(amount)::float8 as mean`,
      sql`count(distinct partner_id)::int as partners`,
      sql`count(*)::int as n`,
    ])}
    from shop_order ${set.length === 0 ? sql`` : sql`group by ${sql.join(set.map((_, index) => sql.id(`k${index}`)))}`}`.execute(
    database.db,
  )
  return rows.map((row) => [...set.map((_, index) => row[`k${index}`] ?? null), ...figures(row, 'n')])
}

const round = (value: unknown) => (value === null ? null : Math.round(Number(value) * 1e6) / 1e6)
const figures = (row: Record<string, unknown>, count: string) => [
  round(row['total']),
  round(row['mean']),
  Number(row['partners']),
  Number(row[count]),
]
const keyOf = (value: unknown) => (Array.isArray(value) ? value[0] : value)
const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted()

describe('sets', () => {
  test('sums, averages and distinct counts of every level come from one statement and equal those of separate ones', async () => {
    const { rows, isCut } = await page({ groupby: GROUPBY, fields: MEASURES, sets: SETS })
    expect(isCut).toBe(false)
    expect(database.statements).toHaveLength(1)
    for (const [index, set] of SETS.entries()) {
      const own = rows.filter((row) => row['__set'] === index)
      const found = own.map((row) => [...set.map((item) => keyOf(row[item])), ...figures(row, '__count')])
      expect(sorted(found)).toEqual(sorted(await independent(set)))
    }
  })

  test('a row has the items of its set only, and a domain that finds its records', async () => {
    const { rows } = await page({ groupby: GROUPBY, sets: [['state', 'at:month'], []] })
    expect(rows.map((row) => row['__set'])).toEqual([...rows.slice(1).map(() => 0), 1])
    const [first] = rows
    expect(Object.keys(first!)).toEqual(['state', 'at:month', '__count', '__domain', '__range', '__set'])
    const again = await page({ domain: first!['__domain'] })
    expect(again.rows[0]!['__count']).toBe(first!['__count'])
    expect(rows.at(-1)).toEqual({ __count: 400, __domain: [], __set: 1 })
  })

  test('sets come in the order asked, and inside one in the order of the groups or as asked', async () => {
    const { rows } = await page({ groupby: ['state', 'paid'], sets: [['state'], []] }, { order: '__count desc' })
    const counts = rows.filter((row) => row['__set'] === 0).map((row) => Number(row['__count']))
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    expect(rows.at(-1)!['__set']).toBe(1)
    const plain = await page({ groupby: ['state'], sets: [['state']] })
    expect(plain.rows.map((row) => row['state'])).toEqual(STATES)
  })

  test('without distinct counts, sets are made of the groups of all items, with the same figures', async () => {
    const fields = [
      ...MEASURES.filter(({ name }) => name !== 'partners'),
      measure('least', 'amount', 'min'),
      measure('most', 'amount', 'max'),
      measure('priced', 'amount', 'count'),
      measure('tags', 'tag_ids', 'count'),
    ]
    const { rows } = await page({ groupby: GROUPBY, fields, sets: SETS })
    expect(database.statements[0]).toMatch(
      /from \(select .* group by "keys"."key:0", "keys"."key:1", "keys"."key:2"\)/s,
    )
    for (const [index, set] of SETS.entries()) {
      const own = rows.filter((row) => row['__set'] === index).map(({ __set, ...row }) => row)
      // One set at a time is grouped from the records.
      const { rows: alone } = await page({ groupby: set, fields })
      expect(own).toEqual(alone)
    }
  })

  test('the total is there over no records, a set of groups is not', async () => {
    const nobody = { domain: [['name', '=', 'nobody']], groupby: ['state'], sets: [[], ['state']] }
    const none = { __count: 0, __domain: [], __set: 0 }
    expect((await page(nobody)).rows).toEqual([none])
    const { rows } = await page({ ...nobody, fields: MEASURES })
    expect(rows).toEqual([{ ...none, total: null, mean: null, partners: 0 }])
    const fields = [...MEASURES.slice(0, 2), measure('priced', 'amount', 'count')]
    expect((await page({ ...nobody, fields })).rows).toEqual([{ ...none, total: null, mean: null, priced: 0 }])
  })

  test('a record with several tags counts in each of them, and once in totals and in sets without tags', async () => {
    const groupby = ['tag_ids', 'state']
    const { rows } = await page({ groupby, fields: MEASURES, sets: [[], ['tag_ids'], ['state'], groupby] })
    expect(database.statements).toHaveLength(1)
    const of = (set: number) => rows.filter((row) => row['__set'] === set)
    expect(of(0)).toMatchObject([{ __count: 400 }])
    expect(sorted(of(2).map((row) => [row['state'], ...figures(row, '__count')]))).toEqual(
      sorted(await independent(['state'])),
    )
    const { relation } = shopRegistry.model('shop.order')!.fields.get('tag_ids')!
    if (relation?.kind !== 'many2many') throw new Error('tag_ids links nothing')
    const { table, left, right } = relation
    const { rows: tagged } = await sql<{ tag: number | null; n: number }>`
      select l.tag, count(*)::int as n from shop_order o
      left join (select ${sql.id(left)} as id, ${sql.id(right)} as tag from ${sql.table(table)}) l on l.id = o.id
      group by 1 order by (select -rank from shop_tag where id = l.tag)`.execute(database.db)
    expect(of(1).map((row) => [keyOf(row['tag_ids']), row['__count']])).toEqual(tagged.map(({ tag, n }) => [tag, n]))
  })

  test('a page says whether there are more groups', async () => {
    const spec = { groupby: ['state'], sets: [[], ['state']] }
    expect(await page(spec, { limit: 3 })).toMatchObject({ isCut: true, rows: { length: 3 } })
    expect(await page(spec, { limit: 5 })).toMatchObject({ isCut: false, rows: { length: 5 } })
    expect(await page(spec, { limit: 3, offset: 3 })).toMatchObject({ isCut: false, rows: { length: 2 } })
  })

  test.each([
    ['a set with an item that is not grouped by', { groupby: ['state'], sets: [['paid']] }],
    [
      'the same set twice',
      {
        groupby: ['state', 'paid'],
        sets: [
          ['state', 'paid'],
          ['paid', 'state'],
        ],
      },
    ],
    [
      'too many measures for so many sets',
      {
        groupby: ['state', 'paid'],
        sets: [[], ['state'], ['paid']],
        fields: Array.from({ length: 200 }, (_, i) => ({ name: `m${i}`, field: 'amount', measure: 'sum' as const })),
      },
    ],
    ['too many sets', { groupby: ['state'], sets: Array.from({ length: 33 }, () => ['state']) }],
  ])('%s is refused', async (_name, spec) => {
    await expect(page(spec)).rejects.toEqual(refusal('BAD_REQUEST'))
    expect(database.statements).toEqual([])
  })
})
