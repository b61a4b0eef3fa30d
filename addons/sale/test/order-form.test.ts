import { afterAll, beforeAll, expect, test } from 'vitest'
import { onchange } from '../../../kernel/orm/onchange/onchange.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People
let pens: number
let tax: number
let wholesale: number
let dollars: number

beforeAll(async () => {
  people = await openPeople(['sale'])
  await people.hire('mia', ['sale.group_manager'])
  await people.as('mia', async (env) => {
    const idOf = async (name: string) => (await env.model('product.uom').search([['name', '=', name]]))[0]!
    tax = await env.model('sale.tax').create({ name: 'Tenth', amount: 10 })
    pens = await env.model('product.product').create({
      name: 'Test Pen',
      description: 'Blue ink.',
      list_price: 2,
      uom_id: await idOf('Units'),
      tax_ids: [tax],
    })
    const item = { product_id: pens, min_quantity: 10, kind: 'fixed', fixed_price: 1.5 }
    wholesale = await env.model('product.pricelist').create({ name: 'Trade', item_ids: [[0, 0, item]] })
    const [usd] = await env.model('core.currency').search([['name', '=', 'USD']])
    dollars = await env.model('product.pricelist').create({ name: 'Dollars', currency_id: usd! })
  })
})
afterAll(() => people.leave())

type Parent = Parameters<typeof onchange>[2]['parent']

const edit = (model: string, values: Record<string, unknown>, changed: readonly string[], parent?: Parent) =>
  people.as('mia', (env) => onchange(env, env.registry.model(model)!, { values, changed, parent }))
const inOrder = (values: Record<string, unknown>): Parent => ({ field: 'order_id', values })

test('choosing a product fills in description, unit, price and taxes', async () => {
  const { value } = await edit('sale.order.line', { product_id: pens, quantity: 1 }, ['product_id'])
  expect(value).toMatchObject({
    name: 'Test Pen\nBlue ink.',
    price_unit: 2,
    uom_id: [expect.any(Number), 'Units'],
    tax_ids: [[4, tax]],
    subtotal: 2,
    total: 2.2,
  })
})

test('the price follows the price list and the currency of an order that is not saved yet', async () => {
  const trade = inOrder({ pricelist_id: wholesale })
  const few = await edit('sale.order.line', { product_id: pens, quantity: 9 }, ['product_id'], trade)
  expect(few.value).toMatchObject({ price_unit: 2, subtotal: 18 })
  const many = await edit('sale.order.line', { product_id: pens, quantity: 10, price_unit: 2 }, ['quantity'], trade)
  expect(many.value).toMatchObject({ price_unit: 1.5, subtotal: 15 })
})

test('a price list in another currency without a price says so', async () => {
  const { value, warnings } = await edit(
    'sale.order.line',
    { product_id: pens, quantity: 1 },
    ['product_id'],
    inOrder({ pricelist_id: dollars }),
  )
  expect(value).toMatchObject({ price_unit: 0 })
  expect(warnings).toEqual([expect.objectContaining({ field: 'price_unit', title: 'No price' })])
})

test('another unit of the same kind changes the price with it', async () => {
  const [dozen] = await people.as('mia', (env) => env.model('product.uom').search([['name', '=', 'Dozens']]))
  const { value } = await edit('sale.order.line', { product_id: pens, quantity: 1, uom_id: dozen }, ['uom_id'])
  expect(value).toMatchObject({ price_unit: 24, subtotal: 24 })
})

test('the line of a saved order sees that order', async () => {
  const id = await people.as('mia', async (env) => {
    const partner_id = await env.model('core.partner').create({ name: 'Saved' })
    return env.model('sale.order').create({ partner_id, pricelist_id: wholesale })
  })
  const { value } = await edit('sale.order.line', { product_id: pens, quantity: 12 }, ['product_id'], {
    field: 'order_id',
    id,
    values: {},
  })
  expect(value).toMatchObject({ price_unit: 1.5, subtotal: 18 })
})

test('a parent that is no many2one of the line, or does not exist, is refused', async () => {
  const ask = (parent: Parent) => edit('sale.order.line', { product_id: pens }, ['product_id'], parent)
  await expect(ask({ field: 'quantity', values: {} })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  await expect(ask({ field: 'order_id', id: 999_999, values: {} })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('choosing a customer brings their price list, its currency and their seller', async () => {
  const seller = await people.hire('tom', ['sale.group_user'])
  const partner = await people.as('mia', (env) =>
    env.model('core.partner').create({ name: 'Export', pricelist_id: dollars, user_id: seller }),
  )
  const { value } = await edit('sale.order', { partner_id: partner }, ['partner_id'])
  expect(value).toMatchObject({
    pricelist_id: [dollars, 'Dollars'],
    currency_id: [expect.any(Number), 'USD'],
    user_id: [seller, 'tom'],
  })
})

test('a form adds up its lines before anything is saved', async () => {
  const line = { name: 'A', quantity: 3, price_unit: 0.335, tax_ids: [tax] }
  const { value } = await edit('sale.order', { line_ids: [[0, 'new_1', line]] }, ['line_ids'])
  expect(value).toMatchObject({ amount_untaxed: 1.01, amount_tax: 0.1, amount_total: 1.11 })
})

test('prices of an order are taken from its price list anew', async () => {
  const id = await people.as('mia', async (env) => {
    const partner_id = await env.model('core.partner').create({ name: 'Updated' })
    const line = { product_id: pens, quantity: 10, price_unit: 99 }
    return env.model('sale.order').create({ partner_id, pricelist_id: wholesale, line_ids: [[0, 0, line]] })
  })
  await people.as('mia', (env) => env.model('sale.order').call([id], 'action_update_prices'))
  const [order] = await people.as('mia', (env) => env.model('sale.order').read([id], ['amount_untaxed']))
  expect(order!.amount_untaxed).toBe(15)
})
