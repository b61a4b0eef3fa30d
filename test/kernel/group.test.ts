import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { type GroupOptions, type GroupRow, type GroupSpec, readGroup } from '../../kernel/orm/group.ts'
import { countRecords, searchIds } from '../../kernel/orm/search.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import {
  accessLine,
  accessTables,
  allLines,
  GROUPS,
  principal,
  recordRule,
  shopEnv,
  shopRegistry,
} from '../support/shop.ts'
import { storeRows } from './domain-engines.ts'

const orders = shopRegistry.model('shop.order')!

const ROWS = {
  'shop.country': [
    { id: 1, name: 'Norway', rank: 1 },
    { id: 2, name: 'Chile', rank: 2 },
  ],
  'shop.tag': [
    { id: 1, name: 'blue', rank: 1 },
    { id: 2, name: 'red', rank: 3 },
    { id: 3, name: 'green', rank: 2 },
  ],
  'shop.stage': [
    { id: 1, name: 'Won', rank: 3, active: true },
    { id: 2, name: 'New', rank: 1, active: true },
    { id: 3, name: 'Open', rank: 2, active: true },
    { id: 4, name: 'Old', rank: 4, active: false },
  ],
  'shop.partner': [
    {
      id: 1,
      name: 'Zoe',
      level: 2,
      country_id: 1,
      vip: true,
      company: 1,
      credit: 5,
      tag_ids: [1],
      since: '2020-01-01',
    },
    { id: 2, name: 'Abe', level: 1, country_id: 2, company: 1, credit: 7, tag_ids: [2, 3] },
    { id: 3, name: 'Bea', level: 2, company: 2, credit: 9 },
  ],
  'shop.order': [
    {
      ...{
        id: 1,
        name: 'a',
        state: 'done',
        partner_id: 1,
        tag_ids: [1, 2],
        day: '2026-01-31',
        quantity: 3,
        paid: true,
      },
      ...{ at: '2026-01-31T23:30:00.000Z', amount: 0.1, stage_id: 1, company: 1, active: true, weight: 1.5, cost: 1 },
    },
    {
      ...{ id: 2, name: 'b', state: 'draft', partner_id: 1, tag_ids: [2], day: '2026-02-01', quantity: 5, paid: false },
      ...{ at: '2026-02-01T10:15:00.000Z', amount: 0.2, stage_id: 3, company: 1, active: true, cost: 2 },
    },
    {
      ...{
        id: 3,
        name: 'c',
        state: 'sent',
        partner_id: 2,
        tag_ids: [],
        day: '2026-02-28',
        quantity: null,
        paid: false,
      },
      ...{ at: '2026-10-25T00:30:00.000Z', amount: 7, company: 2, active: true, weight: 2, cost: 3 },
    },
    {
      ...{ id: 4, name: 'd', state: null, partner_id: 3, tag_ids: [3], day: null, quantity: 5, paid: true },
      ...{ at: '2026-10-25T01:30:00.000Z', amount: null, company: 1, active: true, cost: 4 },
    },
    {
      ...{ id: 5, name: null, state: 'draft', partner_id: null, tag_ids: [], day: '2025-12-29', quantity: 1 },
      ...{ at: null, amount: 1, company: 1, active: true, cost: 5 },
    },
    { id: 6, name: 'f', state: 'done', partner_id: 2, tag_ids: [], amount: 100, company: 1, active: false },
  ],
  'shop.line': [
    { id: 1, name: 'x', order_id: 1 },
    { id: 2, name: 'y', order_id: 1 },
    { id: 3, name: 'z', order_id: 2 },
  ],
}

let database: TestDatabase
let env: Env

beforeAll(async () => {
  database = await createDatabase()
  await storeRows(database.db, { registry: shopRegistry, rows: ROWS })
})
afterAll(() => database.drop())
beforeEach(() => {
  env = shopEnv(database.db)
  database.statements.length = 0
})

const group = (spec: Partial<GroupSpec>, options: GroupOptions = {}, as = env): Promise<GroupRow[]> =>
  readGroup(as, orders, { domain: [], groupby: [], fields: [], ...spec }, options)

/** The value of one item and the count, row by row. */
const counts = async (item: string, options: GroupOptions = {}, as = env) =>
  (await group({ groupby: [item] }, options, as)).map((row) => [row[item], row['__count']])

const measure = (name: string, field: string, by: string) => ({ name, field, measure: by })

