import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RecordRule } from '../../kernel/access/tables.ts'
import type { Env } from '../../kernel/env.ts'
import { onchange } from '../../kernel/orm/onchange/onchange.ts'
import type { OnchangeRequest } from '../../kernel/orm/onchange/open.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { accessLine, accessTables, GROUPS, principal, recordRule } from '../support/shop.ts'
import { installTrade, takeRuns, tradeEnv, tradeLines, tradeRegistry } from '../support/trade.ts'

let database: TestDatabase
let ids: Awaited<ReturnType<typeof makeRecords>>

beforeAll(async () => {
  database = await createDatabase()
  await installTrade(database.db)
  ids = await asSystem(makeRecords)
})
afterAll(() => database.drop())
beforeEach(() => {
  takeRuns()
})

const orders = tradeRegistry.model('trade.order')!
const lines = tradeRegistry.model('trade.line')!

const asSystem = <T>(work: (env: Env) => Promise<T>): Promise<T> =>
  database.db.transaction().execute((tx) => work(tradeEnv(tx, { sudo: true })))

async function makeRecords(env: Env) {
  const [euro, franc] = await env.model('trade.currency').createMany([
    { name: 'EUR', rounding: 0.01 },
    { name: 'CHF', rounding: 0.05 },
  ])
  const [ada, bob] = await env.model('trade.partner').createMany([
    { name: 'Ada', owner: 7 },
    { name: 'Bob', owner: 8 },
  ])
  const [pen, ink] = await env.model('trade.product').createMany([
    { name: 'Pen', price: 2.5, cost: 1 },
    { name: 'Ink', price: 4.02, cost: 3 },
  ])
  const tag = await env.model('trade.tag').create({ name: 'red' })
  const order = await env.model('trade.order').create({
    name: 'SO1',
    partner_id: ada!,
    currency_id: euro!,
    line_ids: [
      [0, 0, { name: 'first', product_id: pen!, quantity: 2 }],
      [0, 0, { name: 'second', product_id: ink!, quantity: 1 }],
    ],
  })
  const [row] = await env.model('trade.order').read([order], ['line_ids'])
  const [first, second] = row!.line_ids
  return {
    euro: euro!,
    franc: franc!,
    ada: ada!,
    bob: bob!,
    pen: pen!,
    ink: ink!,
    tag,
    order,
    first: first!,
    second: second!,
  }
}

type Who = NonNullable<Parameters<typeof tradeEnv>[1]>

/** Asks in a read-only transaction, as the RPC does, and makes sure that nothing of it could have been written. */
const ask = (request: Partial<OnchangeRequest>, who: Who = {}, model = orders) =>
  database.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const answer = await onchange(tradeEnv(tx, who), model, { values: {}, changed: [], ...request })
      const { rows } = await sql<{ xid: unknown }>`select pg_current_xact_id_if_assigned() as xid`.execute(tx)
      expect(rows[0]?.xid).toBeNull()
      return answer
    })

const withRules = (...rules: readonly RecordRule[]): Who => ({ access: accessTables({ lines: tradeLines, rules }) })
const boss: Who = { user: principal([GROUPS.users, GROUPS.bosses]) }
const refusal = (code: string) => expect.objectContaining({ code })

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

