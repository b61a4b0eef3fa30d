import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'
import { createSampleLeads, MINE, numberIn, rowsOf, SAMPLE } from './sample-leads.ts'

/** Amounts in several currencies are never added up, whatever shows them. */

const client = useClient()
let signedIn: SignedIn
let page: Page

beforeAll(async () => {
  await createSampleLeads(client)
  signedIn = await client.signIn()
  page = signedIn.page
})
afterAll(async () => {
  expect(signedIn.complaints).toEqual([])
  await page?.context().close()
})

const open = (type: string, state = '') =>
  signedIn.followAnew(`/web?model=crm.lead&view_type=${type}&filter=&q=${SAMPLE}#${state}`).then(() => allLoaded(page))

/** The sums by currency, the largest first; of a stage or of all. */
const sums = (stage: string | null) =>
  rowsOf(
    client,
    sql<{ code: string; sum: number; count: number }>`
      select c.name as code, sum(expected_revenue)::float8 as sum, count(*)::int as count
      from (select * from crm_lead where ${MINE}) l join crm_stage s on s.id = l.stage_id join core_currency c on c.id = l.currency_id
      where ${stage}::text is null or s.name = ${stage} group by 1 order by 2 desc`,
  )

const amounts = (at: string) =>
  page.locator(at).evaluateAll((all) => all.map((each) => (each.textContent ?? '').replace(/[\s,]/g, '')))

const shown = (all: readonly { readonly code: string; readonly sum: number }[]) =>
  all.map(({ code, sum }) => `${{ EUR: '€', USD: '$' }[code] ?? code}${sum}`)

test('a column of a board and the board itself have a sum for each currency, also after a card was moved', async () => {
  await open('kanban')
  const stages = await rowsOf(
    client,
    sql<{ name: string }>`
      select distinct s.name from crm_lead l join crm_stage s on s.id = l.stage_id where l.name like ${`${SAMPLE}%`} order by 1`,
  )
  const columns = async () => {
    for (const { name } of stages) {
      const [column, expected] = [`.col[aria-label="${name}"] .sum .cursums > span`, shown(await sums(name))]
      await expect.poll(() => amounts(column), { message: name }).toEqual(expected)
    }
    await expect.poll(() => amounts('.totals .cursums > span')).toEqual(shown(await sums(null)))
  }
  await columns()
  const first = page.locator(`.col[aria-label="${stages[0]!.name}"] [data-card] h3 a`).first()
  await first.focus()
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('body > [role=status]').textContent()).toContain(' now')
  await columns()
  expect(await findViolations(page)).toEqual([])
})

test('a column of one currency has one sum, grouped by currency too', async () => {
  await open('kanban', 'group=currency_id')
  const all = await sums(null)
  await expect.poll(() => amounts('.col .sum')).toEqual(expect.arrayContaining(shown(all)))
  expect(await page.locator('.col .cursums').count()).toBe(0)
})

test('the footer of a list that is narrowed to one currency has the sign of that currency', async () => {
  const teams = await rowsOf(
    client,
    sql<{ team: string; code: string; sum: number }>`
      select t.name as team, min(c.name) as code, sum(expected_revenue)::float8 as sum
      from (select * from crm_lead where ${MINE}) l join crm_team t on t.id = l.team_id join core_currency c on c.id = l.currency_id
      group by 1 having count(distinct c.id) = 1 order by 1`,
  )
  expect(new Set(teams.map(({ code }) => code)).size).toBe(2)
  await open('list')
  for (const each of teams) {
    await page.locator('.spanel').getByText(each.team, { exact: true }).click()
    await expect.poll(() => amounts('.gf [role=gridcell]')).toContain(`${shown([each])[0]}.00`)
  }
})

