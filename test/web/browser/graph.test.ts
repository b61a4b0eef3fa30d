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
  await signedIn.go(ORDERS)
  await page.locator('canvas').waitFor()
})
afterAll(async () => {
  expect(signedIn.complaints).toEqual([])
  await page?.context().close()
})

const ORDERS = '/web?model=sale.order&view_type=graph'

/** The rule of companies, for a user of one. */
const MINE = sql`(company_id is null or company_id = (select company_id from core_user where login = 'admin'))`

/** Another state of the same view: what is on screen changes, and nothing is mounted anew. */
async function show(address: string, mark: string): Promise<void> {
  await page.evaluate((href) => {
    const link = document.body.appendChild(Object.assign(document.createElement('a'), { href }))
    link.click()
    link.remove()
  }, address)
  await page.locator(mark).first().waitFor()
  await page.locator('.viewhost[aria-busy=false]').first().waitFor()
}

const query = <T>(statement: ReturnType<typeof sql<T>>): Promise<readonly T[]> =>
  client.modules().asSystem(async (env) => (await statement.execute(env.tx)).rows)

/** The table of the chart: every row with its cells as text. */
const tableRows = () =>
  page
    .locator('.charttable tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').trim())))
const number = (text: string | undefined) =>
  text === '' || text === '–' ? 0 : Number((text ?? '').replace(/[^\d.-]/g, ''))
const lastCell = () => page.locator('.charttable tfoot td').last().textContent()
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const choose = async (button: string, item: string) => {
  await press(button)
  await page.getByRole('menuitemradio', { name: item, exact: true }).click()
}

const months = () =>
  query(sql<{ month: string; total: number; orders: number }>`
    select to_char(date_trunc('month', date_order at time zone 'UTC'), 'YYYY-MM') as month,
      sum(amount_untaxed)::float8 as total, count(*)::int as orders
    from sale_order where ${MINE} group by 1 order by 1`)

test('the table has a row per month with the sums of the database, also for months without orders', async () => {
  await press('Table')
  await page.locator('.charttable').waitFor()
  const expected = await months()
  const rows = await tableRows()
  const totals = rows.map((row) => number(row.at(-1))).filter((total) => total !== 0)
  expect(totals.map((total) => total.toFixed(2))).toEqual(expected.map(({ total }) => total.toFixed(2)))
  const [first, last] = [expected[0]!.month, expected.at(-1)!.month]
  const span = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5))
  expect(rows).toHaveLength(span(last) - span(first) + 1)
  const sum = expected.reduce((total, each) => total + each.total, 0)
  expect(number((await lastCell()) ?? '')).toBeCloseTo(sum, 2)
  await expect.poll(() => page.locator('.kpis b').first().textContent()).toBe(await lastCell())
})

test('the currencies of an amount are asked for together with its sums, and not at all for a count', async () => {
  const calls: string[] = []
  const noteAs = (what: string) => (request: Request) => {
    const body = request.url().endsWith('/api/rpc') ? request.postDataJSON() : null
    const groups = body?.method === 'read_group' ? (body.args[0].groupby as readonly string[]).join() : ''
    if (body?.model === 'sale.order' && /currency|date_order/.test(groups)) calls.push(`${what} ${groups}`)
  }
  const [asked, got] = [noteAs('ask'), noteAs('got')]
  page.on('request', asked).on('requestfinished', got)
  await signedIn.go(`${ORDERS}#group=date_order:month&measure=__count`)
  await allLoaded(page)
  expect(calls).toEqual(['ask date_order:month', 'got date_order:month'])
  calls.length = 0
  await choose('Count', 'Untaxed Amount')
  await expect.poll(() => calls.length).toBe(4)
  expect(calls.slice(0, 2)).toEqual(['ask date_order:month', 'ask currency_id'])
  page.off('request', asked).off('requestfinished', got)
  await signedIn.go(`${ORDERS}#table=1`)
  await page.locator('.charttable').waitFor()
})

test('the measure and the interval change; an average has averages as totals', async () => {
  await choose('Untaxed Amount', 'Count')
  await expect
    .poll(async () => number((await lastCell()) ?? ''))
    .toBe((await months()).reduce((sum, each) => sum + each.orders, 0))
  await choose('Month', 'Year')
  const years = await query(sql<{ orders: number }>`
    select count(*)::int as orders from sale_order where ${MINE} group by date_trunc('year', date_order at time zone 'UTC') order by min(date_order)`)
  await expect
    .poll(async () => (await tableRows()).map((row) => number(row.at(-1))))
    .toEqual(years.map(({ orders }) => orders))
  await choose('Count', 'Untaxed Amount (average)')
  const [mean] = await query(
    sql<{ mean: number }>`select avg(amount_untaxed)::float8 as mean from sale_order where ${MINE}`,
  )
  await expect.poll(async () => number((await lastCell()) ?? '')).toBeCloseTo(mean!.mean, 1)
  expect(page.url()).toContain('measure=amount_untaxed%3Aavg')
  expect(page.url()).toContain('group=date_order%3Ayear%2Cuser_id')
})

