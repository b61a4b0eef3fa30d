import { type RawBuilder, sql } from 'kysely'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allLoaded, DESKTOP } from '../../support/browser.ts'
import { eachNth } from '../../support/soak.ts'
import { type SignedIn, useClient } from './fixture.ts'
import { createSampleLeads, numberIn, rowsOf, SAMPLE } from './sample-leads.ts'

/** Every figure that an addon brings, on the home page and on dashboards, is what the list adds up that it opens, and what the database has. */

const client = useClient()
let signedIn: SignedIn
let page: Page

beforeAll(async () => {
  await createSampleLeads(client)
  await client.modules().asSystem(async (env) => {
    const [user] = await env.model('core.user').searchRead([['login', '=', 'admin']], ['company_id'])
    const own = [['company_id', '=', user!.company_id![0]] as const]
    const [currency_id] = await env.model('core.currency').search([['name', '=', 'USD']])
    // Orders and quotations in another currency, too.
    for (const state of ['draft', 'sale'] as const) {
      const orders = await env.model('sale.order').search([...own, ['state', '=', state]], { limit: 4 })
      await env.model('sale.order').write(orders, { currency_id: currency_id! })
    }
    const [won] = await env.model('crm.stage').search([['is_won', '=', true]], { limit: 1 })
    const leads = await env.model('crm.lead').search([['name', 'like', SAMPLE]], { limit: 4 })
    await env.model('crm.lead').write(leads, { stage_id: won! })
  })
  signedIn = await client.signIn()
  page = signedIn.page
})
afterAll(async () => {
  expect(signedIn.complaints).toEqual([])
  await page?.context().close()
})

interface Truth {
  /** The rows it is about, as `from` and `where` say. */
  readonly rows: RawBuilder<unknown>
  readonly value?: RawBuilder<unknown>
  /** How its list calls it; without one the records are counted. */
  readonly measure?: string
  readonly unit?: 'hours'
}

const OURS = sql`(r.company_id is null or r.company_id = (select company_id from core_user where login = 'admin'))`
const since = (date: string, unit: string) =>
  sql`${sql.ref(`r.${date}`)} >= date_trunc(${unit}, now() at time zone 'UTC')`
const orders = (where: RawBuilder<unknown>) => sql`sale_order r where ${OURS} and ${where}`
const deals = (where: RawBuilder<unknown>) =>
  sql`crm_lead r where r.active and ${OURS} and r.type = 'opportunity' and ${where}`
const tasks = (where: RawBuilder<unknown>) => sql`project_task r where r.active and ${OURS} and ${where}`
const CONFIRMED = sql`r.state in ('sale', 'done')`
const UNTAXED = { measure: 'Untaxed Amount', value: sql`sum(amount_untaxed)` }
const REVENUE = { measure: 'Expected Revenue', value: sql`sum(expected_revenue)` }

const HOME: Readonly<Record<string, Truth>> = {
  'Orders this month': { rows: orders(sql`${CONFIRMED} and ${since('confirmed_at', 'month')}`), ...UNTAXED },
  'Won this month': { rows: deals(sql`r.outcome = 'won' and ${since('date_closed', 'month')}`), ...REVENUE },
  'New opportunities': { rows: deals(since('date_open', 'month')) },
  'Tasks finished': { rows: tasks(sql`r.is_closed and ${since('date_closed', 'month')}`) },
}

const ordersOfYear = orders(sql`${CONFIRMED} and ${since('confirmed_at', 'year')}`)

/** By addon and title, for the whole year. */
const DASHBOARDS: Readonly<Record<string, Readonly<Record<string, Truth>>>> = {
  sale: {
    Orders: { rows: ordersOfYear, ...UNTAXED },
    'Average Order': {
      rows: ordersOfYear,
      measure: 'Untaxed Amount (average)',
      value: sql`avg(amount_untaxed)`,
    },
    'Quotations Written': { rows: orders(sql`r.state <> 'cancel' and ${since('date_order', 'year')}`) },
    'Open Quotations': { rows: orders(sql`r.state in ('draft', 'sent')`), ...UNTAXED },
  },
  crm: {
    Won: { rows: deals(sql`r.outcome = 'won' and ${since('date_closed', 'year')}`), ...REVENUE },
    'New Opportunities': { rows: deals(since('date_open', 'year')) },
    'Open Weighted Revenue': {
      rows: deals(sql`r.outcome = 'open'`),
      measure: 'Weighted Revenue',
      value: sql`sum(weighted_revenue)`,
    },
    'Overdue Activities': {
      rows: sql`crm_activity r join crm_lead l on l.id = r.lead_id
        where (l.company_id is null or l.company_id = (select company_id from core_user where login = 'admin'))
          and r.date_done is null and r.date_deadline < current_date`,
    },
  },
  project: {
    'Hours Spent': {
      rows: sql`project_timesheet r where ${OURS} and ${since('date', 'year')}`,
      measure: 'Hours',
      value: sql`sum(hours)`,
      unit: 'hours',
    },
    'Tasks Finished': { rows: tasks(sql`r.is_closed and ${since('date_closed', 'year')}`) },
    'Open Tasks': { rows: tasks(sql`not r.is_closed`) },
    'Blocked Tasks': { rows: tasks(sql`r.is_blocked and not r.is_closed`) },
  },
}

const textOf = async (at: Locator): Promise<string> => (await at.textContent()) ?? ''

type Amounts = Readonly<Record<string, number>>

const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD' }