test('a chart shows one currency, says which are not shown, and changes to another one', async () => {
  await open('graph', 'measure=expected_revenue&group=stage_id')
  const all = await sums(null)
  const most = all.toSorted((a, b) => b.count - a.count)[0]!
  const other = all.find((each) => each !== most)!
  const total = () => page.locator('.kpis b').first().textContent().then(numberIn)
  await page.getByText(`Not shown: ${other.code}.`).waitFor()
  await page.getByRole('heading', { name: `Expected Revenue by Stage, ${most.code}` }).waitFor()
  await expect.poll(total).toBe(most.sum)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: most.code, exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: other.code, exact: true }).click()
  await expect.poll(total).toBe(other.sum)
  expect(page.url()).toContain(`currency=${other.code}`)
  // The records behind a figure are those that make it.
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await page.locator('.charttable tfoot a').last().click()
  await page.locator('.facet', { hasText: other.code }).waitFor()
  await expect.poll(() => page.locator('.gf .total').textContent()).toContain(`${other.count} `)
})

test.each(['graph', 'pivot', 'cohort'])(
  'the menu of currencies of a %s closes, and ticks the one that was chosen',
  async (type) => {
    const figures = type === 'pivot' ? 'measures' : 'measure'
    await open(type, `${figures}=expected_revenue&group=stage_id&currency=EUR`)
    const item = (code: string) => page.getByRole('menuitemradio', { name: code, exact: true })
    const button = (code: string) => page.getByRole('button', { name: code, exact: true })
    await button('EUR').click()
    await item('USD').click()
    await page.getByText('Not shown: EUR.').waitFor()
    expect(await page.getByRole('menu').count()).toBe(0)
    await button('USD').focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => item('USD').getAttribute('aria-checked')).toBe('true')
    expect(await item('EUR').getAttribute('aria-checked')).toBe('false')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('e')
    await page.keyboard.press('Enter')
    await page.getByText('Not shown: USD.').waitFor()
    expect(await page.getByRole('menu').count()).toBe(0)
    await expect.poll(() => button('EUR').evaluate((each) => each.matches(':focus'))).toBe(true)
  },
)

test('a count has no currency', async () => {
  await open('graph', 'measure=__count&group=stage_id')
  await page.locator('.kpis b').first().waitFor()
  expect(await page.locator('.curchoice').count()).toBe(0)
})

test('the cells of a pivot table are in one currency, and lead to its records', async () => {
  await open('pivot', 'measures=expected_revenue&group=stage_id&cols=none&currency=USD')
  const [usd] = (await sums(null)).filter(({ code }) => code === 'USD')
  await page.getByText('Not shown: EUR.').waitFor()
  const total = page.locator('tfoot td a').last()
  await expect.poll(() => total.textContent().then(numberIn)).toBe(usd!.sum)
  await page.getByRole('button', { name: 'Expected Revenue, $' }).first().waitFor()
  await total.click()
  await page.locator('.facet', { hasText: 'USD' }).waitFor()
  await expect.poll(() => page.locator('.gf .total').textContent()).toContain(`${usd!.count} `)
})

test('cohorts are weighed in one currency', async () => {
  await open('cohort', 'measure=expected_revenue&currency=USD')
  const [usd] = (await sums(null)).filter(({ code }) => code === 'USD')
  await page.getByText('Not shown: EUR.').waitFor()
  const sizes = () => page.locator('.cohort tbody tr td:nth-child(2)').allTextContents()
  await expect.poll(async () => (await sizes()).reduce((sum, text) => sum + numberIn(text), 0)).toBe(usd!.sum)
})

