import { describe, expect, test } from 'vitest'
import { behavior, defineModel, field } from '#kernel'
import { asKernel } from '../../kernel/env.ts'
import { compileRegistry } from '../../kernel/model/compile-registry.ts'
import { computeOnRead } from '../../kernel/orm/compute/compute.ts'
import { loadNeeds } from '../../kernel/orm/compute/needs.ts'
import { GROUPS, principal } from '../support/shop.ts'
import { takeRuns, tradeEnv } from '../support/trade.ts'
import { database, inTx, linesOf, makeOrder, orders, priced, refusal, useTrade } from './trade-orders.ts'

useTrade()

describe('needs', () => {
  test('come as nested records of stored values, in the order of the ids, as far as the env may read', async () => {
    const partner = await inTx((env) => env.model('trade.partner').create({ name: 'Ada', owner: 1 }))
    const one = await makeOrder({ name: 'A', partner_id: partner, line_ids: priced(2, 3) })
    const other = await makeOrder({ name: 'B' })
    const lines = await linesOf(one)
    const env = tradeEnv(database.db, { user: principal([GROUPS.guests]) })
    const needs = ['name', 'partner_id.name', 'line_ids.subtotal', 'is_big']
    expect(await loadNeeds(env, orders, [other, one], needs)).toEqual([])
    const rows = await loadNeeds(asKernel(env), orders, [other, 999_999, one], needs)
    expect(rows).toEqual([
      { id: other, name: 'B', partner_id: null, line_ids: [], is_big: false },
      {
        id: one,
        name: 'A',
        partner_id: { id: partner, name: 'Ada' },
        line_ids: [
          { id: lines[0], subtotal: 2 },
          { id: lines[1], subtotal: 3 },
        ],
        is_big: false,
      },
    ])
  })

  test('without a further step a relation is an id or a list of ids', async () => {
    const partner = await inTx((env) => env.model('trade.partner').create({ name: 'Ada' }))
    const id = await makeOrder({ partner_id: partner, line_ids: priced(2) })
    const [row] = await inTx((env) => loadNeeds(env, orders, [id], ['partner_id', 'line_ids', 'tag_ids']))
    expect(row).toEqual({ id, partner_id: partner, line_ids: await linesOf(id), tag_ids: [] })
  })

  test('cost one statement per hop, for any number of records', async () => {
    const ids = [await makeOrder({ line_ids: priced(1) }), await makeOrder({ line_ids: priced(1, 2) })]
    const env = tradeEnv(database.db)
    const before = database.statements.length
    await loadNeeds(env, orders, ids, ['name', 'line_ids.subtotal', 'line_ids.quantity', 'line_ids.order_id.name'])
    expect(database.statements.length - before).toBe(2)
  })
})

describe('a field computed on read', () => {
  test('is computed once per read for all records, also where one needs the other', async () => {
    const ids = [
      await makeOrder({ line_ids: priced(1, 1, 1) }),
      await makeOrder({ line_ids: priced(101) }),
      await makeOrder(),
    ]
    takeRuns()
    const fields = ['is_big', 'line_count'].map((name) => orders.fields.get(name)!)
    const values = await computeOnRead(tradeEnv(database.db), orders, fields, ids)
    expect(takeRuns()).toEqual([
      { field: 'line_count', ids },
      { field: 'is_big', ids },
    ])
    expect([...values.get('is_big')!.values()]).toEqual([true, true, false])
    expect([...values.get('line_count')!.values()]).toEqual([3, 1, 0])
  })

  test('comes in wire form with a read', async () => {
    const euro = await inTx((env) => env.model('trade.currency').create({ name: 'EUR', rounding: 0.01 }))
    const id = await inTx((env) => env.model('trade.order').create({ currency_id: euro, line_ids: priced(1) }))
    const [row] = await inTx(async (env) => env.model('trade.line').read(await linesOf(id), ['currency_id']))
    expect(row?.currency_id).toEqual([euro, 'EUR'])
  })
})

describe('a check', () => {
  const over = { limit: 'A line is over the limit.' }

  test('runs when the record itself breaks it', async () => {
    const id = await makeOrder({ line_ids: priced(1) })
    const write = inTx((env) => env.model('trade.order').write([id], { limit: 0 }))
    await expect(write).rejects.toEqual(refusal('VALIDATION', over))
  })

  test('runs when a record it looks at breaks it', async () => {
    const id = await makeOrder({ line_ids: priced(1) })
    const [line] = await linesOf(id)
    await expect(inTx((env) => env.model('trade.line').write([line!], { quantity: 1001 }))).rejects.toEqual(
      refusal('VALIDATION', over),
    )
    await expect(inTx((env) => env.model('trade.line').create({ order_id: id, quantity: 1001 }))).rejects.toEqual(
      refusal('VALIDATION', over),
    )
    const wide = await inTx((env) =>
      env.model('trade.order').create({ limit: 5000, line_ids: [[0, 0, { quantity: 2000 }]] as const }),
    )
    const [long] = await linesOf(wide)
    await expect(inTx((env) => env.model('trade.line').write([long!], { order_id: id }))).rejects.toEqual(
      refusal('VALIDATION', over),
    )
  })

  test('runs when a computed value of the record breaks it', async () => {
    const id = await makeOrder({ line_ids: priced(1) })
    const [line] = await linesOf(id)
    const write = inTx((env) => env.model('trade.line').write([line!], { asked_price: 100_000 }))
    await expect(write).rejects.toEqual(refusal('VALIDATION', { due: 'Is more than anybody owes.' }))
  })

  test('runs when what a needed field is computed from changes', async () => {
    const id = await inTx((env) => env.model('trade.order').create({ note: 'small', line_ids: priced(1) }))
    const add = inTx((env) => env.model('trade.order').write([id], { line_ids: priced(1, 1) }))
    await expect(add).rejects.toEqual(refusal('VALIDATION', { note: 'This is not small.' }))
  })

  test('names every broken field at once', async () => {
    const create = inTx((env) =>
      env.model('trade.order').create({ note: 'small', limit: 0, line_ids: priced(1, 1, 1) }),
    )
    await expect(create).rejects.toEqual(refusal('VALIDATION', { ...over, note: 'This is not small.' }))
  })
})

test('fields that are computed from each other are refused when the models are compiled', () => {
  const pair = defineModel('test.pair', {
    label: 'Pair',
    fields: { a: field.integer({ compute: 'stored' }), b: field.integer({ compute: 'read' }) },
  })
  const run = () => new Map<number, number>()
  const options = { computes: { a: { needs: ['b'], run }, b: { needs: ['a'], run } } }
  // The model exists only here, so the type checker does not know it.
  const circular = behavior('test.pair' as never, options as never)
  expect(() => compileRegistry([{ name: 'test', models: [pair], behaviors: [circular] }])).toThrow(
    'computed fields need each other: test.pair.a → test.pair.b → test.pair.a',
  )
})
