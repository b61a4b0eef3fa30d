import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kernel'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['sale'])
})
afterAll(() => people.leave())

test('the demo data has customers on a map, products, and orders of every state around today', async () => {
  await people.asSystem(async (env) => {
    expect(await env.model('core.partner').count([['latitude', '!=', null]])).toBeGreaterThan(100)
    expect(await env.model('product.product').count([])).toBeGreaterThan(50)
    expect(await env.model('sale.order').count([])).toBeGreaterThan(140)
    for (const state of ['draft', 'sent', 'sale', 'done', 'cancel']) {
      expect(await env.model('sale.order').count([['state', '=', state]])).toBeGreaterThan(3)
    }
    expect(await env.model('sale.order').count([['date_order', '>', '-14d']])).toBeGreaterThan(10)
    expect(await env.model('sale.order').count([['date_order', '>', 'now']])).toBe(0)
    expect(await env.model('sale.order').count([['confirmed_at', '>', 'now']])).toBe(0)
    expect(await env.model('sale.order').count([['amount_total', '<=', 0]])).toBe(0)
    expect(await env.model('sale.order').count([['name', '=', null]])).toBe(0)
  })
})

test('the example orders speak the language of their customers', async () => {
  await people.asSystem(async (env) => {
    const lines = await env.model('sale.order.line').searchRead(
      [
        ['product_id.code', '=', 'DSK-100'],
        ['order_id.partner_id.lang', '=', 'de'],
      ],
      ['name'],
    )
    expect(lines.length).toBeGreaterThan(0)
    expect(new Set(lines.map(({ name }) => name))).toEqual(new Set(['Schreibtisch Eiche 140']))
  })
})

test('two companies share some records and keep others to themselves', async () => {
  const counts = (login: string) =>
    people.as(login, async (env) => ({
      companies: env.user.companyIds.length,
      orders: await env.model('sale.order').count([]),
      own: await env.model('product.product').count([['company_id', '!=', null]]),
      shared: await env.model('product.product').count([['company_id', '=', null]]),
      partners: await env.model('core.partner').count([['company_id', '!=', null]]),
    }))
  const both = await counts('demo@example.com')
  const second = await counts('mia@example.com')
  expect(both.companies).toBe(2)
  expect(second.companies).toBe(1)
  expect(second.orders).toBeGreaterThan(20)
  expect(both.orders).toBeGreaterThan(second.orders)
  expect(second.shared).toBe(both.shared)
  expect(second.own).toBe(both.own)
  const tomas = await counts('tomas@example.com')
  expect(tomas).toMatchObject({ own: 0, partners: 0 })
})

test('no example user has a password', async () => {
  const { rows } = await sql<{ login: string }>`
    select u.login from sys_credential c join core_user u on u.id = c.user_id
    where u.login like '%@example.com' and c.password_hash is not null`.execute(people.database.db)
  expect(rows).toEqual([])
})
