import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
let signedIn: SignedIn
let page: Page
let dashboard: number
/** One of the administrator, to move its tiles around. */
let arranged: number

/** Where the dashboard of the sales app is. */
const addressOf = (id: number, state = '') => `/web?model=sys.dashboard&view_type=form&id=${id}${state}`

beforeAll(async () => {
  signedIn = await client.signIn()
  page = signedIn.page
  const [found] = await query(sql<{ id: number }>`select id from sys_dashboard where module = 'sale'`)
  dashboard = found!.id
  arranged = await client.modules().asSystem(async (env) => {
    const [user_id] = await env.model('core.user').search([['login', '=', 'admin']])
    const shown = { view_type: 'graph', model: 'sale.order', domain: [] }
    return env.model('sys.dashboard').create({
      name: 'Arranged',
      user_id: user_id!,
      tile_ids: [
        [0, 0, { ...shown, name: 'By state', x: 0, y: 0, w: 6, h: 4, context: { search: { group: 'state' } } }],
        [0, 0, { ...shown, name: 'All orders', view_type: 'figure', x: 6, y: 0, w: 3, h: 2 }],
      ],
    })
  })
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

test('tiles do not add up several currencies and say so, like their full views', async () => {
  const notes = page.locator('.dtile').getByText('several currencies')
  expect(await notes.count()).toBe(0)
  const [order] = await query(
    sql<{ id: number }>`select id from sale_order where ${MINE} and ${CONFIRMED} and ${THIS_YEAR} limit 1`,
  )
  await client.modules().asSystem(async (env) => {
    const [currency] = await env.model('core.currency').search([['name', '=', 'CHF']])
    await env.model('sale.order').write([order!.id], { currency_id: currency! })
  })
  for (const title of ['Orders by Week', 'Salespeople by Month'])
    await tile(title).getByRole('status').getByText('Not shown: CHF').waitFor()
})

test('a tile lists the records of its filter and leads to all of them', async () => {
  const [expired] = await query(sql<{ n: number }>`
    select count(*)::int as n from sale_order where ${MINE} and state in ('draft', 'sent') and validity_date < current_date`)
  await tile('Expired Quotations')
    .getByRole('link', { name: `All ${expired!.n}` })
    .waitFor()
  // A row of 44 pixels that does not fit is not cut in half.
  expect(((await page.locator('.tilelist').boundingBox())!.height - 8) % 44).toBeCloseTo(0, 0)
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

test('a user who may not read orders sees only that message in each tile', async () => {
  const reader = await client.signIn('reader')
  await reader.go(addressOf(dashboard))
  await reader.page.getByText('You may not see what this tile shows.').nth(7).waitFor()
  expect(await reader.page.locator('.dtile').allTextContents()).toEqual(
    Array.from({ length: 8 }, () => 'No accessYou may not see what this tile shows.'),
  )
  await reader.page.context().close()
})

test('the bar says which period is shown, however narrow the screen is', async () => {
  const size = page.viewportSize()!
  const name = page.locator('.dt-pager .lbl')
  for (const width of [390, 700]) {
    await page.setViewportSize({ width, height: 844 })
    await expect.poll(async () => (await name.boundingBox())!.width).toBeGreaterThan(20)
  }
  await page.setViewportSize(size)
})

test('a copy of a shipped dashboard belongs to the user and has all its tiles', async () => {
  await tile('Orders by Week').locator('canvas').waitFor()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Copy', exact: true }).click()
  await page.getByRole('button', { name: 'Sales Overview (copy)' }).waitFor()
  await tile('Orders by Week').locator('canvas').waitFor()
  const [made] = await query(sql<{ login: string; is_shared: boolean; tiles: number }>`
    select u.login, d.is_shared, (select count(*)::int from sys_dashboard_tile t where t.dashboard_id = d.id) as tiles
    from sys_dashboard d join core_user u on u.id = d.user_id where d.name = 'Sales Overview (copy)'`)
  expect(made).toEqual({ login: 'admin', is_shared: false, tiles: 8 })
  await signedIn.go(addressOf(dashboard, '#period=year'))
  await tile('Orders by Week').locator('canvas').waitFor()
})

test('it is accessible', async () => {
  await allLoaded(page)
  expect(await findViolations(page)).toEqual([])
})

/** The places of the tiles of a dashboard as they are stored, by name. */
const placesOf = async (id: number) =>
  Object.fromEntries(
    (
      await query(sql<{ name: string; x: number; y: number; w: number; h: number }>`
        select name, x, y, w, h from sys_dashboard_tile where dashboard_id = ${id}`)
    ).map(({ name, ...place }) => [name, place]),
  )

test('a view is pinned from its favourites to a new dashboard, as a graph and as a figure', async () => {
  const { follow } = signedIn
  const pin = async (kind: string) => {
    await page.getByRole('button', { name: 'Favourites' }).click()
    await page.getByRole('menuitem', { name: 'Pin to dashboard…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Pin to dashboard' })
    await dialog.waitFor()
    await dialog.getByLabel('Name', { exact: true }).fill(`Orders as ${kind}`)
    await dialog.getByLabel('Show as').selectOption({ label: kind })
    return dialog
  }
  await follow('/web?model=sale.order&view_type=graph#group=state&measure=__count')
  await page.locator('.graphview canvas').waitFor()
  await allLoaded(page)
  const first = await pin('Graph')
  await first.getByLabel('Dashboard', { exact: true }).selectOption({ label: 'New dashboard…' })
  await first.getByLabel('Name of the dashboard').fill('Pinned')
  await first.getByRole('button', { name: 'Pin', exact: true }).click()
  await first.waitFor({ state: 'detached' })
  const second = await pin('Figure')
  await second.getByLabel('Dashboard', { exact: true }).selectOption({ label: 'Pinned' })
  await second.getByRole('button', { name: 'Pin', exact: true }).click()
  await second.waitFor({ state: 'detached' })
  const [made] = await query(sql<{ id: number; user_id: number; is_shared: boolean }>`
    select id, user_id, is_shared from sys_dashboard where name = 'Pinned'`)
  expect(made).toMatchObject({ is_shared: false, user_id: expect.any(Number) })
  await follow(addressOf(made!.id, '#period=year'))
  await tile('Orders as Graph').locator('canvas').waitFor()
  const [count] = await query(sql<{ n: number }>`
    select count(*)::int as n from sale_order where ${MINE}
      and extract(year from date_order at time zone 'UTC') = extract(year from now() at time zone 'UTC')`)
  await expect.poll(() => figure('Orders as Figure')).toBe(count!.n)
  expect(await placesOf(made!.id)).toEqual({
    'Orders as Graph': { x: 0, y: 0, w: 6, h: 4 },
    'Orders as Figure': { x: 6, y: 0, w: 3, h: 2 },
  })
})

const openArranged = async () => {
  if (!page.url().endsWith(addressOf(arranged))) await signedIn.follow(addressOf(arranged))
  await tile('By state').locator('canvas').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
}

test('tiles are moved and resized by keys, each step is announced, and Done saves all of them', async () => {
  await openArranged()
  const before = await placesOf(arranged)
  await page.keyboard.press('e')
  await page.getByText('Editing').waitFor()
  const pinned = tile('All orders')
  await pinned.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowDown')
  await page.getByRole('status').getByText('Column 9, row 1, 4 wide, 3 high').waitFor({ state: 'attached' })
  expect((await placesOf(arranged))['All orders']).toEqual(before['All orders'])
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  expect((await placesOf(arranged))['All orders']).toEqual({ x: 8, y: 0, w: 4, h: 3 })
})

test('a tile is dragged to another place, removed and brought back, and what is discarded is not saved', async () => {
  await openArranged()
  const before = await placesOf(arranged)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByText('Editing').waitFor()
  const grip = await tile('By state').locator('.dt-grip').boundingBox()
  await page.mouse.move(grip!.x + 5, grip!.y + 8)
  await page.mouse.down()
  await page.mouse.move(grip!.x + 400, grip!.y + 12, { steps: 4 })
  await page.locator('.dt-slot').waitFor()
  await page.mouse.up()
  await page.locator('.dt-slot').waitFor({ state: 'detached' })
  const placed = () => tile('By state').evaluate((element) => Number(getComputedStyle(element).getPropertyValue('--x')))
  await expect.poll(placed).toBeGreaterThan(2)
  await page.getByRole('button', { name: 'Remove By state' }).click()
  await expect.poll(() => page.locator('.dtile').count()).toBe(1)
  await page.getByRole('toolbar').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => page.locator('.dtile').count()).toBe(2)
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  expect(await placesOf(arranged)).toEqual(before)
})

test('the panel of new tiles takes the focus, adds a tile by keys, and Escape gives the focus back', async () => {
  await openArranged()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByText('Editing').waitFor()
  await tile('All orders').focus()
  await page.keyboard.press('a')
  const panel = page.getByRole('complementary', { name: 'Add tile' })
  const hasFocus = (found: Locator) => found.evaluate((element) => element === document.activeElement)
  await expect.poll(() => hasFocus(panel.getByRole('searchbox', { name: 'Find a view' }))).toBe(true)
  await page.keyboard.type('quot')
  await expect.poll(() => panel.getByRole('searchbox').inputValue()).toBe('quot')
  await panel.getByRole('listitem').getByRole('button').first().focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('.dtile').count()).toBe(3)
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expect.poll(() => hasFocus(tile('All orders'))).toBe(true)
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
})

test('the settings of a tile are its title, measure, period and size; they are one step, and Done saves them', async () => {
  await openArranged()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'Settings of All orders' }).click()
  const dialog = page.getByRole('dialog', { name: 'Settings of the tile' })
  await dialog.getByLabel('Title').fill('Customers in the period')
  await dialog.locator('option[value="partner_id:count_distinct"]').waitFor({ state: 'attached' })
  await dialog.getByLabel('Measure').selectOption('partner_id:count_distinct')
  await dialog.getByLabel('Period of the dashboard').selectOption('date_order')
  await dialog.getByLabel('Width in columns').selectOption('5')
  await allLoaded(page)
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await tile('Customers in the period').waitFor()
  await page.getByRole('toolbar').getByRole('button', { name: 'Undo' }).click()
  await tile('All orders').waitFor()
  await page.getByRole('toolbar').getByRole('button', { name: 'Redo' }).click()
  await tile('Customers in the period').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Year', exact: true }).click()
  const [count] = await query(sql<{ n: number }>`
    select count(distinct partner_id)::int as n from sale_order where ${MINE}
      and extract(year from date_order at time zone 'UTC') = extract(year from now() at time zone 'UTC')`)
  await expect.poll(() => figure('Customers in the period')).toBe(count!.n)
  expect((await placesOf(arranged))['Customers in the period']).toMatchObject({ w: 5 })
})