test('tiles of a dashboard do the same: a figure has the others below it, a chart lets choose', async () => {
  const dashboard = await client.modules().asSystem(async (env) => {
    const [user_id] = await env.model('core.user').search([['login', '=', 'admin']])
    const shown = { model: 'crm.lead', domain: [['name', 'like', SAMPLE]], x: 0, w: 6, h: 4 }
    return env.model('sys.dashboard').create({
      name: 'Sample leads',
      user_id: user_id!,
      tile_ids: [
        [
          0,
          0,
          { ...shown, name: 'Chart', view_type: 'graph', y: 0, context: { search: { measure: 'expected_revenue' } } },
        ],
        [
          0,
          0,
          { ...shown, name: 'Figure', view_type: 'figure', y: 4, context: { search: { measure: 'expected_revenue' } } },
        ],
      ],
    })
  })
  await signedIn.go(`/web?model=sys.dashboard&view_type=form&id=${dashboard}`)
  const tile = (name: string) => page.getByRole('region', { name, exact: true }).first()
  const [first, second] = await sums(null)
  await expect.poll(() => tile('Figure').locator('.kpi b').textContent().then(numberIn)).toBe(first!.sum)
  await expect
    .poll(() => tile('Figure').locator('.kpi').textContent())
    .toContain(`and ${second!.code === 'USD' ? '$' : '€'}`)
  await tile('Chart')
    .getByRole('button', { name: /^(EUR|USD)$/ })
    .click()
  await page.getByRole('menuitemradio', { name: 'USD', exact: true }).click()
  await tile('Chart').getByText('Not shown: EUR.').waitFor()
  const usd = [first!, second!].find(({ code }) => code === 'USD')!
  const label = () => tile('Chart').locator('canvas').getAttribute('aria-label').then(numberIn)
  await expect.poll(label).toBe(usd.sum)
})

test('lines of a form are added up by currency', async () => {
  const customer = sql`(select partner_id from sale_order group by 1 having count(*) > 2 order by 1 limit 1)`
  await client.modules().asSystem((env) =>
    sql`update sale_order set currency_id = (select id from core_currency where name = 'USD')
      where id = (select min(id) from sale_order where partner_id = ${customer})`.execute(env.tx),
  )
  const totals = await rowsOf(
    client,
    sql<{ id: number; code: string; sum: string }>`
      select partner_id as id, c.name as code, round(sum(amount_total), 2)::text as sum
      from sale_order o join core_currency c on c.id = o.currency_id
      where partner_id = ${customer} group by 1, 2 order by sum(amount_total) desc`,
  )
  await signedIn.go(`/web?model=core.partner&view_type=form&id=${totals[0]!.id}`)
  await page.getByRole('tab', { name: 'Sales' }).click()
  await expect
    .poll(() => amounts('.gf .cursums > span'))
    .toEqual(totals.map(({ code, sum }) => `${{ EUR: '€', USD: '$' }[code]}${sum}`))
})

test('headings of a board are equally tall, and all sums of a column are reached by keys and by touch', async () => {
  const [stage] = await rowsOf(client, sql<{ id: number; name: string }>`select id, name from crm_stage order by id`)
  await client.modules().asSystem(async (env) => {
    const [currency_id] = await env.model('core.currency').search([['name', '=', 'GBP']])
    const [user] = await env.model('core.user').searchRead([['login', '=', 'admin']], ['company_id'])
    const own = { company_id: user!.company_id![0], currency_id: currency_id!, stage_id: stage!.id }
    await env.model('crm.lead').create({ name: `${SAMPLE} GBP`, type: 'opportunity', expected_revenue: 7, ...own })
  })
  await open('kanban')
  const more = page.locator('.col > header').getByRole('button', { name: '2 more currencies: ' })
  await more.waitFor()
  const heights = () =>
    page.locator('.col > header').evaluateAll((all) => [...new Set(all.map((each) => each.clientHeight))].length)
  await expect.poll(heights).toBe(1)
  await more.focus()
  await page.keyboard.press('Enter')
  const sums = page.getByRole('group', { name: '2 more currencies' })
  await expect.poll(() => sums.getByRole('listitem').allTextContents()).toContain('£7.00')
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await sums.waitFor({ state: 'detached' })
  await more.click()
  await sums.waitFor()
})

test('a currency is chosen by its code or by its name, which stands beside it', async () => {
  await signedIn.go('/web?model=product.pricelist&view_type=form')
  const box = page.getByRole('combobox', { name: 'Currency' })
  for (const typed of ['CHF', 'swiss']) {
    await box.fill(typed)
    await page.getByRole('option', { name: 'CHF' }).getByText('Franc').waitFor()
  }
  await page.keyboard.press('Escape')
})
