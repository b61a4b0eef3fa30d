import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['sale'])
  await people.hire('mia', ['sale.group_manager'])
  await people.hire('tom', ['sale.group_user'])
})
afterAll(() => people.leave())

test('an order is numbered, priced and added up', async () => {
  const row = await people.as('tom', async (env) => {
    const partner_id = await env.model('core.partner').create({ name: 'Customer' })
    const id = await env.model('sale.order').create({
      partner_id,
      line_ids: [[0, 0, { name: 'Work', quantity: 3, price_unit: 33.335 }]],
    })
    const [order] = await env.model('sale.order').read([id], ['name', 'state', 'amount_total'])
    return order
  })
  expect(row).toMatchObject({ name: expect.stringMatching(/^S\d{5}$/), state: 'draft', amount_total: 100.02 })
})