test('a figure leads to its records', async () => {
  const link = page.locator('.charttable tbody tr').last().locator('a').last()
  const name = await page.locator('.charttable tbody tr').last().locator('th').textContent()
  await link.click()
  await page.locator('.viewhost[aria-busy=false] [role=grid]').waitFor()
  expect(page.url()).toContain('view_type=list')
  await page.locator('.facet', { hasText: name! }).waitFor()
  const [year] = await query(sql<{ orders: number }>`
    select count(*)::int as orders from sale_order where ${MINE} and to_char(date_order at time zone 'UTC', 'YYYY') = ${name}`)
  await expect.poll(() => page.locator('.pager').first().textContent()).toContain(String(year!.orders))
  await page.goBack()
  await page.locator('.charttable').waitFor()
})

test('groups are sorted by their figures, and the file has the table', async () => {
  await show(`${ORDERS}#group=partner_id&measure=__count&table=1`, '.charttable th:text-is("Customer")')
  await choose('Sort', 'Largest first')
  const counts = async () => (await tableRows()).map((row) => number(row.at(-1)))
  await expect.poll(async () => (await counts()).join()).toBe((await counts()).toSorted((a, b) => b - a).join())
  await press('Download')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Table (CSV)' }).click(),
  ])
  const lines = (await readFile((await download.path())!, 'utf8')).replace('\uFEFF', '').trim().split('\r\n')
  expect(download.suggestedFilename()).toBe('Count by Customer.csv')
  expect(lines[0]).toBe('Customer,Total')
  const partners = await query(
    sql<{ n: number }>`select count(distinct partner_id)::int as n from sale_order where ${MINE}`,
  )
  expect(lines).toHaveLength(partners[0]!.n + 2)
})

test('kinds of chart are drawn and kept in the address; a click leads to the records of a bar', async () => {
  await show(`${ORDERS}#group=state&measure=__count`, 'canvas')
  const canvas = page.locator('canvas')
  for (const [name, kind] of [
    ['Line chart', 'line'],
    ['Pie chart', 'pie'],
    ['Bar chart', 'bar'],
  ] as const) {
    await press(name)
    await expect.poll(() => page.url()).toContain(`chart=${kind}`)
    await page.getByRole('button', { name, exact: true, pressed: true }).waitFor()
  }
  await press('Download')
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Picture (PNG)' }).click(),
  ])
  const bytes = await readFile((await picture.path())!)
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  expect(bytes.length).toBeGreaterThan(5_000)
  const box = (await canvas.boundingBox())!
  await page.mouse.click(box.x + box.width / 2, box.y + box.height - 60)
  await page.locator('.viewhost[aria-busy=false] [role=grid]').waitFor()
  expect(decodeURIComponent(page.url())).toContain('"state"')
  await page.goBack()
  await canvas.waitFor()
})

test('a pie has a part for each month with a figure, no two alike, and grey only for records without a value', async () => {
  await show(`${ORDERS}#group=date_order:week,user_id&chart=pie&measure=__count`, 'canvas')
  const [weeks] = await query(sql<{ n: number }>`
    select count(distinct date_trunc('week', date_order at time zone 'UTC'))::int as n from sale_order where ${MINE}`)
  expect(weeks!.n).toBeGreaterThan(7)
  const legend = page.locator('.legend li[data-hue]')
  await expect.poll(() => legend.count()).toBe(Math.min(weeks!.n, 12))
  const looks = await legend.evaluateAll((all) =>
    all.map((item) => `${item.getAttribute('data-hue')} ${getComputedStyle(item).getPropertyValue('--strength')}`),
  )
  expect(new Set(looks).size).toBe(looks.length)
  expect(looks.filter((look) => look.startsWith('0'))).toEqual([])
  await expect.poll(() => page.locator('#graph-title').textContent()).toBe('Count by week')
})

test('a change by another user changes the figures', async () => {
  await show(`${ORDERS}#group=state&measure=__count&table=1`, '.charttable')
  const before = number((await lastCell()) ?? '')
  await client.modules().asSystem(async (env) => {
    const [partner] = await env.model('core.partner').search([['company_id', '=', null]], { limit: 1 })
    const [currency] = await env.model('core.currency').search([], { limit: 1 })
    const [user] = await env.model('core.user').search([['login', '=', 'admin']])
    const [row] = await env.model('core.user').read([user!], ['company_id'])
    await env
      .model('sale.order')
      .create({ partner_id: partner!, currency_id: currency!, company_id: row!.company_id![0] })
  })
  await expect.poll(async () => number((await lastCell()) ?? '')).toBe(before + 1)
})

test('a search that finds nothing says so', async () => {
  await show(`${ORDERS}&q=zzzz`, 'h2:text-is("Nothing matches “zzzz”")')
  await press('Show all')
})