const refusal = (code: string) => expect.objectContaining({ code })

describe('rows', () => {
  test('hold value, measures, count and domain, and come from one statement', async () => {
    const rows = await group({ groupby: ['state'], fields: [measure('total', 'amount', 'sum')] })
    expect(rows).toEqual([
      { state: 'draft', total: 1.2, __count: 2, __domain: [['state', '=', 'draft']] },
      { state: 'sent', total: 7, __count: 1, __domain: [['state', '=', 'sent']] },
      { state: 'done', total: 0.1, __count: 1, __domain: [['state', '=', 'done']] },
      { state: null, total: null, __count: 1, __domain: [['state', '=', null]] },
    ])
    expect(database.statements).toHaveLength(1)
  })

  test('without a grouping there is one total, even over no records', async () => {
    const fields = [measure('total', 'amount', 'sum'), measure('set', 'amount', 'count')]
    expect(await group({ fields })).toEqual([{ total: 8.3, set: 4, __count: 5, __domain: [] }])
    expect(await group({ fields, domain: [['name', '=', 'nobody']] })).toEqual([
      { total: null, set: 0, __count: 0, __domain: [] },
    ])
  })

  test('over no records a grouping has no rows', async () => {
    expect(await group({ groupby: ['state'], domain: [['name', '=', 'nobody']] })).toEqual([])
  })

  test('archived records count only when asked for or when the domain speaks of them', async () => {
    const count = async (domain: unknown[], options: GroupOptions = {}) =>
      (await group({ domain }, options))[0]!['__count']
    expect(await count([])).toBe(5)
    expect(await count([], { archived: 'include' })).toBe(6)
    expect(await count([], { archived: 'only' })).toBe(1)
    expect(await count([['active', 'in', [true, false]]])).toBe(6)
  })

  test('come in pages of at most 500', async () => {
    expect(await counts('state', { limit: 2 })).toEqual([
      ['draft', 2],
      ['sent', 1],
    ])
    expect(await counts('state', { limit: 2, offset: 3 })).toEqual([[null, 1]])
  })
})

describe('keys', () => {
  test('a many2one gives id and name in the order of its target, unset last', async () => {
    expect(await counts('partner_id')).toEqual([
      [[3, 'Bea'], 1],
      [[1, 'Zoe'], 2],
      [[2, 'Abe'], 1],
      [null, 1],
    ])
  })

  test('a selection comes in the order of its keys', async () => {
    expect((await counts('state')).map(([key]) => key)).toEqual(['draft', 'sent', 'done', null])
  })

  test('booleans, numbers and text are grouped by their value', async () => {
    expect(await counts('paid')).toEqual([
      [false, 3],
      [true, 2],
    ])
    expect(await counts('quantity')).toEqual([
      [1, 1],
      [3, 1],
      [5, 2],
      [null, 1],
    ])
    expect(await counts('amount')).toEqual([
      [0.1, 1],
      [0.2, 1],
      [1, 1],
      [7, 1],
      [null, 1],
    ])
    expect((await counts('name')).map(([key]) => key)).toEqual(['a', 'b', 'c', 'd', null])
  })

  test('a many2many counts a record once per linked value, unlinked ones under null', async () => {
    expect(await counts('tag_ids')).toEqual([
      [[2, 'red'], 2],
      [[3, 'green'], 1],
      [[1, 'blue'], 1],
      [null, 2],
    ])
  })

  test('a path leads over many2one, and a related field along its own', async () => {
    const expected = [
      [[2, 'Chile'], 1],
      [[1, 'Norway'], 2],
      [null, 2],
    ]
    expect(await counts('partner_id.country_id')).toEqual(expected)
    expect(await counts('partner_country_id')).toEqual(expected)
    expect(await counts('partner_id.tag_ids')).toEqual([
      [[2, 'red'], 1],
      [[3, 'green'], 1],
      [[1, 'blue'], 2],
      [null, 2],
    ])
  })

  test('a yes-or-no behind an unset step is unset on a path, and false as a related field', async () => {
    expect(await counts('partner_id.vip')).toEqual([
      [false, 2],
      [true, 2],
      [null, 1],
    ])
    expect(await counts('partner_vip')).toEqual([
      [false, 3],
      [true, 2],
    ])
  })

  test('several items nest in the order given', async () => {
    const rows = await group({ groupby: ['paid', 'partner_id'] })
    expect(rows.map((row) => [row['paid'], row['partner_id'], row['__count']])).toEqual([
      [false, [1, 'Zoe'], 1],
      [false, [2, 'Abe'], 1],
      [false, null, 1],
      [true, [3, 'Bea'], 1],
      [true, [1, 'Zoe'], 1],
    ])
    expect(rows[2]!['__domain']).toEqual([
      ['paid', '=', false],
      ['partner_id', '=', null],
    ])
  })

  test('empty groups of a target that expands its groups come when asked for, in their place', async () => {
    const fields = [measure('total', 'amount', 'sum'), measure('orders', 'id', 'count')]
    const rows = await group({ groupby: ['stage_id'], fields }, { expand: true })
    expect(rows.map(({ __domain, ...row }) => row)).toEqual([
      { stage_id: [2, 'New'], total: null, orders: 0, __count: 0 },
      { stage_id: [3, 'Open'], total: 0.2, orders: 1, __count: 1 },
      { stage_id: [1, 'Won'], total: 0.1, orders: 1, __count: 1 },
      { stage_id: null, total: 8, orders: 3, __count: 3 },
    ])
    expect(await counts('stage_id')).toHaveLength(3)
    expect(await counts('partner_id', { expand: true, having: [['__count', '>', 1]] })).toEqual([[[1, 'Zoe'], 2]])
  })
})