/** Fewer records, so that the rules of accessibility are checked sooner. */
const FEW: Readonly<Record<string, readonly unknown[]>> = {
  'crm.lead': [['expected_revenue', '>', 30_000]],
  'project.task': [['name', 'ilike', 'report']],
}

test('boards, plans, maps and cohorts are tiles too, with the records of the database', async () => {
  const id = await client.modules().asSystem(async (env) => {
    const [user_id] = await env.model('core.user').search([['login', '=', 'admin']])
    const kinds = [
      ['kanban', 'crm.lead', 0],
      ['gantt', 'project.task', 4],
      ['map', 'core.partner', 8],
      ['cohort', 'crm.lead', 12],
    ] as const
    const place = { x: 0, w: 12, h: 4 }
    const tiles = kinds.map(([view_type, model, y]) => ({ name: `As ${view_type}`, view_type, model, y, ...place }))
    const tile_ids = tiles.map((each) => [0, 0, { ...each, domain: FEW[each.model] ?? [] }] as const)
    return env.model('sys.dashboard').create({ name: 'Every kind', user_id: user_id!, tile_ids })
  })
  await signedIn.follow(addressOf(id))
  const own = sql`(company_id is null or company_id = (select company_id from core_user where login = 'admin'))`
  const [leads] = await query(
    sql<{ n: number }>`select count(*)::int as n from crm_lead where active and expected_revenue > 30000 and ${own}`,
  )
  const cards = tile('As kanban').locator('.count')
  const sum = async () => (await cards.allTextContents()).reduce((total, text) => total + number(text), 0)
  await expect.poll(sum).toBe(leads!.n)
  await expect.poll(() => tile('As gantt').locator('.gbar').count()).toBeGreaterThan(0)
  const [partners] = await query(sql<{ n: number }>`
    select count(*)::int as n from core_partner where active and latitude is not null and longitude is not null and ${own}`)
  const pins = tile('As map').locator('.pins button')
  await expect
    .poll(async () => {
      const texts = await pins.allTextContents()
      return texts.reduce((total, text) => total + (text.trim() === '' ? 1 : number(text)), 0)
    })
    .toBe(partners!.n)
  await tile('As cohort').locator('table.cohort tbody tr').first().waitFor()
  await allLoaded(page)
  expect(await findViolations(page)).toEqual([])
})

