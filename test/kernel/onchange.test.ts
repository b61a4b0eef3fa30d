import { describe, expect, test } from 'vitest'
import { recordRule } from '../support/shop.ts'
import { takeRuns } from '../support/trade.ts'
import { ask, asSystem, database, ids, lines, refusal, useForms, withRules } from './onchange-forms.ts'

useForms()

describe('a new record', () => {
  test('gets defaults and computed values', async () => {
    expect(await ask({})).toEqual({
      value: { name: 'New', limit: 1000, total: 0, tax: 0, due: 0, title: 'New for nobody', bonus: 0, line_count: 0 },
      warnings: [],
    })
  })

  test('keeps the values that were sent and does not repeat them', async () => {
    const { value } = await ask({ values: { name: 'Mine', limit: null } })
    expect(value).not.toHaveProperty('name')
    expect(value).not.toHaveProperty('limit')
    expect(value['title']).toBe('Mine for nobody')
  })

  test('runs the handlers of every field that has a value', async () => {
    const { value } = await ask({ values: { partner_id: ids.ada } })
    expect(value).toMatchObject({ note: 'Hello Ada', title: 'New for Ada' })
  })

  test('gets its defaults once: a later edit does not bring them back', async () => {
    const { value } = await ask({ values: { name: null, partner_id: ids.ada }, changed: ['name'] })
    expect(value).not.toHaveProperty('limit')
    expect(value).not.toHaveProperty('name')
    expect(value['title']).toBe('null for Ada')
  })

  test('computes its lines and what they add up to, and names each line as the caller does', async () => {
    const { value } = await ask({
      values: {
        line_ids: [
          [0, 'a', { product_id: ids.pen, quantity: 3 }],
          [0, 'b', { asked_price: 0.1 }],
        ],
      },
      changed: ['line_ids'],
    })
    expect(value).toMatchObject({ total: 7.6, tax: 0.76, due: 8.36, line_count: 2 })
    expect(value['line_ids']).toEqual([
      [0, 'a', { price: 2.5, subtotal: 7.5 }],
      [0, 'b', { quantity: 1, price: 0.1, subtotal: 0.1 }],
    ])
  })

  test('leaves a value unset that is computed from a required one which is not there yet', async () => {
    const { value } = await ask({
      values: { line_ids: [[0, 'a', { quantity: null, asked_price: 5 }]] },
      changed: ['line_ids'],
    })
    expect(value).toMatchObject({ total: 0, line_ids: [[0, 'a', { price: 5 }]] })
  })

  test('rounds by the currency of the draft', async () => {
    const line_ids = [[0, 'a', { asked_price: 1.03 }]]
    const { value } = await ask({ values: { currency_id: ids.franc, line_ids }, changed: ['currency_id'] })
    expect(value).toMatchObject({ total: 1.05, tax: 0.1 })
    expect(value['line_ids']).toEqual([
      [0, 'a', { quantity: 1, price: 1.05, currency_id: [ids.franc, 'CHF'], subtotal: 1.05 }],
    ])
  })
})