describe('dates', () => {
  const days = async (item: string, options: GroupOptions = {}, as = env) =>
    (await group({ groupby: [item] }, options, as)).map((row) => [row[item], rangeOf(row, item), row['__count']])
  const rangeOf = (row: GroupRow, item: string) => Object(row['__range'])[item]

  test('are grouped by month unless told otherwise, under the item as given', async () => {
    const expected = [
      ['2025-12-01', { from: '2025-12-01', to: '2026-01-01' }, 1],
      ['2026-01-01', { from: '2026-01-01', to: '2026-02-01' }, 1],
      ['2026-02-01', { from: '2026-02-01', to: '2026-03-01' }, 2],
      [null, undefined, 1],
    ]
    expect(await days('day')).toEqual(expected)
    expect(await days('day:month')).toEqual(expected)
  })

  test('a row has the range and the domain of its group', async () => {
    const rows = await group({ groupby: ['day:quarter'], domain: [['day', '>', '2026-01-01']] })
    expect(rows).toEqual([
      {
        'day:quarter': '2026-01-01',
        __count: 3,
        __domain: [
          ['day', '>=', '2026-01-01'],
          ['day', '<', '2026-04-01'],
        ],
        __range: { 'day:quarter': { from: '2026-01-01', to: '2026-04-01' } },
      },
    ])
  })

  test('weeks begin on the day asked for, Monday by default', async () => {
    expect((await days('day:week')).map(([key]) => key)).toEqual([...['2025-12-29', '2026-01-26', '2026-02-23'], null])
    expect((await days('day:week', { weekStart: 7 })).map(([key]) => key)).toEqual([
      ...['2025-12-28', '2026-01-25', '2026-02-01', '2026-02-22'],
      null,
    ])
    expect((await days('day:week', { weekStart: 2 }))[0]).toEqual([
      ...['2025-12-23', { from: '2025-12-23', to: '2025-12-30' }],
      1,
    ])
  })

  test('instants are grouped by the day in the time zone of the caller', async () => {
    const berlin = shopEnv(database.db, { tz: 'Europe/Berlin' })
    expect((await days('at:day')).slice(0, 2)).toEqual([
      ['2026-01-31', { from: '2026-01-31T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' }, 1],
      ['2026-02-01', { from: '2026-02-01T00:00:00.000Z', to: '2026-02-02T00:00:00.000Z' }, 1],
    ])
    expect((await days('at:day', {}, berlin)).slice(0, 2)).toEqual([
      ['2026-02-01', { from: '2026-01-31T23:00:00.000Z', to: '2026-02-01T23:00:00.000Z' }, 2],
      ['2026-10-25', { from: '2026-10-24T22:00:00.000Z', to: '2026-10-25T23:00:00.000Z' }, 2],
    ])
    expect((await days('at:year', {}, berlin))[0]).toEqual([
      ...['2026-01-01', { from: '2025-12-31T23:00:00.000Z', to: '2026-12-31T23:00:00.000Z' }],
      4,
    ])
  })

  test('an hour that occurs twice is one group whose range covers both', async () => {
    const berlin = shopEnv(database.db, { tz: 'Europe/Berlin' })
    const hours = await group({ groupby: ['at:hour'], domain: [['at', '>', '2026-10-01']] }, {}, berlin)
    expect(hours).toEqual([
      {
        'at:hour': '2026-10-25T00:00:00.000Z',
        __count: 2,
        __domain: [
          ['at', '>=', '2026-10-25T00:00:00.000Z'],
          ['at', '<', '2026-10-25T02:00:00.000Z'],
        ],
        __range: { 'at:hour': { from: '2026-10-25T00:00:00.000Z', to: '2026-10-25T02:00:00.000Z' } },
      },
    ])
  })

  test('a clock set back across midnight leaves two stretches of one day', async () => {
    const newfoundland = shopEnv(database.db, { tz: 'America/St_Johns' })
    const moments = ['02:15', '02:30', '02:31', '03:29', '03:30'].map((time) => `2006-10-29T${time}:00.000Z`)
    await storeRows(database.db, {
      registry: shopRegistry,
      rows: { 'shop.order': moments.map((at, i) => ({ id: 100 + i, name: 'back', at, active: false })) },
    })
    const domain = [['name', '=', 'back']]
    const rows = await group({ groupby: ['at:day'], domain }, { archived: 'only' }, newfoundland)
    expect(rows).toMatchObject([
      {
        'at:day': '2006-10-28',
        __count: 3,
        __domain: [
          ...['|', '&', ['at', '>=', '2006-10-28T02:30:00.000Z'], ['at', '<', '2006-10-29T02:30:00.000Z']],
          ...['&', ['at', '>=', '2006-10-29T02:31:00.000Z'], ['at', '<', '2006-10-29T03:30:00.000Z']],
        ],
        __range: { 'at:day': { from: '2006-10-28T02:30:00.000Z', to: '2006-10-29T03:30:00.000Z' } },
      },
      { 'at:day': '2006-10-29', __count: 2 },
    ])
  })

  test('the ends of the calendar have groups with one bound', async () => {
    await storeRows(database.db, {
      registry: shopRegistry,
      rows: {
        'shop.order': [
          { id: 110, name: 'end', day: '0001-01-01', at: '0001-01-01T00:00:00.000Z', active: false },
          { id: 111, name: 'end', day: '9999-12-31', at: '9999-12-31T23:59:59.999Z', active: false },
        ],
      },
    })
    const denver = shopEnv(database.db, { tz: 'America/Denver' })
    const domains = async (item: string) => {
      const spec = { groupby: [item], domain: [['name', '=', 'end']] }
      return (await group(spec, { archived: 'only', weekStart: 7 }, denver)).map((row) => row['__domain'])
    }
    expect(await domains('day:week')).toEqual([[['day', '<', '0001-01-07']], [['day', '>=', '9999-12-26']]])
    expect(await domains('at:year')).toEqual([
      [['at', '<', '0001-01-01T06:59:56.000Z']],
      [['at', '>=', '9999-01-01T07:00:00.000Z']],
    ])
  })

  test('the same date may be grouped by in two granularities', async () => {
    const rows = await group({ groupby: ['day:year', 'day:month'] })
    expect(rows.map((row) => [row['day:year'], row['day:month']])).toEqual([
      ['2025-01-01', '2025-12-01'],
      ['2026-01-01', '2026-01-01'],
      ['2026-01-01', '2026-02-01'],
      [null, null],
    ])
    expect(rows[0]!['__range']).toEqual({
      'day:year': { from: '2025-01-01', to: '2026-01-01' },
      'day:month': { from: '2025-12-01', to: '2026-01-01' },
    })
  })

  test('a date behind a path has its range too', async () => {
    expect(await days('partner_id.since:year')).toEqual([
      ['2020-01-01', { from: '2020-01-01', to: '2021-01-01' }, 2],
      [null, undefined, 3],
    ])
  })
})

