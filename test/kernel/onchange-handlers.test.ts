import { describe, expect, test } from 'vitest'
import { accessLine, accessTables, GROUPS, principal, recordRule } from '../support/shop.ts'
import { tradeLines } from '../support/trade.ts'
import { ask, asSystem, boss, ids, refusal, useForms, type Who, withRules } from './onchange-forms.ts'

useForms()

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
  test('a field the user may not read is never answered, but counts in values computed from it', async () => {
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

  test('a link that was there before is no change, even to a record the user may not read', async () => {
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

test('the preview equals the result of a save', async () => {
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
