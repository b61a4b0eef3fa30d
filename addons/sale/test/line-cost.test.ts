import { afterAll, beforeAll, expect, test } from 'vitest'
import { onchange } from '../../../kernel/orm/onchange/onchange.ts'
import { expectTurnsBelow } from '../../../test/support/cpu-time.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People
let products: readonly number[]
let partner_id: number
let pricelist_id: number

beforeAll(async () => {
  people = await openPeople(['sale'])
  await people.hire('mia', ['sale.group_manager'])
  await people.as('mia', async (env) => {
    const all = Array.from({ length: 20 }, (_, i) => ({ name: `Part ${i}`, list_price: 10 + i }))
    products = await env.model('product.product').createMany(all)
    partner_id = await env.model('core.partner').create({ name: 'Testing Works' })
    pricelist_id = await env.model('product.pricelist').create({ name: 'Half', item_ids: [[0, 0, { percent: 50 }]] })
  })
})
afterAll(() => people.leave())

const orderWith = (count: number) => ({
  partner_id,
  pricelist_id,
  line_ids: Array.from(
    { length: count },
    (_, i) => [0, 0, { product_id: products[i % products.length]!, quantity: 1 + i }] as const,
  ),
})

const createWith = (count: number) =>
  people.as('mia', async (env) => {
    const before = people.database.statements.length
    const id = await env.model('sale.order').create(orderWith(count))
    return { id, statements: people.database.statements.length - before }
  })

test('an order with any number of lines without prices is priced in the same number of statements', async () => {
  const few = await createWith(5)
  const many = await createWith(600)
  expect(many.statements).toBe(few.statements)
  const lines = await people.as('mia', (env) =>
    env.model('sale.order.line').searchRead([['order_id', '=', many.id]], ['name', 'price_unit'], { order: 'id' }),
  )
  expect(lines).toHaveLength(600)
  expect(lines.every(({ price_unit }) => price_unit !== null)).toBe(true)
  expect(lines[21]).toMatchObject({ name: 'Part 1', price_unit: 5.5 })
})

const STALL_MS = 50

test('an order with 1,000 lines never holds up the loop while it is created or edited', async () => {
  await expectTurnsBelow(STALL_MS, () => createWith(1_000))
  const values = orderWith(1_000)
  const edit = () =>
    people.as('mia', (env) =>
      onchange(env, env.registry.model('sale.order')!, { values, changed: ['partner_id', 'line_ids'] }),
    )
  await expectTurnsBelow(STALL_MS, edit)
})
