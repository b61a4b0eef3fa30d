import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { behavior, defineModel, field } from '#kernel'
import type { Env } from '../../kernel/env.ts'
import { asKernel } from '../../kernel/env.ts'
import { compileRegistry } from '../../kernel/model/compile-registry.ts'
import { collectStale, computeOnRead, type Stale } from '../../kernel/orm/compute/compute.ts'
import { loadNeeds } from '../../kernel/orm/compute/needs.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { GROUPS, principal } from '../support/shop.ts'
import { installTrade, takeRuns, tradeEnv, tradeRegistry } from '../support/trade.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createDatabase()
  await installTrade(database.db)
})
afterAll(() => database.drop())

const orders = tradeRegistry.model('trade.order')!

/** One transaction as a user of the shop. */
const inTx = <T>(work: (env: Env) => Promise<T>): Promise<T> =>
  database.db.transaction().execute((tx) => work(tradeEnv(tx)))

const priced = (...prices: readonly number[]) => prices.map((asked_price) => [0, 0, { asked_price }] as const)

const makeOrder = (values: Parameters<typeof createOrder>[1] = {}) => inTx((env) => createOrder(env, values))

const createOrder = (env: Env, values: { name?: string; line_ids?: ReturnType<typeof priced>; partner_id?: number }) =>
  env.model('trade.order').create(values)

const readOrder = (id: number) =>
  inTx(
    async (env) =>
      (
        await env
          .model('trade.order')
          .read([id], ['total', 'tax', 'due', 'title', 'tag_text', 'bonus', 'main_tag_ids', 'version', 'line_ids'])
      )[0]!,
  )

const linesOf = async (id: number) => (await readOrder(id)).line_ids

/** The runs of one field since the last look, as the ids each got. */
const runsOf = (name: string) =>
  takeRuns()
    .filter((run) => run.field === name)
    .map((run) => run.ids)

const refusal = (code: string, fields?: Record<string, string>) =>
  expect.objectContaining({ code, ...(fields ? { details: { fields } } : {}) })

beforeEach(() => {
  takeRuns()
})

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

  test('does not count as an edit of its record, but is told to others', async () => {
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
    expect(updates).toHaveLength(2) // total, tax and what needs neither; then due and margin
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
