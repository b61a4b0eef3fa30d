import { describe, expect, test } from 'vitest'
import type { GroupQueryOptions } from '../../kernel/orm/group/group.ts'
import { measure, openOrders, refusal } from './shop-orders.ts'

const { group, counts, statements } = openOrders()

describe('rows', () => {
  test('hold value, measures, count and domain, and come from one statement', async () => {
    const rows = await group({ groupby: ['state'], fields: [measure('total', 'amount', 'sum')] })
    expect(rows).toEqual([
      { state: 'draft', total: 1.2, __count: 2, __domain: [['state', '=', 'draft']] },
      { state: 'sent', total: 7, __count: 1, __domain: [['state', '=', 'sent']] },
      { state: 'done', total: 0.1, __count: 1, __domain: [['state', '=', 'done']] },
      { state: null, total: null, __count: 1, __domain: [['state', '=', null]] },
    ])
    expect(statements()).toHaveLength(1)
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
    const count = async (domain: unknown[], options: GroupQueryOptions = {}) =>
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

  test('equal groups stay in the order of the items', async () => {
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