describe('measures', () => {
  test('each is what its name says; money adds up exactly', async () => {
    const fields = [
      measure('sum', 'amount', 'sum'),
      measure('avg', 'quantity', 'avg'),
      measure('min', 'weight', 'min'),
      measure('max', 'at', 'max'),
      measure('first', 'day', 'min'),
      measure('set', 'quantity', 'count'),
      measure('different', 'quantity', 'count_distinct'),
      measure('partners', 'partner_id', 'count_distinct'),
      measure('lines', 'line_ids', 'count'),
      measure('tags', 'tag_ids', 'count'),
      measure('levels', 'partner_id.level', 'sum'),
      measure('related', 'partner_level', 'sum'),
    ]
    expect(await group({ fields, domain: [['id', 'in', [1, 2, 4]]] })).toEqual([
      {
        ...{ sum: 0.3, avg: 13 / 3, min: 1.5, max: '2026-10-25T01:30:00.000Z', first: '2026-01-31', set: 3 },
        ...{ different: 2, partners: 2, lines: 3, tags: 4, levels: 6, related: 6, __count: 3, __domain: [] },
      },
    ])
  })

  test('records are measured once per group of a many2many', async () => {
    const fields = [measure('total', 'amount', 'sum'), measure('lines', 'line_ids', 'count')]
    const rows = await group({ groupby: ['tag_ids'], fields })
    expect(rows.map((row) => [row['tag_ids'], row['total'], row['lines']])).toEqual([
      [[2, 'red'], 0.3, 3],
      [[3, 'green'], null, 0],
      [[1, 'blue'], 0.1, 2],
      [null, 8, 0],
    ])
  })
})

