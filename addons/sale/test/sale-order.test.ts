import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env, Values } from '#kernel'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People
let customer: number
let chair: number
let tax: number

beforeAll(async () => {
  people = await openPeople(['sale'])
  await people.hire('mia', ['sale.group_manager'])
  await people.hire('tom', ['sale.group_user'])
  await people.hire('eve', ['sale.group_user'])
  await people.as('mia', async (env) => {
    customer = await env.model('core.partner').create({ name: 'Testing Works' })
    tax = await env.model('sale.tax').create({ name: 'Tenth', amount: 10 })
    chair = await env.model('product.product').create({ name: 'Test Chair', list_price: 99.95, tax_ids: [tax] })
  })
})
afterAll(() => people.leave())

const orderOf = (values: Values<'sale.order'> = {}) => ({
  partner_id: customer,
  line_ids: [[0, 0, { name: 'Work', quantity: 2, price_unit: 50 }]] as const,
  ...values,
})
const create = (login: string, values: Values<'sale.order'> = {}) =>
  people.as(login, (env) => env.model('sale.order').create(orderOf(values)))
const call = (login: string, id: number, action: string) =>
  people.as(login, (env) => env.model('sale.order').call([id], action))
const stateOf = async (id: number) => {
  const [order] = await people.as('mia', (env) =>
    env.model('sale.order').read([id], ['state', 'stage_id', 'confirmed_at']),
  )
  return [order!.state, order!.stage_id?.[1], order!.confirmed_at === null ? null : 'confirmed']
}
const refusal = (field: string) => ({ code: 'VALIDATION', details: { fields: { [field]: expect.any(String) } } })

describe('an order', () => {
  test('gets its number, salesperson, company and currency by default', async () => {
    const ids = await people.as('tom', (env) => env.model('sale.order').createMany([orderOf(), orderOf()]))
    const rows = await people.as('tom', (env) =>
      env.model('sale.order').read(ids, ['name', 'state', 'user_id', 'company_id', 'currency_id', 'stage_id']),
    )
    const [first = 0, second] = rows.map((row) => Number(/^S(\d{5})$/.exec(row.name!)![1]))
    expect(second).toBe(first + 1)
    expect(rows[0]).toMatchObject({
      state: 'draft',
      user_id: [expect.any(Number), 'tom'],
      company_id: [expect.any(Number), 'My Company'],
      currency_id: [expect.any(Number), 'EUR'],
      stage_id: [expect.any(Number), 'New'],
    })
  })

  test('keeps a number that it brings', async () => {
    const id = await create('tom', { name: 'OLD-7' })
    const [row] = await people.as('tom', (env) => env.model('sale.order').read([id], ['name', 'version']))
    expect(row).toMatchObject({ name: 'OLD-7', version: 1 })
  })

  test('is priced by the product where a line names no price', async () => {
    const id = await create('tom', { line_ids: [[0, 0, { product_id: chair, quantity: 3 }]] })
    const [order] = await people.as('tom', (env) =>
      env.model('sale.order').read([id], ['line_ids', 'amount_untaxed', 'amount_tax', 'amount_total']),
    )
    expect(order).toMatchObject({ amount_untaxed: 299.85, amount_tax: 29.99, amount_total: 329.84 })
    const [line] = await people.as('tom', (env) =>
      env.model('sale.order.line').read(order!.line_ids, ['name', 'price_unit', 'tax_ids', 'total']),
    )
    expect(line).toMatchObject({ name: 'Test Chair', price_unit: 99.95, tax_ids: [tax], total: 329.84 })
  })

  test('adds up anew when a line changes, comes or goes', async () => {
    const id = await create('tom')
    const total = async () => {
      const [row] = await people.as('tom', (env) => env.model('sale.order').read([id], ['line_ids', 'amount_total']))
      return row!
    }
    const [line] = (await total()).line_ids
    await people.as('tom', (env) => env.model('sale.order.line').write([line!], { discount: 12.5 }))
    expect(await total()).toMatchObject({ amount_total: 87.5 })
    const more = { name: 'More', quantity: 1, price_unit: 10, tax_ids: [tax] }
    await people.as('tom', (env) => env.model('sale.order').write([id], { line_ids: [[0, 0, more]] }))
    expect(await total()).toMatchObject({ amount_total: 98.5 })
    await people.as('tom', (env) => env.model('sale.order').write([id], { line_ids: [[2, line!]] }))
    expect(await total()).toMatchObject({ amount_total: 11 })
  })

  test('keeps its amounts when the rate of a tax changes later', async () => {
    const rate = await people.as('mia', (env) => env.model('sale.tax').create({ name: 'Fifth', amount: 20 }))
    const id = await create('tom', { line_ids: [[0, 0, { name: 'A', price_unit: 10, tax_ids: [rate] }]] })
    await people.as('mia', (env) => env.model('sale.tax').write([rate], { amount: 25 }))
    const [row] = await people.as('tom', (env) => env.model('sale.order').read([id], ['amount_total']))
    expect(row!.amount_total).toBe(12)
  })

  test('does not end before it was made', async () => {
    const early = create('tom', { date_order: '2026-05-10T10:00:00Z', validity_date: '2026-05-09' })
    await expect(early).rejects.toMatchObject(refusal('validity_date'))
  })

  test('is in the currency of its price list', async () => {
    const [usd] = await people.asSystem((env) => env.model('core.currency').search([['name', '=', 'USD']]))
    const list = await people.as('mia', (env) =>
      env.model('product.pricelist').create({ name: 'Dollars', currency_id: usd! }),
    )
    await expect(create('tom', { pricelist_id: list })).rejects.toMatchObject(refusal('currency_id'))
    await expect(create('tom', { pricelist_id: list, currency_id: usd! })).resolves.toEqual(expect.any(Number))
  })

  test('counts a product in its own kind of unit only', async () => {
    const unit = (name: string) => async (env: Env) =>
      (await env.model('product.uom').search([['name', '=', name]]))[0]!
    const [piece, hour] = [await people.as('mia', unit('Units')), await people.as('mia', unit('Hours'))]
    await people.as('mia', (env) => env.model('product.product').write([chair], { uom_id: piece }))
    const line = (uom_id: number) => ({ line_ids: [[0, 0, { product_id: chair, price_unit: 1, uom_id }]] as const })
    await expect(create('tom', line(hour))).rejects.toMatchObject(refusal('uom_id'))
    await expect(create('tom', line(piece))).resolves.toEqual(expect.any(Number))
  })
})

