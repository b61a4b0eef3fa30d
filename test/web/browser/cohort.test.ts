import { readFile } from 'node:fs/promises'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
let signedIn: SignedIn
let page: Page

beforeAll(async () => {
  signedIn = await client.signIn()
  page = signedIn.page
  await signedIn.go('/web?model=sale.order&view_type=cohort#measure=__count')
  await page.getByRole('button', { name: 'Churn' }).waitFor()
})
afterAll(async () => {
  expect(signedIn.complaints).toEqual([])
  await page?.context().close()
})

const query = <T>(statement: ReturnType<typeof sql<T>>): Promise<readonly T[]> =>
  client.modules().asSystem(async (env) => (await statement.execute(env.tx)).rows)

/** The rule of companies, for a user of one. */
const MINE = sql`(company_id is null or company_id = (select company_id from core_user where login = 'admin'))`

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const choose = async (button: string, item: string) => {
  await press(button)
  await page.getByRole('menuitemradio', { name: item, exact: true }).click()
}
/** Size and shares of every cohort; a period that has not begun is empty. */
const shares = () =>
  page
    .locator('.cohort tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('td')].map((cell) => (cell.textContent ?? '').trim())),
    )

/** The same from one statement: for each month of orders, the share confirmed until the end of the k-th month after it. */
async function expectedShares(weight: ReturnType<typeof sql>, isChurn: boolean): Promise<string[][]> {
  const rows = await query(sql<{ day: string; total: number; gone: number[]; reached: number }>`
    with cohorts as (
      select date_trunc('month', date_order at time zone 'UTC') as month, date_trunc('month', confirmed_at at time zone 'UTC') as stop, ${weight} as w
      from sale_order where ${MINE})
    select month::date::text as day, sum(w)::float8 as total,
      (extract(year from age(date_trunc('month', now()), month)) * 12 + extract(month from age(date_trunc('month', now()), month)))::int as reached,
      (select array_agg((select coalesce(sum(c.w), 0)::float8 from cohorts c where c.month = m.month and c.stop <= m.month + make_interval(months => k)) order by k)
       from generate_series(0, 15) k) as gone
    from cohorts m where month is not null group by month order by month`)
  const columns = Math.min(16, Math.max(...rows.map(({ reached }) => reached)) + 1)
  return rows.map(({ total, gone, reached }) => [
    ...Array.from({ length: columns }, (_, k) => {
      const left = gone[k] ?? 0
      return k > reached ? '' : `${Math.round(((isChurn ? left : total - left) / total) * 100)}%`
    }),
  ])
}

test('shares of churn and retention are those of the database', async () => {
  const count = sql`1`
  await expect
    .poll(async () => (await shares()).map(([, ...cells]) => cells))
    .toEqual(await expectedShares(count, true))
  await press('Retention')
  await expect
    .poll(async () => (await shares()).map(([, ...cells]) => cells))
    .toEqual(await expectedShares(count, false))
  expect(page.url()).toContain('mode=retention')
})

test('another measure weighs the records', async () => {
  await choose('Count', 'Untaxed Amount')
  const expected = await expectedShares(sql`amount_untaxed`, false)
  await expect.poll(async () => (await shares()).map(([, ...cells]) => cells)).toEqual(expected)
  // The average that a graph may leave in the address is no measure of shares.
  await signedIn.go('/web?model=sale.order&view_type=cohort#measure=amount_untaxed:avg&mode=retention')
  await expect.poll(async () => (await shares()).map(([, ...cells]) => cells)).toEqual(expected)
  await choose('Untaxed Amount', 'Count')
  const counted = await expectedShares(sql`1`, false)
  await expect.poll(async () => (await shares()).map(([, ...cells]) => cells)).toEqual(counted)
})

test('a cell leads to its records', async () => {
  const cell = page.locator('.cohort tbody tr').last().locator('td.h a').first()
  const [value] = ((await cell.getAttribute('data-tip')) ?? '').split(' ')
  await cell.click()
  await page.locator('.viewhost[aria-busy=false] [role=grid]').waitFor()
  await expect.poll(() => page.locator('.pager').first().textContent()).toContain(value!)
  await page.goBack()
  await page.locator('.cohort').waitFor()
})