describe('order', () => {
  const keys = async (item: string, order: string) =>
    (await group({ groupby: [item], fields: [measure('total', 'amount', 'sum')] }, { order })).map((row) => row[item])

  test('may name items, measures and the count, each up or down', async () => {
    expect(await keys('state', 'total desc')).toEqual([null, 'sent', 'draft', 'done'])
    expect(await keys('state', '__count desc, state desc')).toEqual(['draft', null, 'done', 'sent'])
    expect(await keys('partner_id', 'partner_id desc')).toEqual([null, [2, 'Abe'], [1, 'Zoe'], [3, 'Bea']])
    expect(await keys('day:year', 'day:year DESC')).toEqual([null, '2026-01-01', '2025-01-01'])
    expect(await keys('partner_id.country_id', 'partner_id.country_id desc')).toEqual([
      null,
      [1, 'Norway'],
      [2, 'Chile'],
    ])
  })

  test('what is equal stays in the order of the items', async () => {
    expect(await keys('state', '__count')).toEqual(['sent', 'done', null, 'draft'])
  })
})

describe('having', () => {
  const having = async (groupby: string[], domain: unknown[]) =>
    (await group({ groupby, fields: [measure('total', 'amount', 'sum')] }, { having: domain })).map(
      (row) => row[groupby[0]!],
    )

  test('keeps the rows that match a domain over their names', async () => {
    expect(await having(['state'], [['total', '>', 1]])).toEqual(['draft', 'sent'])
    expect(await having(['state'], ['!', ['total', '>', 1]])).toEqual(['done', null])
    expect(await having(['state'], ['|', ['total', '=', null], ['__count', '>=', 2]])).toEqual(['draft', null])
    expect(await having(['state'], [['state', 'in', ['sent', null]]])).toEqual(['sent', null])
    expect(await having(['partner_id'], [['partner_id', 'ilike', 'zo']])).toEqual([[1, 'Zoe']])
    expect(await having(['partner_id'], [['partner_id.country_id.name', '=', 'Chile']])).toEqual([[2, 'Abe']])
    expect(await having(['tag_ids'], [['tag_ids', '=', 3]])).toEqual([[3, 'green']])
    expect(await having(['day:month'], [['day:month', '>=', '2026-01-01']])).toEqual(['2026-01-01', '2026-02-01'])
    expect(await having(['partner_id.country_id'], [['partner_id.country_id', '=', 2]])).toEqual([[2, 'Chile']])
  })

  test('applies before the page is cut', async () => {
    expect(await counts('state', { having: [['__count', '=', 1]], limit: 1, offset: 1 })).toEqual([['done', 1]])
  })

  test.each([
    [[['amount', '>', 1]]],
    [[['total', 'ilike', 'x']]],
    [[['at:hour', '=', '2026-01-01']]],
    [['&', ['total', '>', 1]]],
  ])('%j is refused', async (domain) => {
    const spec = { groupby: ['state', 'at:hour'], fields: [measure('total', 'amount', 'sum')] }
    await expect(group(spec, { having: domain })).rejects.toEqual(refusal('BAD_REQUEST'))
  })
})