describe('handlers', () => {
  test('of the edited field answer values, warnings and domains', async () => {
    const { value, warnings, domains } = await ask({
      id: ids.order,
      values: { partner_id: [ids.bob, 'Bob'] },
      changed: ['partner_id'],
    })
    expect(value).toEqual({ note: 'Hello Bob', title: 'SO1 for Bob' })
    expect(domains).toEqual({ tag_ids: [['name', '!=', null]] })
    expect(warnings).toEqual([{ title: 'Secret', message: 'Nobody sees the field.' }])
    expect(await ask({ id: ids.order, values: { partner_id: null }, changed: ['partner_id'] })).toMatchObject({
      value: { title: 'SO1 for nobody' },
      warnings: [{ title: 'Nobody', message: 'An order needs a partner.' }],
    })
  })

  test('that trigger each other come to an end, and fields that depend on them are computed', async () => {
    const { value } = await ask({ id: ids.order, values: { discount: 10 }, changed: ['discount'] })
    expect(value).toMatchObject({ note: 'ring', discount: 11, total: 8.03 })
  })

  test('may replace lines: the answer lists removed lines and all values of new ones', async () => {
    const { value } = await ask({
      id: ids.order,
      values: { tag_ids: [ids.tag], line_ids: [[0, 'mine', {}]] },
      changed: ['tag_ids'],
    })
    expect(value['line_ids']).toEqual([
      [3, ids.first],
      [3, ids.second],
      [3, 'mine'],
      [
        0,
        expect.any(String),
        { name: 'for 1 tags', quantity: 1, asked_price: 3, price: 3, subtotal: 3, currency_id: [ids.euro, 'EUR'] },
      ],
    ])
    expect(value).toMatchObject({ total: 3, tag_text: 'red', main_tag_ids: [[4, ids.tag]] })
  })

  test('has a time limit', async () => {
    let now = 0
    const clock = () => {
      now += 3_000
      return new Date(now)
    }
    await expect(ask({ values: { partner_id: ids.ada } }, { clock })).rejects.toEqual(refusal('UNAVAILABLE'))
  })
})

