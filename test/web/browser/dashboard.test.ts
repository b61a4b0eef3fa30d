import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
let signedIn: SignedIn
let page: Page
let dashboard: number

/** Where the dashboard of the sales app is. */
const addressOf = (id: number, state = '') => `/web?model=sys.dashboard&view_type=form&id=${id}${state}`

beforeAll(async () => {
  signedIn = await client.signIn()
  page = signedIn.page
  const [found] = await query(sql<{ id: number }>`select id from sys_dashboard where module = 'sale'`)
  dashboard = found!.id
  await signedIn.go(addressOf(dashboard, '#period=year'))
  await tile('Orders by Week').locator('canvas').waitFor()
})
afterAll(async () => {
  expect(signedIn.complaints).toEqual([])
  await page?.context().close()
})

const query = <T>(statement: ReturnType<typeof sql<T>>): Promise<readonly T[]> =>
  client.modules().asSystem(async (env) => (await statement.execute(env.tx)).rows)

/** The rule of companies, for a user of one. */
const MINE = sql`(company_id is null or company_id = (select company_id from core_user where login = 'admin'))`
const CONFIRMED = sql`state in ('sale', 'done')`
const THIS_YEAR = sql`confirmed_at >= date_trunc('year', now() at time zone 'UTC') at time zone 'UTC'`

const tile = (title: string, of = page) => of.getByRole('region', { name: title, exact: true }).first()
const number = (text: string | null) => Number((text ?? '').replace(/[^\d.-]/g, ''))
const figure = async (title: string, of = page) => number(await tile(title, of).locator('.kpi b').textContent())

const countInYear = async () => {
  const [row] = await query(sql<{ n: number }>`
    select count(*)::int as n from sale_order
    where ${MINE} and state <> 'cancel' and date_order >= date_trunc('year', now() at time zone 'UTC') at time zone 'UTC'
      and date_order < (date_trunc('year', now() at time zone 'UTC') + interval '1 year') at time zone 'UTC'`)
  return row!.n
}

test('figures are what the database counts in the period, and a period before has its own', async () => {
  await expect.poll(() => figure('Quotations Written')).toBe(await countInYear())
  const [total] = await query(sql<{ currency: string; sum: number }>`
    select c.name as currency, sum(amount_untaxed)::float8 as sum from sale_order o join core_currency c on c.id = o.currency_id
    where (o.company_id is null or o.company_id = (select company_id from core_user where login = 'admin'))
      and o.${CONFIRMED} and o.${THIS_YEAR} group by 1 order by 2 desc limit 1`)
  await expect.poll(() => figure('Orders')).toBe(Math.round(total!.sum))
})

test('the pivot of a tile has the sums of the database', async () => {
  const sums = await query(sql<{ sum: number }>`
    select sum(amount_untaxed)::float8 as sum from sale_order where ${MINE} and ${CONFIRMED} and ${THIS_YEAR}`)
  const total = tile('Salespeople by Month').locator('tfoot td').last()
  await expect.poll(async () => number(await total.textContent())).toBeCloseTo(sums[0]!.sum, 1)
})

test('a tile lists the records of its filter and leads to all of them', async () => {
  const [expired] = await query(sql<{ n: number }>`
    select count(*)::int as n from sale_order where ${MINE} and state in ('draft', 'sent') and validity_date < current_date`)
  await tile('Expired Quotations')
    .getByRole('link', { name: `All ${expired!.n}` })
    .waitFor()
})

test('a new order changes the figure at once, without a reload', async () => {
  const before = await figure('Quotations Written')
  await client.modules().asSystem(async (env) => {
    const [user] = await env.model('core.user').searchRead([['login', '=', 'admin']], ['company_id'])
    const [partner] = await env.model('core.partner').search([], { limit: 1 })
    const [currency] = await env.model('core.currency').search([['name', '=', 'EUR']])
    const company_id = user!.company_id![0]
    await env.model('sale.order').create({ partner_id: partner!, company_id, currency_id: currency! })
  })
  await expect.poll(() => figure('Quotations Written')).toBe(before + 1)
  expect(await countInYear()).toBe(before + 1)
})

test('the title of a tile opens the full view with the filter of the dashboard', async () => {
  await tile('Orders by Week').getByRole('link', { name: 'Orders by Week', exact: true }).click()
  await page.locator('.graphview .charttable, .graphview canvas').first().waitFor()
  await page.locator('.facet', { hasText: String(new Date().getFullYear()) }).waitFor()
  expect(page.url()).toContain('view_type=graph')
  await page.goBack()
  await tile('Orders by Week').locator('canvas').waitFor()
})

test('somebody who may not read orders is told so by each tile, and nothing else', async () => {
  const reader = await client.signIn('reader')
  await reader.go(addressOf(dashboard))
  await reader.page.getByText('You may not see what this tile shows.').nth(7).waitFor()
  expect(await reader.page.locator('.dtile').allTextContents()).toEqual(
    Array.from({ length: 8 }, () => 'No accessYou may not see what this tile shows.'),
  )
  await reader.page.context().close()
})

test('it is accessible', async () => {
  await allLoaded(page)
  expect(await findViolations(page)).toEqual([])
})