test('a chart of several series names their colours in a tile too, beside one whose measure is gone', async () => {
  const id = await client.modules().asSystem(async (env) => {
    const [user_id] = await env.model('core.user').search([['login', '=', 'admin']])
    const search = { group: 'partner_id,state', measure: '__count', stacked: '1', chart: 'line' }
    const stacked = { name: 'Stacked', view_type: 'graph', model: 'sale.order', x: 0, y: 0, w: 8, h: 4 }
    const gone = { ...stacked, name: 'Gone', view_type: 'figure', x: 8, context: { search: { measure: '__count' } } }
    const tile_ids = [
      [0, 0, { ...stacked, context: { search } }],
      [0, 0, { ...gone, w: 4 }],
    ] as const
    return env.model('sys.dashboard').create({ name: 'Stacked', user_id: user_id!, tile_ids })
  })
  // As after the removal of an addon.
  await query(sql`update sys_dashboard_tile set context = '{"search": {"measure": "margin_gone"}}'
    where name = 'Gone' and dashboard_id = ${id} returning id`)
  await signedIn.follow(`/web?model=sys.dashboard&view_type=form&id=${id}`)
  await page.locator('.dtile[data-kind=figure]').getByText('This tile measures margin_gone').waitFor()
  const entries = page.locator('.dtile .legend').getByRole('button')
  const counts = await query(sql<{ n: number }>`select count(*)::int as n from sale_order where ${MINE} group by state`)
  const inOrder = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)
  await expect
    .poll(async () => inOrder((await entries.allTextContents()).map(number)))
    .toEqual(inOrder(counts.map(({ n }) => n)))
  await entries.first().click()
  await page.locator('.dtile .legend button[aria-pressed=false]').waitFor()
  await allLoaded(page)
  expect(await findViolations(page)).toEqual([])
  await signedIn.follow(ORDERS)
  await page.locator('.graphview:not(.intile) canvas').waitFor()
})

test('chart and table pass the accessibility rules, on a phone too', async () => {
  await show(`${ORDERS}#table=1`, '.charttable')
  await allLoaded(page)
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await show(ORDERS, 'canvas')
  await allLoaded(page)
  expect(await findViolations(page)).toEqual([])
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('the switch puts series on top of each other or beside, and the address has it', async () => {
  await show(`${ORDERS}&filter=#group=partner_id,state&measure=__count`, 'canvas')
  const stacked = page.getByRole('button', { name: 'Stacked' })
  const before = await stacked.getAttribute('aria-pressed')
  await stacked.click()
  await expect.poll(() => stacked.getAttribute('aria-pressed')).toBe(before === 'true' ? 'false' : 'true')
  expect(page.url()).toContain(`stacked=${before === 'true' ? '0' : '1'}`)
})

test('the buttons of a chart stay where they are when its kind or its measure changes', async () => {
  await show(`${ORDERS}&filter=#group=partner_id,state&measure=__count`, 'canvas')
  const line = page.getByRole('button', { name: 'Line chart' })
  const place = async () => (await line.boundingBox())?.x
  const before = await place()
  for (const kind of ['Pie chart', 'Table', 'Bar chart']) {
    await press(kind)
    await page.getByRole('button', { name: kind, pressed: true }).waitFor()
    expect(await place()).toBe(before)
  }
  const filter = page.getByRole('button', { name: 'Filter', exact: true })
  const counted = await filter.boundingBox()
  await choose('Count', 'Untaxed Amount')
  await page.getByRole('button', { name: 'Untaxed Amount' }).waitFor()
  expect(await filter.boundingBox()).toEqual(counted)
})

test('any two of the first series of a chart are told apart in both themes, by lightness where not by hue', async () => {
  await show(`${ORDERS}&filter=#group=date_order:year,state&measure=__count`, '.legend .sw')
  const hues = await page.locator('.legend [data-hue]').evaluateAll((all) => all.map((each) => each.dataset['hue']))
  expect(hues.slice(0, 3)).toEqual(['1', '5', '4'])
  for (const theme of ['light', 'dark']) {
    const colours = await page.evaluate((scheme) => {
      const probe = document.body.appendChild(document.createElement('span'))
      probe.style.cssText = `color-scheme: ${scheme}; color: var(--series)`
      const found = ['1', '5', '4', '6', '3'].map((hue) => {
        probe.dataset['hue'] = hue
        return getComputedStyle(probe)
          .color.match(/[\d.]+/g)!
          .map(Number)
      })
      probe.remove()
      return found
    }, theme)
    for (const [at, [l1 = 0, c1 = 0, h1 = 0]] of colours.entries())
      for (const [l2 = 0, c2 = 0, h2 = 0] of colours.slice(at + 1)) {
        const turn = ((h2 - h1) * Math.PI) / 180
        const chroma = Math.sqrt(Math.max(0, c1 ** 2 + c2 ** 2 - 2 * c1 * c2 * Math.cos(turn)))
        expect(Math.hypot(l1 - l2, chroma)).toBeGreaterThan(0.13)
      }
  }
})
