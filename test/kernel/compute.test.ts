import { describe, expect, test } from 'vitest'
import type { Env } from '../../kernel/env.ts'
import { collectStale, type Stale } from '../../kernel/orm/compute/compute.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { takeRuns, tradeRegistry } from '../support/trade.ts'
import {
  createOrder,
  database,
  inTx,
  linesOf,
  makeOrder,
  orders,
  priced,
  readOrder,
  refusal,
  runsOf,
  useTrade,
} from './trade-orders.ts'

useTrade()

describe('a stored computed field', () => {
  test('is computed on create, level by level over the lines', async () => {
    const id = await makeOrder({ line_ids: priced(10, 0.1, 0.2) })
    expect(await readOrder(id)).toMatchObject({ total: 10.3, tax: 1.03, due: 11.33, version: 1 })
  })

  test('follows a change of a line two levels up, and only that order', async () => {
    const [one, other] = [await makeOrder({ line_ids: priced(1, 2) }), await makeOrder({ line_ids: priced(5) })]
    const [line] = await linesOf(one)
    takeRuns()
    await inTx((env) => env.model('trade.line').write([line!], { quantity: 3 }))
    const runs = new Map(takeRuns().map((run) => [run.field, run.ids]))
    expect(Object.fromEntries(runs)).toMatchObject({
      subtotal: [line],
      total: [one],
      tax: [one],
      due: [one],
      margin: [one],
    })
    expect(await readOrder(one)).toMatchObject({ total: 5, due: 5.5 })
    expect(await readOrder(other)).toMatchObject({ total: 5, due: 5.5 })
  })

  test('follows a line that moves, in the order it left and in the one it joins', async () => {
    const [from, to] = [await makeOrder({ line_ids: priced(1, 2) }), await makeOrder({ line_ids: priced(10) })]
    const [line] = await linesOf(from)
    takeRuns()
    await inTx((env) => env.model('trade.line').write([line!], { order_id: to }))
    expect(runsOf('total')).toEqual([[from, to]])
    expect(await readOrder(from)).toMatchObject({ total: 2 })
    expect(await readOrder(to)).toMatchObject({ total: 11 })
  })

  test('follows a line that is deleted', async () => {
    const id = await makeOrder({ line_ids: priced(1, 2) })
    const [line] = await linesOf(id)
    await inTx((env) => env.model('trade.line').unlink([line!]))
    expect(await readOrder(id)).toMatchObject({ total: 2, due: 2.2 })
  })

  test('follows several lines of several orders in one batch', async () => {
    const ids = [await makeOrder({ line_ids: priced(1) }), await makeOrder({ line_ids: priced(2) })]
    const lines = (await Promise.all(ids.map(linesOf))).flat()
    takeRuns()
    await inTx((env) => env.model('trade.line').write(lines, { quantity: 2 }))
    expect(runsOf('total')).toEqual([ids])
  })

  test('follows a many2one and the name of its target', async () => {
    const [ada, bob] = await inTx((env) => env.model('trade.partner').createMany([{ name: 'Ada' }, { name: 'Bob' }]))
    const [one, other] = [
      await makeOrder({ name: 'A', partner_id: ada! }),
      await makeOrder({ name: 'B', partner_id: bob! }),
    ]
    expect(await readOrder(one)).toMatchObject({ title: 'A for Ada' })
    takeRuns()
    await inTx((env) => env.model('trade.partner').write([ada!], { name: 'Eve' }))
    expect(runsOf('title')).toEqual([[one]])
    await inTx((env) => env.model('trade.order').write([one], { partner_id: bob! }))
    expect(await readOrder(one)).toMatchObject({ title: 'A for Bob' })
    expect(await readOrder(other)).toMatchObject({ title: 'B for Bob' })
  })

  test('follows a many2many, its links and the names behind them', async () => {
    const [red, blue] = await inTx((env) => env.model('trade.tag').createMany([{ name: 'red' }, { name: 'blue' }]))
    const id = await inTx((env) => env.model('trade.order').create({ tag_ids: [red!, blue!] }))
    const other = await makeOrder()
    expect(await readOrder(id)).toMatchObject({ tag_text: 'red blue' })
    takeRuns()
    await inTx((env) => env.model('trade.tag').write([red!], { name: 'pink' }))
    expect(runsOf('tag_text')).toEqual([[id]])
    await inTx((env) => env.model('trade.order').write([id], { tag_ids: [[3, red!]] as const }))
    expect(await readOrder(id)).toMatchObject({ tag_text: 'blue' })
    expect(await readOrder(other)).toMatchObject({ tag_text: null })
  })

  test('follows a many2many that is changed from its other side', async () => {
    const tag = await inTx((env) => env.model('trade.tag').create({ name: 'red' }))
    const [one, other] = [await makeOrder(), await makeOrder()]
    takeRuns()
    await inTx((env) => env.model('trade.tag').write([tag], { order_ids: [one] }))
    expect(runsOf('tag_text')).toEqual([[one]])
    await inTx((env) => env.model('trade.tag').write([tag], { order_ids: [other] }))
    expect(await readOrder(one)).toMatchObject({ tag_text: null })
    expect(await readOrder(other)).toMatchObject({ tag_text: 'red' })
  })

  test('may be a many2many itself', async () => {
    const [red, blue] = await inTx((env) => env.model('trade.tag').createMany([{ name: 'red' }, { name: 'blue' }]))
    const id = await inTx((env) => env.model('trade.order').create({ tag_ids: [red!, blue!] }))
    expect(await readOrder(id)).toMatchObject({ main_tag_ids: [red] })
    await inTx((env) => env.model('trade.order').write([id], { tag_ids: [blue!] }))
    expect(await readOrder(id)).toMatchObject({ main_tag_ids: [blue] })
  })

  test('follows what a field computed on read needs in turn, over three relations', async () => {
    const region = await inTx((env) => env.model('trade.region').create({ name: 'North', bonus: 3 }))
    const partner = await inTx((env) => env.model('trade.partner').create({ name: 'Ada', region_id: region }))
    const id = await makeOrder({ partner_id: partner })
    expect(await readOrder(id)).toMatchObject({ bonus: 3 })
    takeRuns()
    await inTx((env) => env.model('trade.region').write([region], { bonus: 4 }))
    expect(runsOf('bonus')).toEqual([[id]])
    expect(await readOrder(id)).toMatchObject({ bonus: 4 })
  })

  test('counts archived records, and follows from an order up to its partner', async () => {
    const partner = await inTx((env) => env.model('trade.partner').create({ name: 'Ada', active: false }))
    await makeOrder({ partner_id: partner, line_ids: priced(100) })
    const id = await makeOrder({ partner_id: partner, line_ids: priced(50) })
    const spent = async () => (await inTx((env) => env.model('trade.partner').read([partner], ['spent'])))[0]!.spent
    expect(await spent()).toBe(165)
    await inTx((env) => env.model('trade.order').unlink([id]))
    expect(await spent()).toBe(110)
  })

  test('stops where a value stays the same', async () => {
    const id = await makeOrder({ line_ids: priced(4) })
    const [line] = await linesOf(id)
    takeRuns()
    await inTx((env) => env.model('trade.line').write([line!], { quantity: 1 }))
    expect(takeRuns().map((run) => run.field)).not.toContain('due')
  })

  test('does not count as an edit of its record, but publishes an event', async () => {
    const id = await makeOrder({ line_ids: priced(4) })
    const [line] = await linesOf(id)
    await inTx(async (env) => {
      await env.model('trade.line').write([line!], { quantity: 2 })
      const change = env.outbox.changes.get('trade.order')?.get(id)
      expect(change?.channel).toBe('record.updated')
      expect([...(change?.fields ?? [])]).toEqual(expect.arrayContaining(['total', 'tax', 'due']))
    })
    expect(await readOrder(id)).toMatchObject({ total: 8, version: 1 })
  })

  test('reports a value that its field cannot hold as VALIDATION', async () => {
    const id = await makeOrder({ line_ids: priced(1) })
    const [line] = await linesOf(id)
    const write = inTx((env) => env.model('trade.line').write([line!], { quantity: 2_000_000_000, asked_price: 9e14 }))
    await expect(write).rejects.toEqual(refusal('VALIDATION', { subtotal: 'Is too large.' }))
    expect(await readOrder(id)).toMatchObject({ total: 1 })
  })

  test('is rounded by the currency of its record', async () => {
    const franc = await inTx((env) => env.model('trade.currency').create({ name: 'CHF', rounding: 0.05 }))
    const id = await inTx((env) =>
      env.model('trade.order').create({ currency_id: franc, line_ids: priced(1.02, 1.025) }),
    )
    const lines = await inTx(async (env) => env.model('trade.line').read(await linesOf(id), ['subtotal']))
    expect(lines.map((line) => line.subtotal)).toEqual([1, 1.05])
    expect(await readOrder(id)).toMatchObject({ total: 2.05, tax: 0.2, due: 2.25 })
  })

  test('loses nothing when two transactions each add a line to one order', async () => {
    const id = await makeOrder({ line_ids: priced(1) })
    await Promise.all(
      Array.from({ length: 4 }, () => inTx((env) => env.model('trade.line').create({ order_id: id, asked_price: 10 }))),
    )
    expect(await readOrder(id)).toMatchObject({ total: 41, due: 45.1 })
  })

  test('takes a written value through its inverse', async () => {
    const id = await makeOrder({ line_ids: priced(1) })
    const [line] = await linesOf(id)
    await inTx((env) => env.model('trade.line').write([line!], { price: 7 }))
    expect(await inTx((env) => env.model('trade.line').read([line!], ['price', 'asked_price', 'subtotal']))).toEqual([
      { id: line, price: 7, asked_price: 7, subtotal: 7 },
    ])
    expect(await readOrder(id)).toMatchObject({ total: 7 })
  })
})