describe('access', () => {
  test('a field the user may not read is in no answer, but counts in what is computed from it', async () => {
    const request = { id: ids.order, values: { line_ids: [[1, ids.first, { quantity: 4 }]] }, changed: ['line_ids'] }
    expect((await ask(request)).value).not.toHaveProperty('margin')
    expect((await ask(request, boss)).value).toMatchObject({ margin: 7.02 })
    expect((await ask({ values: { partner_id: ids.ada } }, boss)).value).toMatchObject({ secret: 'set by the server' })
    expect((await ask({ values: { partner_id: ids.ada } })).value).not.toHaveProperty('secret')
    expect((await ask({ fields: ['secret', 'name'] })).value).toEqual({ name: 'New' })
  })

  test('naming such a field in values or as changed is ACCESS_DENIED', async () => {
    await expect(ask({ values: { secret: 'x' } })).rejects.toEqual(refusal('ACCESS_DENIED'))
    await expect(ask({ changed: ['secret'] })).rejects.toEqual(refusal('ACCESS_DENIED'))
  })

  test('unknown names are VALIDATION among the values and BAD_REQUEST elsewhere', async () => {
    await expect(ask({ values: { nothing: 1 } })).rejects.toMatchObject({
      code: 'VALIDATION',
      details: { fields: { nothing: 'There is no such field.' } },
    })
    await expect(ask({ values: { line_ids: [[0, 1, { nothing: 1 }]] } })).rejects.toEqual(refusal('VALIDATION'))
    await expect(ask({ changed: ['nothing'] })).rejects.toEqual(refusal('BAD_REQUEST'))
    await expect(ask({ fields: ['nothing'] })).rejects.toEqual(refusal('BAD_REQUEST'))
    await expect(ask({ changed: Array.from({ length: 201 }, () => 'name') })).rejects.toEqual(refusal('BAD_REQUEST'))
  })

  test('a value of the wrong kind is VALIDATION', async () => {
    for (const values of [{ limit: 'many' }, { line_ids: 7 }, { line_ids: [[1, 'x', {}]] }, { partner_id: 'Ada' }]) {
      await expect(ask({ values })).rejects.toEqual(refusal('VALIDATION'))
    }
  })

  test('a draft cannot link to a record the user may not read, and so not learn from it', async () => {
    const own = withRules(recordRule({ model: 'trade.partner', domain: [['owner', '=', { var: 'user.id' }]] }))
    expect((await ask({ values: { partner_id: ids.ada } }, own)).value).toMatchObject({ title: 'New for Ada' })
    await expect(ask({ values: { partner_id: ids.bob } }, own)).rejects.toEqual(refusal('ACCESS_DENIED'))
    const priced = withRules(recordRule({ model: 'trade.product', domain: [['name', '=', 'Pen']] }))
    const line_ids = [[0, 'a', { product_id: ids.ink }]]
    await expect(ask({ values: { line_ids } }, priced)).rejects.toEqual(refusal('ACCESS_DENIED'))
    const noTags = withRules(recordRule({ model: 'trade.tag', domain: [['name', '=', 'blue']] }))
    for (const tag_ids of [[ids.tag], [[4, ids.tag]]]) {
      await expect(ask({ values: { tag_ids } }, noTags)).rejects.toEqual(refusal('ACCESS_DENIED'))
    }
  })

  test('a link that was there before is no news, even to a record the user may not read', async () => {
    const others = withRules(recordRule({ model: 'trade.partner', domain: [['owner', '=', 8]] }))
    const values = { name: 'SO2', partner_id: [ids.ada, null] }
    expect((await ask({ id: ids.order, values, changed: ['name'] }, others)).value).toEqual({ title: 'SO2 for Ada' })
  })

  test('lines the user may not read count, but are not named', async () => {
    const partly = withRules(recordRule({ model: 'trade.line', domain: [['name', '=', 'first']] }))
    const { value } = await ask(
      { id: ids.order, values: { discount: 50 }, changed: ['discount'], fields: ['line_ids', 'total'] },
      partly,
    )
    expect(value).toEqual({ line_ids: [[1, ids.first, { subtotal: 2.5 }]], total: 4.51 })
    const edit = { id: ids.order, values: { line_ids: [[1, ids.second, { quantity: 2 }]] }, changed: ['line_ids'] }
    await expect(ask(edit, partly)).rejects.toEqual(refusal('VALIDATION'))
  })

  test('a line that belongs to another record cannot be edited through this one', async () => {
    const spare = await asSystem((env) => env.model('trade.order').create({}))
    const edit = { id: spare, values: { line_ids: [[1, ids.first, { quantity: 2 }]] }, changed: ['line_ids'] }
    await expect(ask(edit)).rejects.toEqual(refusal('VALIDATION'))
  })

  test('a new record needs the right to create, an existing one the right to change, lines theirs', async () => {
    const may = (model: string, operations: readonly ('read' | 'write' | 'create')[]): Who => ({
      access: accessTables({
        lines: tradeLines.map((line) => (line.model === model ? accessLine({ model, operations }) : line)),
      }),
    })
    const edit = { id: ids.order, values: { name: 'x' }, changed: ['name'] }
    await expect(ask({}, may('trade.order', ['read', 'write']))).rejects.toEqual(refusal('ACCESS_DENIED'))
    await expect(ask(edit, may('trade.order', ['read', 'create']))).rejects.toEqual(refusal('ACCESS_DENIED'))
    await expect(ask(edit, may('trade.order', ['read', 'write']))).resolves.toBeDefined()
    const addLine = { values: { line_ids: [[0, 'a', {}]] }, changed: ['line_ids'] }
    await expect(ask(addLine, may('trade.line', ['read', 'write']))).rejects.toEqual(refusal('ACCESS_DENIED'))
    await expect(ask({}, { user: principal([GROUPS.guests]) })).rejects.toEqual(refusal('ACCESS_DENIED'))
  })
})

test('the preview is what a save makes of it', async () => {
  const values = {
    name: 'SO9',
    partner_id: ids.bob,
    currency_id: ids.franc,
    tag_ids: [ids.tag],
    line_ids: [
      [0, 'a', { product_id: ids.pen, quantity: 3 }],
      [0, 'b', { product_id: ids.ink, quantity: 7 }],
    ] as const,
  }
  const computed = ['total', 'tax', 'due', 'title', 'tag_text', 'bonus', 'line_count'] as const
  const { value } = await ask({ values, changed: ['line_ids'] })
  const saved = await asSystem(async (env) => {
    const id = await env.model('trade.order').create(values)
    return (await env.model('trade.order').read([id], computed))[0]!
  })
  for (const name of computed) expect(value[name]).toEqual(saved[name])
})
