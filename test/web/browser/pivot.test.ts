import { readFile } from 'node:fs/promises'
import Papa from 'papaparse'
import type { Locator, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { allLoaded } from '../../support/browser.ts'
import { multiply } from '../../support/multiply.ts'
import { unzip } from '../../support/unzip.ts'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
let signedIn: SignedIn
let page: Page

beforeAll(async () => {
  signedIn = await client.signIn()
  page = signedIn.page
  await signedIn.go(`${LINES}#measures=quantity,subtotal,subtotal:avg,__count`)
  await page.locator('.pivot').waitFor()
})
afterAll(async () => {
  expect(signedIn.complaints).toEqual([])
  await page?.context().close()
})

const LINES = '/web?model=sale.order.line&view_type=pivot'

const query = <T>(statement: ReturnType<typeof sql<T>>): Promise<readonly T[]> =>
  client.modules().asSystem(async (env) => (await statement.execute(env.tx)).rows)

/** The rule of companies, for a user of one. */
const MINE = sql`(o.company_id is null or o.company_id = (select company_id from core_user where login = 'admin'))`

const number = (text: string) => (text === '' || text === '–' ? 0 : Number(text.replace(/[^\d.-]/g, '')))
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
/** A file of the download menu. */
async function file(name: string): Promise<Buffer> {
  await press('Download')
  const item = page.getByRole('menuitem', { name })
  await item.waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), item.click()])
  return readFile((await download.path())!)
}
/** The texts and numbers of a row of a sheet. */
const cellsOf = (row: string) =>
  [...row.matchAll(/<c\/>|<c [^>]*>(.*?)<\/c>/g)].map(([, content = '']) =>
    content.replace(/<[^>]*>/g, '').replaceAll('&amp;', '&'),
  )
/** Heading of each row and its cells. */
const rows = (part = 'tbody') =>
  page
    .locator(`.pivot ${part} tr`)
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => (cell.textContent ?? '').trim())))
/** The figures of the last four columns, which are the totals. */
const totals = async (part = 'tbody') =>
  (await rows(part)).map(([label = '', ...cells]) => [label, ...cells.slice(-4).map(number)])

const FIGURES = sql`round(sum(l.quantity), 2)::float8 as quantity, sum(l.subtotal)::float8 as subtotal,
  round(avg(l.subtotal), 2)::float8 as mean, count(*)::int as n`
type Figures = { label: string; quantity: number; subtotal: number; mean: number; n: number }
const SOURCE = sql`sale_order_line l join sale_order o on o.id = l.order_id
  left join product_product p on p.id = l.product_id left join product_category c on c.id = p.category_id where ${MINE}`
const flat = (all: readonly Figures[]) =>
  all.map(({ label, quantity, subtotal, mean, n }) => [label, quantity, subtotal, mean, n])
const byName = (all: readonly (readonly unknown[])[]) =>
  all.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))

/** A category is named with those above it. */
const leafName = (label: string) => label.split(' / ').at(-1)!

test('subtotals and the grand total are those of the database, averages too, from one call', async () => {
  const expected = await query(sql<Figures>`
    select coalesce(c.name, 'Not set') as label, ${FIGURES} from ${SOURCE} group by c.id, c.name`)
  const found = (await totals()).map(([label, ...figures]) => [leafName(String(label)), ...figures])
  expect(byName(found)).toEqual(byName(flat(expected)))
  const all = await query(sql<Figures>`select 'Total' as label, ${FIGURES} from ${SOURCE}`)
  expect(await totals('tfoot')).toEqual(flat(all))
})

test('a column has the figures of its quarter', async () => {
  const [first] = await query(sql<Figures>`
    select to_char(o.date_order, '"Q"Q YYYY') as label, ${FIGURES} from ${SOURCE} group by 1, date_trunc('quarter', o.date_order)
    order by date_trunc('quarter', o.date_order) limit 1`)
  const head = await page.locator('.pivot thead tr').first().locator('th').first().textContent()
  expect(head).toBe(first!.label)
  const [foot] = await rows('tfoot')
  expect(foot!.slice(1, 5).map(number)).toEqual([first!.quantity, first!.subtotal, first!.mean, first!.n])
})

test('a group opens into the next level, without another call', async () => {
  const [category] = (await rows())[0]!
  await allLoaded(page)
  let calls = 0
  const count = (request: Request) => {
    // Data, not a part of the client that comes late.
    if (/\/(api\/rpc|web\/wc\/)/.test(request.url())) calls++
  }
  page.on('request', count)
  await press(category!)
  // Which groups are open is in the address.
  await expect.poll(() => decodeURIComponent(page.url())).toMatch(/openrows=\["\d+"\]/)
  const inside = await query(
    sql<{
      n: number
    }>`select count(distinct coalesce(l.product_id, 0))::int as n from ${SOURCE} and c.name = ${leafName(category!)}`,
  )
  await expect.poll(() => page.locator('.pivot tr.l1').count()).toBe(inside[0]!.n)
  page.off('request', count)
  expect(calls).toBe(0)
  await press(category!)
  await expect.poll(() => page.locator('.pivot tr.l1').count()).toBe(0)
  expect(page.url()).not.toContain('openrows')
})