describe('an existing record', () => {
  test('answers only what the edit changes', async () => {
    expect(await ask({ id: ids.order, values: { name: 'SO2' }, changed: ['name'] })).toEqual({
      value: { title: 'SO2 for Ada' },
      warnings: [],
    })
  })

  test('answers nothing when nothing changes', async () => {
    expect(await ask({ id: ids.order, values: { name: 'SO1' }, changed: ['name'] })).toEqual({
      value: {},
      warnings: [],
    })
    expect(takeRuns().filter((run) => run.field === 'total')).toEqual([])
  })

  test('computes a changed line and the order above it, without touching the other line', async () => {
    const { value } = await ask({
      id: ids.order,
      values: { line_ids: [[1, ids.first, { quantity: 4 }]] },
      changed: ['line_ids'],
    })
    expect(value).toEqual({
      line_ids: [[1, ids.first, { subtotal: 10 }]],
      total: 14.02,
      tax: 1.4,
      due: 15.42,
    })
    expect(takeRuns().filter((run) => run.field === 'subtotal')).toEqual([{ field: 'subtotal', ids: [ids.first] }])
  })

  test('computes every line that needs what was changed above it', async () => {
    const { value } = await ask({
      id: ids.order,
      values: { discount: 50 },
      changed: ['discount'],
      fields: ['line_ids', 'total'],
    })
    expect(value).toEqual({
      line_ids: [
        [1, ids.first, { subtotal: 2.5 }],
        [1, ids.second, { subtotal: 2.01 }],
      ],
      total: 4.51,
    })
  })

  test('counts removed, added and joining lines', async () => {
    const spare = await asSystem((env) =>
      env.model('trade.order').create({ line_ids: [[0, 0, { asked_price: 100 }]] as const }),
    )
    const [other] = await asSystem((env) => env.model('trade.order').read([spare], ['line_ids']))
    const line_ids = [
      [2, ids.first],
      [0, 'new', { asked_price: 1 }],
      [4, other!.line_ids[0]],
    ]
    const { value } = await ask({ id: ids.order, values: { line_ids }, changed: ['line_ids'] })
    expect(value).toMatchObject({ total: 105.02, line_count: 3, is_big: true })
    const joined = [
      [4, other!.line_ids[0]],
      [1, other!.line_ids[0], { quantity: 2 }],
    ]
    const edited = await ask({ id: ids.order, values: { line_ids: joined }, changed: ['line_ids'] })
    expect(edited.value).toMatchObject({ total: 209.02 })
  })

  test('counts edits that were made before, and compares with what the caller has', async () => {
    const values = {
      name: 'SO2',
      line_ids: [[1, ids.first, { quantity: 4, subtotal: 10 }]],
      total: 14.02,
      tax: 1.4,
      due: 15.42,
    }
    expect((await ask({ id: ids.order, values, changed: ['name'] })).value).toEqual({ title: 'SO2 for Ada' })
  })

  test('keeps a computed value the user has set, until what it comes from changes again', async () => {
    const id = ids.first
    const values = { product_id: ids.ink, price: 9 }
    const kept = await ask({ id, values: { ...values, quantity: 3 }, changed: ['quantity'] }, {}, lines)
    expect(kept.value).toEqual({ subtotal: 27 })
    const set = await ask({ id, values, changed: ['price'] }, {}, lines)
    expect(set.value).toEqual({ subtotal: 18 })
    const anew = await ask({ id, values, changed: ['product_id'] }, {}, lines)
    expect(anew.value).toEqual({ price: 4.02, subtotal: 8.04 })
  })

  test('does not exist: NOT_FOUND; hidden: ACCESS_DENIED', async () => {
    await expect(ask({ id: 999_999, changed: ['name'] })).rejects.toEqual(refusal('NOT_FOUND'))
    const hidden = withRules(recordRule({ model: 'trade.order', domain: [['name', '=', 'other']] }))
    await expect(ask({ id: ids.order, changed: ['name'] }, hidden)).rejects.toEqual(refusal('ACCESS_DENIED'))
  })
})

describe('what a form sends back of computed values', () => {
  test('is never what anything is computed from', async () => {
    const values = { currency_id: [ids.franc, 'CHF'], quantity: 1, product_id: ids.ink }
    const { value } = await ask({ id: ids.first, values, changed: ['product_id'] }, {}, lines)
    expect(value).toEqual({ price: 4.02, subtotal: 4.02, currency_id: [ids.euro, 'EUR'] })
    const order = await ask({ values: { total: 1_000, line_ids: [] }, changed: ['name'] })
    expect(order.value).toMatchObject({ total: 0, due: 0 })
    const named = await ask({ values: { total: 1_000 }, changed: ['total'] })
    expect(named.value).toMatchObject({ total: 0, due: 0 })
  })

  test('may name a record the user may not read, as an answer before it did', async () => {
    const noEuro = withRules(recordRule({ model: 'trade.currency', domain: [['name', '!=', 'EUR']] }))
    const values = { currency_id: [ids.euro, null], quantity: 4 }
    expect((await ask({ id: ids.first, values, changed: ['quantity'] }, noEuro, lines)).value).toEqual({ subtotal: 10 })
  })
})

test('statements do not grow with the number of lines', async () => {
  const count = async (size: number) => {
    const before = database.statements.length
    const line = (index: number) => [0, index, { product_id: ids.pen, quantity: index + 1 }]
    const line_ids = [...Array.from({ length: size }, (_, index) => line(index)), [1, ids.first, { quantity: 3 }]]
    const rules = withRules(recordRule({ model: 'trade.product', domain: [['name', '!=', 'Rum']] }))
    await ask({ id: ids.order, values: { line_ids, discount: 5 }, changed: ['line_ids'] }, rules)
    return database.statements.length - before
  }
  expect(await count(100)).toBe(await count(1))
})