describe('access', () => {
  const ofCompanyOne = ['shop.order', 'shop.partner'].map((model) =>
    recordRule({ model, domain: [['company', '=', { var: 'user.company_id' }]] }),
  )
  const ruled = () => shopEnv(database.db, { access: accessTables({ rules: ofCompanyOne }) })

  test('only records the rules show are counted', async () => {
    expect(await group({ fields: [measure('total', 'amount', 'sum')] }, {}, ruled())).toEqual([
      { total: 1.3, __count: 4, __domain: [] },
    ])
  })

  test('a target the user may not read has no name and no place in the order', async () => {
    expect(await counts('partner_id', {}, ruled())).toEqual([
      [[1, 'Zoe'], 2],
      [[3, null], 1],
      [null, 1],
    ])
    const lines = allLines.filter((each) => each.model !== 'shop.partner')
    const blind = shopEnv(database.db, { access: accessTables({ lines }) })
    expect(await counts('partner_id', {}, blind)).toEqual([
      [[1, null], 2],
      [[2, null], 1],
      [[3, null], 1],
      [null, 1],
    ])
  })

  test('behind a hidden target everything is unset', async () => {
    expect(await counts('partner_id.level', {}, ruled())).toEqual([
      [2, 2],
      [null, 2],
    ])
    expect(await counts('partner_level', {}, ruled())).toEqual([
      [2, 2],
      [null, 2],
    ])
    expect(await group({ fields: [measure('levels', 'partner_id.level', 'sum')] }, {}, ruled())).toMatchObject([
      { levels: 4 },
    ])
  })

  test('a field the user may not read has no part in the order of its model', async () => {
    const boss = shopEnv(database.db, { user: principal([GROUPS.users, GROUPS.bosses]) })
    const names = async (as: Env) => (await counts('partner_country_id', {}, as)).map(([key]) => Object(key)[1])
    expect(await names(boss)).toEqual(['Norway', 'Chile', undefined])
    expect(await names(env)).toEqual(['Chile', 'Norway', undefined])
  })

  test('links to records the user may not read do not exist', async () => {
    const rules = [recordRule({ model: 'shop.tag', domain: [['name', '!=', 'red']] })]
    const user = shopEnv(database.db, { access: accessTables({ rules }) })
    expect(await counts('tag_ids', {}, user)).toEqual([
      [[3, 'green'], 1],
      [[1, 'blue'], 1],
      [null, 3],
    ])
    expect(await group({ fields: [measure('tags', 'tag_ids', 'count')] }, {}, user)).toMatchObject([{ tags: 2 }])
  })

  test.each<[string, Partial<GroupSpec>, GroupOptions]>([
    ['grouping by a field of other groups', { groupby: ['cost'] }, {}],
    ['measuring it', { fields: [measure('total', 'cost', 'sum')] }, {}],
    ['naming it in the domain', { domain: [['cost', '>', 1]] }, {}],
    ['reaching one over a path', { groupby: ['partner_id.credit'] }, {}],
    ['reaching one through a related field', { groupby: ['partner_credit'] }, {}],
    ['measuring one over a path', { fields: [measure('total', 'partner_id.credit', 'max')] }, {}],
    ['grouping by a secret', { groupby: ['pin'] }, {}],
  ])('%s is denied', async (_name, spec, options) => {
    await expect(group(spec, options)).rejects.toEqual(refusal('ACCESS_DENIED'))
    expect(database.statements).toEqual([])
  })

  test('nobody groups by a secret, but bosses group by cost', async () => {
    const boss = shopEnv(database.db, { user: principal([GROUPS.users, GROUPS.bosses]) })
    expect(await counts('cost', {}, boss)).toHaveLength(5)
    expect(await counts('partner_credit', {}, boss)).toHaveLength(4)
    await expect(counts('pin', {}, boss.sudo())).rejects.toEqual(refusal('ACCESS_DENIED'))
  })

  test.each<[string, string, Partial<GroupSpec>]>([
    ['the model itself', 'shop.order', {}],
    ['the model itself, before its fields are told apart', 'shop.order', { groupby: ['nothing'] }],
    ['a model on the path', 'shop.partner', { groupby: ['partner_id.level'] }],
    ['the target of a many2many', 'shop.tag', { groupby: ['tag_ids'] }],
    ['the target of links that are counted', 'shop.line', { fields: [measure('n', 'line_ids', 'count')] }],
  ])('without the right to read %s it is denied', async (_name, model, spec) => {
    const lines = allLines.map((each) => (each.model === model ? accessLine({ model, operations: ['write'] }) : each))
    const user = shopEnv(database.db, { access: accessTables({ lines }) })
    await expect(group(spec, {}, user)).rejects.toEqual(refusal('ACCESS_DENIED'))
  })
})