test('rows are sorted by a column: largest first, smallest first, their own order', async () => {
  const header = page.locator('.pivot thead tr').last().getByRole('button', { name: 'Count' }).last()
  const counts = async () => (await totals()).map((row) => Number(row[4]))
  await header.click()
  await expect.poll(async () => (await counts()).join()).toBe((await counts()).toSorted((a, b) => b - a).join())
  await expect.poll(() => page.locator('th[aria-sort=descending]').count()).toBe(1)
  await header.click()
  await expect.poll(async () => (await counts()).join()).toBe((await counts()).toSorted((a, b) => a - b).join())
  await header.click()
  await expect.poll(() => page.locator('th[aria-sort]').count()).toBe(0)
})

test('a further level is added where a group ends, and is in the address', async () => {
  await page.locator('.pivot thead .twist').first().click()
  await page.getByRole('menuitem', { name: 'Product', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('menuitem', { name: 'Status' }).first().click()
  await expect.poll(() => page.locator('.pivot thead tr').count()).toBe(3)
  expect(decodeURIComponent(page.url())).toMatch(/cols=date_order:quarter,\w+/)
  await page.goto(page.url().replace(/&cols=[^&]*/, ''))
  await page.locator('.pivot').waitFor()
})

test('axes are swapped, a cell leads to its records, and the file has what is shown', async () => {
  await press('Swap rows and columns')
  await expect.poll(async () => (await rows())[0]?.[0]).toMatch(/^Q\d \d{4}$/)
  const lines = (await file('Table (CSV)')).toString('utf8').replace('\uFEFF', '').trim().split('\r\n')
  expect(lines).toHaveLength((await rows()).length + 2)
  const sheet = unzip(await file('Excel (XLSX)')).get('xl/worksheets/sheet1.xml')!
  expect(sheet.split('<row>').slice(1).map(cellsOf)).toEqual(lines.map((line) => Papa.parse<string[]>(line).data[0]))
  // Amounts are numbers in the format of amounts.
  expect(sheet).toMatch(/<c s="3"><v>[\d.]+<\/v><\/c>/)
  const [, ...cells] = (await rows('tfoot'))[0]!
  await page.locator('.pivot tfoot a').nth(3).click()
  await page.locator('.viewhost[aria-busy=false] [role=grid]').waitFor()
  await expect.poll(() => page.locator('.pager').first().textContent()).toContain(cells[3]!)
  await page.goBack()
  await page.locator('.pivot').waitFor()
})

test('a change by another user changes the total, and headings stay in place', async () => {
  const [before] = await totals('tfoot')
  await client.modules().asSystem(async (env) => {
    const [user] = await env.model('core.user').search([['login', '=', 'admin']])
    const [row] = await env.model('core.user').read([user!], ['company_id'])
    const [order] = await env.model('sale.order').search(
      [
        ['company_id', '=', row!.company_id![0]],
        ['state', '=', 'draft'],
      ],
      { limit: 1 },
    )
    await env.model('sale.order.line').create({ order_id: order!, name: 'Something else', quantity: 1, price_unit: 10 })
  })
  await expect.poll(async () => (await totals('tfoot'))[0]![4]).toBe(Number(before![4]) + 1)
})

test('it passes the accessibility rules, on a phone too', async () => {
  await allLoaded(page)
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('2,000 cells and more are drawn', async () => {
  await page.evaluate(() => {
    const href =
      '/web?model=sale.order.line&view_type=pivot#group=product_id&cols=date_order:week&measures=quantity,subtotal'
    const link = document.body.appendChild(Object.assign(document.createElement('a'), { href }))
    link.click()
    link.remove()
  })
  await expect.poll(() => page.locator('.pivot td').count()).toBeGreaterThan(2_000)
})

test('how many different customers there are is right at every level, though it adds up to more', async () => {
  await signedIn.follow(
    '/web?model=sale.order&view_type=pivot#group=state&cols=none&measures=partner_id:count_distinct',
  )
  await page.locator('.pivot thead').getByText('Customer (distinct)').waitFor()
  const counted = await query(sql<{ state: string | null; n: number }>`
    select o.state, count(distinct o.partner_id)::int as n from sale_order o where ${MINE} group by rollup (o.state)`)
  const shown = async (part: string) => (await rows(part)).map(([, figure]) => number(figure!))
  const each = counted.filter(({ state }) => state !== null).map(({ n }) => n)
  expect((await shown('tbody')).toSorted()).toEqual(each.toSorted())
  const [total] = await shown('tfoot')
  expect(total).toBe(counted.find(({ state }) => state === null)!.n)
  expect(each.reduce((sum, n) => sum + n, 0)).toBeGreaterThan(total!)
})

test('the menu of measures stays open, and ticks what is shown', async () => {
  await signedIn.followAnew(`${LINES}#measures=subtotal`)
  await page.getByRole('button', { name: 'Measures', exact: true }).click()
  const quantity = page.getByRole('menuitemcheckbox', { name: 'Quantity', exact: true })
  await expect.poll(() => quantity.getAttribute('aria-checked')).toBe('false')
  await quantity.click()
  await expect.poll(() => quantity.getAttribute('aria-checked')).toBe('true')
  await quantity.click()
  await expect.poll(() => quantity.getAttribute('aria-checked')).toBe('false')
  await page.keyboard.press('Escape')
})

test('arrow keys go from cell to cell, and Enter opens the records behind one', async () => {
  await signedIn.followAnew(`${LINES}#measures=subtotal`)
  const table = page.getByRole('grid')
  await table.waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())
  const stops = () => table.locator(':is(a, button):not([tabindex="-1"])').count()
  await expect.poll(stops).toBe(1)
  const group = table.locator('tbody .twist').first()
  const [name, ...cells] = (await rows())[0]!
  await group.focus()
  await expect.poll(focused).toBe(name)
  const filled = cells.filter((text) => text !== '')
  await page.keyboard.press('ArrowRight')
  await expect.poll(focused).toBe(filled[0])
  await page.keyboard.press('End')
  await expect.poll(focused).toBe(filled.at(-1))
  await page.keyboard.press('ArrowUp')
  await expect.poll(focused).toContain('Subtotal')
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toBe(filled.at(-1))
  await expect.poll(stops).toBe(1)
  await page.keyboard.press('Home')
  await expect.poll(focused).toBe(name)
  await page.keyboard.press('ArrowRight')
  await expect.poll(focused).toBe(filled[0])
  await allLoaded(page)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.waitForURL(/view_type=list/)
})

test('a table of periods that is wider than the window opens with the newest ones and the total in view, and a phone can scroll to all tabs', async () => {
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 700, height: 800 })
  await signedIn.followAnew('/web?model=sale.order&view_type=pivot')
  const last = page.locator('.pivot thead tr:first-child th').last()
  await expect.poll(() => last.textContent()).toBe('Total')
  const isSeen = () =>
    last.evaluate((cell) => {
      const box = cell.closest('.pivotscroll')!
      return box.scrollLeft > 0 && cell.getBoundingClientRect().right <= box.getBoundingClientRect().right + 1
    })
  await expect.poll(isSeen).toBe(true)
  // No column is cut where it goes below the headings of the rows.
  const cut = () =>
    page.locator('.pivot thead tr:first-child').evaluate((row) => {
      const [axes, ...columns] = [...row.children].map((cell) => cell.getBoundingClientRect())
      return columns.filter(({ left, right }) => left < axes!.right - 2 && right > axes!.right + 2).length
    })
  expect(await cut()).toBe(0)
  await page.setViewportSize({ width: 390, height: 844 })
  await signedIn.followAnew('/web?model=sale.order&view_type=pivot')
  await expect.poll(isSeen).toBe(true)
  // Where not even the total fits, at least its last column does.
  const figure = () =>
    page.locator('.pivot tbody tr:first-child').evaluate((row) => {
      const [axes, last] = [row.firstElementChild!, row.lastElementChild!].map((cell) => cell.getBoundingClientRect())
      return last!.left >= axes!.right - 2
    })
  expect(await figure()).toBe(true)
  // The totals of both measures fit beside the names, with their heading.
  const totals = () => last.evaluate((cell) => cell.getBoundingClientRect().left)
  const names = () => page.locator('.pivot .axes').evaluate((cell) => cell.getBoundingClientRect().right)
  expect(await totals()).toBeGreaterThanOrEqual((await names()) - 2)
  const edges = async (of: Locator) => (await of.boundingBox())!
  const isWhole = async () => {
    const last = page.getByRole('navigation', { name: 'View' }).getByRole('link').last()
    await last.scrollIntoViewIfNeeded()
    const tab = await edges(last)
    const create = await edges(page.getByRole('button', { name: 'New', exact: true }))
    return tab.x + tab.width <= create.x
  }
  await expect.poll(isWhole).toBe(true)
  await page.setViewportSize(size)
})

test('a pivot and a graph say when groups are cut off, and totals are of all records', async () => {
  const [lead] = await query(sql<{ id: number }>`select min(id) as id from crm_lead o where active and ${MINE}`)
  await multiply(client.modules().services, 'crm_lead', lead!.id, 10_100)
  await query(sql`update crm_lead set name = 'Lead ' || id where id > ${lead!.id}`)
  const [all] = await query(sql<{ n: number }>`select count(*)::int as n from crm_lead o where active and ${MINE}`)
  await signedIn.follow('/web?model=crm.lead&view_type=pivot&filter=#group=priority,name&cols=none&measures=__count')
  await page.getByText('Some groups of the finest levels are not shown.').waitFor()
  expect((await rows('tfoot'))[0]!.at(-1)).toBe(all!.n.toLocaleString('en'))
  await signedIn.follow('/web?model=crm.lead&view_type=graph&filter=#group=name&measure=__count')
  await page.getByText('Some groups are not shown.').waitFor()
})

test('the down arrow leads into the table when nothing has the focus', async () => {
  await signedIn.go(LINES)
  await page.locator('table.pivot[role=grid]').waitFor()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('table.pivot') !== null)).toBe(true)
})
