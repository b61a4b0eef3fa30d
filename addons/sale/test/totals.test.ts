import { afterAll, beforeAll, expect, test } from 'vitest'
import { sumMoney } from '#kernel'
import { openPeople, type People } from '../../../test/support/people.ts'
import { below, pick, randomOf } from '../../../test/support/seeded-random.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['sale'])
  await people.hire('mia', ['sale.group_manager'])
})
afterAll(() => people.leave())

test('the totals of an order are the sums of the amounts of its lines, to the last cent, in every currency', async () => {
  const random = randomOf(2_026)
  await people.as('mia', async (env) => {
    const taxes = await env.model('sale.tax').createMany([
      { name: 'T1', amount: 19 },
      { name: 'T2', amount: 8.875 },
      { name: 'T3', kind: 'fixed', amount: 0.333 },
    ])
    const currencies = await env.model('core.currency').search([['name', 'in', ['EUR', 'JPY', 'KWD', 'CHF']]])
    const partner_id = await env.model('core.partner').create({ name: 'Property' })
    const line = () => ({
      name: 'L',
      quantity: (1 + below(random, 4_000)) / 100,
      price_unit: below(random, 1_000_000) / 1_000,
      discount: pick(random, [0, 0, 5, 12.5, 33.333]),
      tax_ids: taxes.filter(() => random() < 0.5),
    })
    const ids = await env.model('sale.order').createMany(
      Array.from({ length: 60 }, () => ({
        partner_id,
        currency_id: pick(random, currencies),
        line_ids: Array.from({ length: 1 + below(random, 6) }, () => [0, 0, line()] as const),
      })),
    )
    const orders = await env
      .model('sale.order')
      .read(ids, ['line_ids', 'amount_untaxed', 'amount_tax', 'amount_total', 'currency_id'])
    for (const order of orders) {
      const lines = await env.model('sale.order.line').read(order.line_ids, ['subtotal', 'tax_amount', 'total'])
      expect(order.amount_untaxed).toBe(sumMoney(lines.map((one) => one.subtotal)))
      expect(order.amount_tax).toBe(sumMoney(lines.map((one) => one.tax_amount)))
      expect(order.amount_total).toBe(sumMoney([order.amount_untaxed, order.amount_tax]))
      expect(order.amount_total).toBe(sumMoney(lines.map((one) => one.total)))
      if (order.currency_id[1] === 'JPY') expect(Number.isInteger(order.amount_total)).toBe(true)
    }
  })
})