describe('the way of an order', () => {
  test('leads from quotation over order to locked, with the stage of each', async () => {
    const id = await create('tom')
    expect(await call('tom', id, 'action_send')).toBe(true)
    expect(await stateOf(id)).toEqual(['sent', 'Offer Sent', null])
    await call('tom', id, 'action_confirm')
    expect(await stateOf(id)).toEqual(['sale', 'Confirmed', 'confirmed'])
    await expect(call('tom', id, 'action_done')).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await call('mia', id, 'action_done')
    expect(await stateOf(id)).toEqual(['done', 'Delivered', 'confirmed'])
    await call('mia', id, 'action_unlock')
    await call('tom', id, 'action_cancel')
    expect(await stateOf(id)).toEqual(['cancel', 'Cancelled', 'confirmed'])
    await call('tom', id, 'action_draft')
    expect(await stateOf(id)).toEqual(['draft', 'New', null])
  })

  test('cannot skip states', async () => {
    const id = await create('tom')
    await expect(call('mia', id, 'action_done')).rejects.toMatchObject(refusal('state'))
    await call('tom', id, 'action_cancel')
    await expect(call('tom', id, 'action_confirm')).rejects.toMatchObject(refusal('state'))
  })

  test('is not confirmed without a line, by whatever way', async () => {
    const id = await create('tom', { line_ids: [] })
    await expect(call('tom', id, 'action_confirm')).rejects.toMatchObject(refusal('state'))
    await expect(create('tom', { state: 'sale', line_ids: [] })).rejects.toMatchObject(refusal('state'))
    const full = await create('tom')
    await call('tom', full, 'action_confirm')
    await expect(
      people.as('tom', (env) => env.model('sale.order').write([full], { line_ids: [[5]] })),
    ).rejects.toMatchObject(refusal('state'))
  })

  test('takes other lines in place of all it has, as one change', async () => {
    const id = await create('tom')
    await call('tom', id, 'action_confirm')
    const line_ids = [[5], [0, 0, { name: 'Other', quantity: 1, price_unit: 7 }]] as const
    await people.as('tom', (env) => env.model('sale.order').write([id], { line_ids }))
    const [row] = await people.as('tom', (env) => env.model('sale.order').read([id], ['line_ids', 'amount_untaxed']))
    expect(row).toMatchObject({ line_ids: [expect.any(Number)], amount_untaxed: 7 })
  })

  test('follows a card to the stage of a state, and refuses a stage it cannot reach', async () => {
    const id = await create('tom')
    const move = async (name: string) => {
      const [stage] = await people.as('tom', (env) => env.model('sale.stage').search([['name', '=', name]]))
      return people.as('tom', (env) => env.model('sale.order').write([id], { stage_id: stage! }))
    }
    await move('In Negotiation')
    expect(await stateOf(id)).toEqual(['draft', 'In Negotiation', null])
    await move('Confirmed')
    expect(await stateOf(id)).toEqual(['sale', 'Confirmed', 'confirmed'])
    await expect(move('New')).rejects.toMatchObject(refusal('state'))
  })

  test('locks lines and customer, and an order must be cancelled before it is deleted', async () => {
    const id = await create('tom')
    await call('tom', id, 'action_confirm')
    const remove = () => people.as('tom', (env) => env.model('sale.order').unlink([id]))
    await expect(remove()).rejects.toMatchObject({ code: 'CONFLICT' })
    await call('mia', id, 'action_done')
    const [row] = await people.as('tom', (env) => env.model('sale.order').read([id], ['line_ids']))
    const edit = people.as('tom', (env) => env.model('sale.order.line').write(row!.line_ids, { price_unit: 1 }))
    await expect(edit).rejects.toMatchObject({ code: 'CONFLICT' })
    const other = await people.as('tom', (env) => env.model('core.partner').create({ name: 'Other' }))
    const give = people.as('tom', (env) => env.model('sale.order').write([id], { partner_id: other }))
    await expect(give).rejects.toMatchObject({ code: 'CONFLICT' })
    await call('mia', id, 'action_unlock')
    await call('tom', id, 'action_cancel')
    await expect(remove()).resolves.toBe(true)
  })

  test('may begin anywhere for an old order that comes with its lines', async () => {
    const old = orderOf({ state: 'done', name: 'OLD-1' })
    const id = await people.as('tom', (env) => env.model('sale.order').create(old, { setsReadonly: true }))
    expect((await stateOf(id))[0]).toBe('done')
    const late = people.as('tom', (env) =>
      env.model('sale.order.line').create({ order_id: id, name: 'Too late', price_unit: 1 }),
    )
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('starts again with a duplicate that has the lines but neither number nor state', async () => {
    const id = await create('tom', { client_ref: 'PO-1', line_ids: [[0, 0, { product_id: chair, quantity: 2 }]] })
    await call('tom', id, 'action_confirm')
    const answer = await call('tom', id, 'action_duplicate')
    const copy = Number(/&id=(\d+)$/.exec((answer as { redirect: string }).redirect)![1])
    const rows = await people.as('tom', (env) =>
      env.model('sale.order').read([id, copy], ['name', 'state', 'client_ref', 'amount_total', 'line_ids', 'stage_id']),
    )
    expect(rows[1]).toMatchObject({ state: 'draft', client_ref: null, amount_total: rows[0]!.amount_total })
    expect(rows[1]!.name).not.toBe(rows[0]!.name)
    expect(rows[1]!.stage_id?.[1]).toBe('New')
    expect(rows[1]!.line_ids).not.toEqual(rows[0]!.line_ids)
  })
})

describe('who sees an order', () => {
  test('sellers see their own orders and those without a seller, managers all', async () => {
    const mine = await create('tom')
    const theirs = await create('eve')
    const free = await create('eve', { user_id: null })
    const seen = (login: string) =>
      people.as(login, (env) => env.model('sale.order').search([['id', 'in', [mine, theirs, free]]], { order: 'id' }))
    expect(await seen('tom')).toEqual([mine, free])
    expect(await seen('eve')).toEqual([theirs, free])
    expect(await seen('mia')).toEqual([mine, theirs, free])
    const [row] = await people.as('mia', (env) => env.model('sale.order').read([theirs], ['line_ids']))
    const read = people.as('tom', (env) => env.model('sale.order.line').read(row!.line_ids, ['name']))
    await expect(read).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await expect(call('tom', theirs, 'action_confirm')).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('users of other departments cannot see orders, not even their number on the partner', async () => {
    await expect(people.as('ann', (env) => env.model('sale.order').count([]))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
    const [row] = await people.as('ann', (env) => env.model('core.partner').read([customer], ['name', 'total_sold']))
    expect(row).toEqual({ id: customer, name: 'Testing Works' })
  })

  test('a company sees its own orders and the shared ones', async () => {
    const other = await people.asSystem(async (env) => {
      const [eur] = await env.model('core.currency').search([['name', '=', 'EUR']])
      return env.model('core.company').create({ name: 'Elsewhere', currency_id: eur! })
    })
    await people.hire('far', ['sale.group_manager'], { company_id: other, company_ids: [other] })
    const here = await create('mia')
    const there = await create('far')
    const seen = (login: string) =>
      people.as(login, (env) => env.model('sale.order').search([['id', 'in', [here, there]]]))
    expect([await seen('mia'), await seen('far')]).toEqual([[here], [there]])
    const steal = people.as('mia', (env) => env.model('sale.order').write([here], { company_id: other }))
    await expect(steal).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('administrators manage sales by being administrators', async () => {
    const id = await create('tom')
    await expect(call('admin', id, 'action_confirm')).resolves.toBe(true)
  })
})

test('a partner shows the number of its orders and their sum', async () => {
  const partner_id = await people.as('tom', (env) => env.model('core.partner').create({ name: 'Buyer' }))
  const first = await create('tom', { partner_id })
  await create('tom', { partner_id })
  await call('tom', first, 'action_confirm')
  const [row] = await people.as('tom', (env) =>
    env.model('core.partner').read([partner_id], ['sale_order_count', 'total_sold', 'sale_currency_id']),
  )
  expect(row).toMatchObject({ sale_order_count: 2, total_sold: 100, sale_currency_id: [expect.any(Number), 'EUR'] })
  expect(
    await people.as('tom', (env) => env.model('core.partner').call([partner_id], 'action_view_sale_orders')),
  ).toEqual({
    redirect: `/web?model=sale.order&view_type=list#${new URLSearchParams({ where: JSON.stringify([['Buyer', [['partner_id', '=', partner_id]]]]) })}`,
  })
})