describe('bad input', () => {
  test.each<[string, Partial<GroupSpec>, GroupOptions]>([
    ['an unknown field', { groupby: ['nothing'] }, {}],
    ['an empty item', { groupby: [''] }, {}],
    ['an unknown field behind a path', { groupby: ['partner_id.nothing'] }, {}],
    ['a step over an x2many', { groupby: ['line_ids.name'] }, {}],
    ['a step over a value', { groupby: ['name.name'] }, {}],
    ['a path without end', { groupby: [Array(40).fill('partner_id').join('.')] }, {}],
    ['a one2many', { groupby: ['line_ids'] }, {}],
    ['html', { groupby: ['note'] }, {}],
    ['json', { groupby: ['data'] }, {}],
    ['bytes', { groupby: ['file'] }, {}],
    ['the display name', { groupby: ['display_name'] }, {}],
    ['a field computed on read', { groupby: ['double'] }, {}],
    ['a granularity that does not exist', { groupby: ['day:decade'] }, {}],
    ['a granularity from the prototype', { groupby: ['day:toString'] }, {}],
    ['two granularities', { groupby: ['day:day:month'] }, {}],
    ['an hour of a date', { groupby: ['day:hour'] }, {}],
    ['a granularity of something else', { groupby: ['state:month'] }, {}],
    ['an item given twice', { groupby: ['state', 'state'] }, {}],
    ['too many items', { groupby: ['state', 'paid', 'name', 'day', 'quantity'] }, {}],
    ['a measure that does not exist', { fields: [measure('x', 'amount', 'median')] }, {}],
    ['a measure from the prototype', { fields: [measure('x', 'amount', 'constructor')] }, {}],
    ['the sum of text', { fields: [measure('x', 'name', 'sum')] }, {}],
    ['the average of a date', { fields: [measure('x', 'day', 'avg')] }, {}],
    ['the sum of links', { fields: [measure('x', 'partner_id', 'sum')] }, {}],
    ['a measure of a field computed on read', { fields: [measure('x', 'double', 'sum')] }, {}],
    ['a measure of the display name', { fields: [measure('x', 'display_name', 'count')] }, {}],
    ['a measure of an unknown field', { fields: [measure('x', 'nothing', 'sum')] }, {}],
    ['a name given twice', { fields: [measure('x', 'id', 'sum'), measure('x', 'id', 'max')] }, {}],
    ['a name that is an item too', { groupby: ['state'], fields: [measure('state', 'id', 'count')] }, {}],
    ['a name in capitals', { fields: [measure('Total', 'id', 'sum')] }, {}],
    ['a reserved name', { fields: [measure('__count', 'id', 'sum')] }, {}],
    ['a name that is SQL', { fields: [measure('x" from pg_user --', 'id', 'sum')] }, {}],
    ['a name that is too long', { fields: [measure('x'.repeat(64), 'id', 'sum')] }, {}],
    ['an order by what is not in the row', { groupby: ['state'] }, { order: 'name' }],
    ['an order that is SQL', { groupby: ['state'] }, { order: 'state; drop table shop_order' }],
    ['an order with an odd direction', { groupby: ['state'] }, { order: 'state up' }],
    ['a domain that is none', { domain: 'everything' }, {}],
    ['a having that is none', {}, { having: 'everything' }],
  ])('%s is refused', async (_name, spec, options) => {
    await expect(group(spec, options)).rejects.toEqual(refusal('BAD_REQUEST'))
    expect(database.statements).toEqual([])
  })

  test('nothing the caller names freely is in the SQL text', async () => {
    await group(
      { groupby: ['at:week'], fields: [measure('zebra_total', 'amount', 'sum')], domain: [['name', '=', 'zebra']] },
      { order: 'zebra_total desc', having: [['zebra_total', '>', 4711]], weekStart: 3, limit: 77, offset: 88 },
      shopEnv(database.db, { tz: 'Pacific/Chatham' }),
    )
    expect(database.statements.join()).not.toMatch(/zebra|4711|77|88|Chatham/)
  })
})