test('the interval and the direction change; the file has a line per cohort', async () => {
  await choose('Month', 'Year')
  const years = await query(sql<{ n: number }>`
    select count(distinct date_trunc('year', date_order at time zone 'UTC'))::int as n from sale_order where ${MINE}`)
  await expect.poll(() => page.locator('.cohort tbody tr').count()).toBe(years[0]!.n)
  await page.locator('.cohort th:text-is("Year 0")').waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), press('Table (CSV)')])
  const lines = (await readFile((await download.path())!, 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(years[0]!.n + 2)
  await choose('Forward', 'Backward')
  await expect.poll(() => page.locator('.cohort thead th').last().textContent()).toBe('Year 0')
  await choose('Backward', 'Forward')
  await choose('Year', 'Month')
})

test('a change by another user changes the cohort', async () => {
  const size = async () => Number((await shares()).at(-1)![0])
  await page.locator('.cohort th:text-is("Month 0")').waitFor()
  const before = await size()
  await client.modules().asSystem(async (env) => {
    const [user] = await env.model('core.user').search([['login', '=', 'admin']])
    const [row] = await env.model('core.user').read([user!], ['company_id'])
    const [partner] = await env.model('core.partner').search([['company_id', '=', null]], { limit: 1 })
    const [currency] = await env.model('core.currency').search([], { limit: 1 })
    await env
      .model('sale.order')
      .create({ partner_id: partner!, currency_id: currency!, company_id: row!.company_id![0] })
  })
  await expect.poll(size).toBe(before + 1)
})

test('the search panel asks for its counts when the figures are there', async () => {
  const calls: string[] = []
  const noteAs = (what: string) => (request: Request) => {
    const body = request.url().endsWith('/api/rpc') ? request.postDataJSON() : null
    if (body?.model === 'crm.lead' && body.method === 'read_group') calls.push(`${what} ${body.args[0].groupby.join()}`)
  }
  const [asked, got] = [noteAs('ask'), noteAs('got')]
  page.on('request', asked).on('requestfinished', got)
  await signedIn.go('/web?model=crm.lead&view_type=cohort#measure=__count')
  await page.locator('.spanel button').first().waitFor()
  expect(calls.slice(0, 2)).toEqual(['ask date_open:month,date_closed:month', 'got date_open:month,date_closed:month'])
  expect(calls[2]).toMatch(/^ask \w+_id$/)
  page.off('request', asked).off('requestfinished', got)
  await signedIn.go('/web?model=sale.order&view_type=cohort#measure=__count')
  await page.getByRole('grid').waitFor()
})

test('it passes the accessibility rules, on a phone too', async () => {
  await allLoaded(page)
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test('on a phone most of the width is for the periods, and the names of the cohorts stay when it is scrolled', async () => {
  const periods = () =>
    page
      .locator('.cohort thead th')
      .evaluateAll((heads) => heads.slice(2).filter((head) => head.getBoundingClientRect().right <= 378).length)
  await expect.poll(periods).toBeGreaterThanOrEqual(3)
  const name = page.locator('.cohort tbody th').first()
  const before = await name.boundingBox()
  await page.locator('.cohort').evaluate((table) => table.parentElement!.scrollBy(150, 0))
  expect((await name.boundingBox())!.x).toBeLessThanOrEqual(before!.x)
  await expect(name.evaluate((cell) => cell.getBoundingClientRect().left >= 12)).resolves.toBe(true)
})

test('arrow keys go from cell to cell, and Enter opens the records behind one', async () => {
  await signedIn.followAnew('/web?model=sale.order&view_type=cohort#measure=__count')
  const table = page.getByRole('grid')
  await table.waitFor()
  const cell = (row: number, column: number) =>
    table.locator('tbody tr').nth(row).locator('td').nth(column).locator('a')
  const isFocused = (row: number, column: number) =>
    cell(row, column).evaluate((link) => link === document.activeElement)
  await cell(0, 0).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => isFocused(1, 0)).toBe(true)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => isFocused(1, 1)).toBe(true)
  await expect.poll(() => table.locator('a:not([tabindex="-1"])').count()).toBe(1)
  await page.keyboard.press('Enter')
  await page.waitForURL(/view_type=list/)
})