/** Amounts by currency, or the one number under an empty name. */
const amountsIn = (text: string): Amounts => {
  const found = [...text.matchAll(/([€$])([\d,.]+)/g)].map(
    ([, sign, figure]) => [SIGNS[sign!]!, numberIn(figure)] as const,
  )
  if (found.length > 0) return Object.fromEntries(found)
  const [, hours, minutes] = /(\d[\d,]*):(\d\d)/.exec(text) ?? []
  return { '': minutes === undefined ? numberIn(/[\d,.]+/.exec(text)?.[0]) : numberIn(hours) + Number(minutes) / 60 }
}

async function stored({ rows, value, unit }: Truth): Promise<Amounts> {
  const [code, figure] = [sql`(select name from core_currency c where c.id = x.currency_id)`, value ?? sql`count(*)`]
  const isAmount = value !== undefined && unit === undefined
  const found = await rowsOf(
    client,
    sql<{ code: string; n: number | null }>`
      select ${isAmount ? code : sql`''`} as code, ${figure}::float8 as n
      from (select r.* from ${rows}) x ${isAmount ? sql`group by currency_id` : sql``}`,
  )
  return Object.fromEntries(found.map(({ code, n }) => [code, n ?? 0]))
}

/** What the foot of a list says for a measure: beside the number of records, or under the column of that name. */
const inFoot = async ({ measure }: Truth): Promise<Amounts> => {
  const foot = page.locator('.gf .total')
  if (measure === undefined) return amountsIn(await textOf(foot.locator('[data-m=gtitle]')))
  const named = foot.locator('.measured', { hasText: measure })
  if (await named.isVisible()) return amountsIn(await textOf(named))
  const heads = await page.locator('.gh [role=columnheader]').evaluateAll((all) => all.map((each) => each.textContent))
  const fromEnd = heads.length - heads.findIndex((each) => each?.trim() === measure)
  return amountsIn(await textOf(foot.locator(`> :nth-last-child(${fromEnd})`)))
}

const isNear = (some: Amounts, others: Amounts, by: number) =>
  JSON.stringify(Object.keys(some).toSorted()) === JSON.stringify(Object.keys(others).toSorted()) &&
  Object.entries(some).every(([code, value]) => Math.abs(value - others[code]!) <= by)

/** Tiles round: cents do not matter in them. */
const agree = async (name: string, read: () => Promise<Amounts>, truth: Truth, by: number) => {
  const expected = await stored(truth)
  await expect
    .poll(
      async () => {
        await allLoaded(page)
        const shown = await read()
        return isNear(shown, expected, by) ? null : { shown, expected }
      },
      { message: name },
    )
    .toBeNull()
  return expected
}

async function tileAndList(name: string, at: string, tile: string, truth: Truth): Promise<number> {
  await signedIn.followAnew(at)
  const kpi = page.locator(tile)
  await kpi.locator('b').waitFor()
  const inTile = async () => amountsIn(`${await textOf(kpi.locator('b'))} ${await textOf(kpi.locator('.cut'))}`)
  const inFigure = async () => amountsIn(await textOf(kpi.locator('b')))
  await agree(`${name}, tile`, truth.measure === undefined || truth.unit ? inFigure : inTile, truth, 0.51)
  await kpi.click()
  await page.locator('.gf .total').waitFor()
  const found = await agree(`${name}, list`, () => inFoot(truth), truth, 0.006)
  return Object.keys(found).length
}

test('every figure of the home page is what its list adds up, in each currency', async () => {
  await signedIn.followAnew('/web/home')
  await page.locator('.kpirow .kpi b').first().waitFor()
  expect((await page.locator('.kpirow .kpi h3').allTextContents()).toSorted()).toEqual(Object.keys(HOME).toSorted())
  const currencies: number[] = []
  for (const [name, truth] of Object.entries(HOME))
    currencies.push(await tileAndList(name, '/web/home', `.kpirow .kpi:has(h3:text-is("${name}"))`, truth))
  expect(Math.max(...currencies)).toBe(2)
})

test('a phone has the figure of each currency whole, at the foot of the list', async () => {
  const name = 'Orders this month'
  await tileAndList(name, '/web/home', `.kpirow .kpi:has(h3:text-is("${name}"))`, HOME[name]!)
  await page.setViewportSize({ width: 390, height: 844 })
  const foot = page.locator('.gf .total')
  await foot.locator('.measured').waitFor()
  expect(
    await foot.locator('[data-m=gtitle]').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBe(0)
  expect(await foot.locator('[data-m=gsum]').first().isVisible()).toBe(false)
  await page.setViewportSize(DESKTOP)
})

test.each(Object.keys(DASHBOARDS))('every figure of the dashboard of %s is what its list adds up', async (addon) => {
  const shipped = await rowsOf(
    client,
    sql<{ id: number; name: string; dashboard: number }>`
      select t.id, t.name, d.id as dashboard from sys_dashboard_tile t join sys_dashboard d on d.id = t.dashboard_id
      where d.module = ${addon} and t.view_type = 'figure' order by t.id`,
  )
  const truths = DASHBOARDS[addon]!
  expect(shipped.map(({ name }) => name).toSorted()).toEqual(Object.keys(truths).toSorted())
  for (const { id, name, dashboard } of eachNth(shipped, 2))
    await tileAndList(
      name,
      `/web?model=sys.dashboard&view_type=form&id=${dashboard}#period=year`,
      `[data-tile="${id}"] .kpi`,
      truths[name]!,
    )
})

test('every dashboard that an addon brings is among these', async () => {
  const modules = await rowsOf(
    client,
    sql<{ module: string }>`select distinct module from sys_dashboard where module is not null order by 1`,
  )
  expect(modules.map(({ module }) => module)).toEqual(Object.keys(DASHBOARDS).toSorted())
})
