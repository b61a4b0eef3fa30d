import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPeople, type People } from '../../../test/support/people.ts'
import { priceOf } from '../models/price-of.ts'

let people: People
let furniture: number
let desk: number
let pen: number
let list: number

type Item = Record<string, number | string | null>

beforeAll(async () => {
  people = await openPeople(['product'])
  await people.hire('mia', ['product.group_manager'])
  await people.hire('tom', ['product.group_user'])
  await people.as('mia', async (env) => {
    furniture = await env.model('product.category').create({ name: 'Rooms' })
    const desks = await env.model('product.category').create({ name: 'Tables', parent_id: furniture })
    desk = await env.model('product.product').create({ name: 'Test Desk', list_price: 200, category_id: desks })
    pen = await env.model('product.product').create({ name: 'Test Pen', list_price: 1.99 })
    list = await env.model('product.pricelist').create({ name: 'Testing' })
  })
})
afterAll(() => people.leave())

/** The price of a product with these items in the price list. */
const price = (items: readonly Item[], product: number, quantity = 1, date = '2026-06-15') =>
  people.as('mia', async (env) => {
    const all = items.map((item) => [0, 0, item] as const)
    const before = await env.model('product.pricelist.item').search([['pricelist_id', '=', list]])
    await env.model('product.pricelist.item').unlink(before)
    await env.model('product.pricelist').write([list], { item_ids: all })
    return priceOf(env, list, product, quantity, date)
  })

test('without a price in the list a product costs its sales price', async () => {
  expect(await price([], desk)).toBe(200)
  expect(await price([{ category_id: furniture, percent: 10 }], pen)).toBe(1.99)
})

test('the nearest price counts: product before category before everything', async () => {
  const [all, category, product] = [
    { percent: 50 },
    { category_id: furniture, percent: 10 },
    { product_id: desk, kind: 'fixed', fixed_price: 149 },
  ]
  expect(await price([all], desk)).toBe(100)
  expect(await price([all, category], desk)).toBe(180)
  expect(await price([all, category, product], desk)).toBe(149)
})

test('among equals the highest quantity that is reached counts', async () => {
  const items = [
    { product_id: desk, percent: 5, min_quantity: 5 },
    { product_id: desk, percent: 20, min_quantity: 20 },
  ]
  expect([await price(items, desk, 4), await price(items, desk, 5), await price(items, desk, 20)]).toEqual([
    200, 190, 160,
  ])
})

test('a price counts from its first day to its last', async () => {
  const items = [{ product_id: desk, percent: 25, date_start: '2026-06-01', date_end: '2026-06-30' }]
  const on = (date: string) => price(items, desk, 1, date)
  expect([await on('2026-05-31'), await on('2026-06-01'), await on('2026-06-30'), await on('2026-07-01')]).toEqual([
    200, 150, 150, 200,
  ])
})

test('a discount is rounded by the currency', async () => {
  expect(await price([{ percent: 33.333 }], pen)).toBe(1.33)
  expect(await price([{ percent: -5 }], pen)).toBe(2.09)
})

test('in another currency only a fixed price is a price', async () => {
  const answer = await people.as('mia', async (env) => {
    const [usd] = await env.model('core.currency').search([['name', '=', 'USD']])
    const dollars = await env.model('product.pricelist').create({
      name: 'Dollars',
      currency_id: usd!,
      item_ids: [[0, 0, { product_id: desk, kind: 'fixed', fixed_price: 230 }]],
    })
    return [await priceOf(env, dollars, desk, 1, '2026-06-15'), await priceOf(env, dollars, pen, 1, '2026-06-15')]
  })
  expect(answer).toEqual([230, null])
})

test('a price is for one thing, not negative, and ends after it begins', async () => {
  const refused = async (item: Item, field: string) =>
    expect(price([item], desk)).rejects.toMatchObject({
      code: 'VALIDATION',
      details: { fields: { [field]: expect.any(String) } },
    })
  await refused({ product_id: desk, category_id: furniture, percent: 1 }, 'category_id')
  await refused({ kind: 'fixed' }, 'fixed_price')
  await refused({ kind: 'fixed', fixed_price: -1 }, 'fixed_price')
  await refused({ percent: 101 }, 'percent')
  await refused({ percent: 1, date_start: '2026-06-02', date_end: '2026-06-01' }, 'date_end')
})

test('users of sales can compute prices', async () => {
  expect(await people.as('tom', (env) => priceOf(env, list, desk, 1, '2026-06-15'))).toEqual(expect.any(Number))
})
