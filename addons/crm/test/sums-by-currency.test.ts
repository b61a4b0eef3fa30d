import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['crm'])
  await sellAbroad()
})
afterAll(() => people.leave())

/** Confirms, for a deal and its customer that have ordered in their own currency, orders in two others. */
const sellAbroad = () =>
  people.as('demo@example.com', async (env) => {
    const [order] = await env.model('sale.order').searchRead(
      [
        ['state', '=', 'sale'],
        ['lead_id.order_count', '>', 0],
      ],
      ['lead_id', 'partner_id', 'company_id'],
      {
        limit: 1,
      },
    )
    const currencies = await env.model('core.currency').searchRead([['name', 'in', ['JPY', 'CHF']]], ['name'])
    const [lead, customer] = [order!.lead_id![0], order!.partner_id[0]]
    for (const { id: currency_id } of currencies) {
      const values = { partner_id: customer, company_id: order!.company_id![0], lead_id: lead, currency_id }
      const id = await env
        .model('sale.order')
        .create({ ...values, line_ids: [[0, 0, { name: 'Work', quantity: 3, price_unit: 1_250 }]] })
      await env.model('sale.order').call([id], 'action_confirm')
    }
  })

interface Sum {
  readonly id: number
  readonly currency: string
  readonly total: number
}

const rowsOf = async (column: 'lead_id' | 'partner_id', amount: 'amount_total' | 'amount_untaxed') => {
  const { rows } = await sql<Sum>`
    select o.${sql.ref(column)} as id, c.name as currency, sum(o.${sql.ref(amount)})::float8 as total
    from sale_order o join core_currency c on c.id = o.currency_id
    where o.state in ('sale', 'done') and o.${sql.ref(column)} is not null group by 1, 2 order by 1, 3 desc, 2`.execute(
    people.database.db,
  )
  return rows
}

/** The sums as shown to readers of this language. */
const written = (rows: readonly Sum[], lang: string): ReadonlyMap<number, string> => {
  const texts = new Map<number, string>()
  for (const { id, currency, total } of rows) {
    const text = total.toLocaleString(lang, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    texts.set(id, texts.has(id) ? `${texts.get(id)} · ${text}` : text)
  }
  return texts
}

test.each(['en', 'de'])(
  'a deal says what was ordered in each currency, as the rows of its orders add up (%s)',
  async (lang) => {
    const expected = written(await rowsOf('lead_id', 'amount_total'), lang)
    const shown = await people.as('demo@example.com', (env) =>
      env
        .inLanguage(lang)
        .model('crm.lead')
        .searchRead([['order_count', '>', 0]], ['ordered_amounts'], { archived: 'include', limit: 500 }),
    )
    expect(shown.length).toBeGreaterThan(5)
    expect(new Map(shown.map(({ id, ordered_amounts }) => [id, ordered_amounts]))).toEqual(expected)
    expect([...expected.values()].some((text) => text.split(' · ').length === 3)).toBe(true)
  },
)

test('a customer shows the sales in each currency, equal to the sums over the orders', async () => {
  const expected = written(await rowsOf('partner_id', 'amount_untaxed'), 'en')
  const shown = await people.as('demo@example.com', (env) =>
    env
      .model('core.partner')
      .searchRead([['id', 'in', [...expected.keys()]]], ['sold_amounts'], { archived: 'include', limit: 500 }),
  )
  expect(new Map(shown.map(({ id, sold_amounts }) => [id, sold_amounts]))).toEqual(expected)
})