test('a user of two companies sees the figures of one of them or of both', async () => {
  const { access } = await client.modules().holder.latest()
  const second = await client.modules().asSystem(async (env) => {
    const [user] = await env.model('core.user').searchRead([['login', '=', 'seller']], ['company_id'])
    const [other] = await env.model('core.company').search([['id', '!=', user!.company_id![0]]], { limit: 1 })
    const manager = access.groupIdByXmlid.get('sale.group_manager')!
    const company_ids = [user!.company_id![0], other!]
    await env.model('core.user').write([user!.id], { company_ids, group_ids: [[4, manager]] })
    const [company] = await env.model('core.company').read([other!], ['name'])
    return { id: other!, name: company!.name, own: user!.company_id![0] }
  })
  const seller = await client.signIn('seller')
  await seller.go('/web/home')
  await seller.page.evaluate(
    async (companies) => {
      const { csrfToken } = window.__WC_BOOTSTRAP__ ?? { csrfToken: '' }
      const body = new URLSearchParams(companies.map((id) => ['company_id', String(id)]))
      await fetch('/web/company/switch', { method: 'POST', body, headers: { 'x-csrf-token': csrfToken } })
    },
    [second.own, second.id],
  )
  await seller.go(addressOf(dashboard, '#period=year'))
  const written = (of: readonly number[]) =>
    query(sql<{ n: number }>`
      select count(*)::int as n from sale_order where company_id = any(${sql.val(of)}) and state <> 'cancel'
        and extract(year from date_order at time zone 'UTC') = extract(year from now() at time zone 'UTC')`)
  const shown = () => figure('Quotations Written', seller.page)
  const [both] = await written([second.own, second.id])
  await expect.poll(shown).toBe(both!.n)
  await seller.page.getByRole('button', { name: 'All companies' }).click()
  await seller.page.getByRole('menuitem', { name: second.name }).click()
  const [one] = await written([second.id])
  expect(one!.n).toBeLessThan(both!.n)
  await expect.poll(shown).toBe(one!.n)
  expect(seller.page.url()).toContain(`company=${second.id}`)
  await seller.page.context().close()
})

test('a dashboard becomes the home page, and the overview comes back when it is gone', async () => {
  await openArranged()
  const saved = page.waitForResponse((answer) => answer.request().postData()?.includes('dashboard.home') === true)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Make it my home page' }).click()
  await saved
  await signedIn.go('/web/home')
  await tile('By state').locator('canvas').waitFor()
  await page.getByRole('button', { name: 'Arranged' }).waitFor()
  const [mine] = await query(sql<{ id: number }>`select id from sys_dashboard where name = 'Arranged'`)
  await client.modules().asSystem((env) => env.model('sys.dashboard').unlink([mine!.id]))
  await page.getByRole('heading', { name: /^Good (morning|afternoon|evening)/ }).waitFor()
})