describe('statements', () => {
  const count = async (work: (env: Env) => Promise<unknown>): Promise<readonly string[]> => {
    const before = database.statements.length
    await inTx(work)
    return database.statements.slice(before)
  }

  test('do not grow with the number of records', async () => {
    const create = (lines: number) => (env: Env) =>
      createOrder(env, { line_ids: priced(...Array.from({ length: lines }, () => 2)) })
    await count(create(1))
    expect((await count(create(200))).length).toBe((await count(create(1))).length)
  })

  test('update fields of the same records together', async () => {
    const id = await makeOrder({ line_ids: priced(1, 2) })
    const [line] = await linesOf(id)
    const updates = (await count((env) => env.model('trade.line').write([line!], { quantity: 3 }))).filter((text) =>
      text.includes('update "trade_order"'),
    )
    expect(updates).toHaveLength(2) // The first one writes total, tax and the fields that need neither, the second one due and margin.
  })

  test('write only rows whose value differs', async () => {
    const id = await makeOrder({ line_ids: priced(1) })
    const place = async () =>
      (await sql<{ ctid: string }>`select ctid::text from trade_order where id = ${id}`.execute(database.db)).rows[0]!
        .ctid
    const before = await place()
    const [line] = await linesOf(id)
    await inTx((env) => env.model('trade.line').write([line!], { quantity: 1 }))
    expect(await place()).toBe(before)
  })

  test('find what a change makes stale at once, over every path', async () => {
    const id = await makeOrder({ line_ids: priced(1) })
    const stale: Stale = new Map()
    const texts = await count((env) => collectStale(env, tradeRegistry.model('trade.order')!, [id], 'all', stale))
    expect(texts).toHaveLength(1)
    expect([...stale.keys()].sort()).toEqual(['trade.line', 'trade.order'])
  })

  test('are none when nothing depends on the change', async () => {
    const id = await makeOrder()
    const stale: Stale = new Map()
    expect(await count((env) => collectStale(env, orders, [id], new Set(['secret']), stale))).toHaveLength(0)
    expect(stale.size).toBe(0)
  })
})
