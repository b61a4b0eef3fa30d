import type { Page, Response } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { useClient } from './fixture.ts'

const client = useClient()

const DAY = 86_400_000
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

const figure = (page: Page, label: string) => page.getByRole('link', { name: new RegExp(`^${label} .*\\d`) })
const activities = (page: Page) => page.getByRole('region', { name: 'Your activities' })
const due = (page: Page) => activities(page).getByRole('link')

/** One activity late, one for today, one to come, and a task, all of the administrator. */
beforeAll(async () => {
  await client.modules().asSystem(async (env) => {
    const [admin] = await env.model('core.user').search([['login', '=', 'admin']])
    const [lead] = await env.model('crm.lead').search([['name', '=', 'Archive shelving']], { limit: 1 })
    const plan = (summary: string, days: number, type: 'call' | 'mail') =>
      env
        .model('crm.activity')
        .create({ lead_id: lead!, user_id: admin!, summary, type, date_deadline: dayFromNow(days) })
    await plan('Call the caretaker', -3, 'call')
    await plan('Send the plan', 0, 'mail')
    await plan('Ask again', 3, 'call')
    await env.model('project.task').create({
      name: 'Tidy the archive',
      user_ids: [admin!],
      date_end: `${dayFromNow(-2)}T12:00:00Z`,
    })
  })
})

test('a figure is what the service adds up, and leads to the records behind it', async () => {
  const { page, go, complaints, handOn } = await client.signIn()
  const isAsked = (response: Response) =>
    response.url().endsWith('/api/rpc') && (response.request().postData() ?? '').includes('confirmed_at:day')
  // Read at once: the browser keeps a body for a moment only.
  const asked = page.waitForResponse(isAsked).then((response) => response.json())
  await go('/web/home')
  const { result } = (await asked) as { readonly result: readonly Record<string, unknown>[] }
  const month = new Date().toISOString().slice(0, 7)
  const ofMonth = result.filter((row) => String(row['confirmed_at:day']).startsWith(month))
  const sum = ofMonth.reduce((total, row) => total + Number(row['sum']), 0)
  const card = figure(page, 'Orders this month')
  const shown = async () => Number((await card.locator('b').textContent())?.replace(/[^\d]/g, ''))
  await expect.poll(shown).toBe(Math.round(sum))
  const told = /^Orders this month \S+ (up|down) [\d.,]+% on \w+$|as in \w+$|Nothing by this day of \w+$/
  await page.getByRole('link', { name: told }).waitFor()

  await card.click()
  await expect.poll(() => page.locator('h1').textContent()).toBe('Sales Orders')
  await page.locator('.viewhost[aria-busy=false]').first().waitFor()
  const count = ofMonth.reduce((total, row) => total + Number(row['__count']), 0)
  await expect.poll(() => page.locator('[role=row] a[href*="id="]').count()).toBe(count)
  await page.goBack()
  await figure(page, 'Tasks finished').waitFor()
  expect(complaints).toEqual([])
  await handOn()
})

test('activities are listed by due date, are counted, and open their record', async () => {
  const { page, go, complaints, handOn } = await client.signIn()
  await go('/web/home')
  await expect.poll(() => page.locator('.hubhead').textContent()).toContain('3 activities are due, 2 of them late.')
  const rows = await due(page).allTextContents()
  expect(rows.map((row) => row.replace(/^\W+/, ''))).toEqual([
    expect.stringMatching(/^Call the caretaker, Archive shelving3 days late/),
    expect.stringMatching(/^Tidy the archive2 days late/),
    expect.stringMatching(/^Send the plan, Archive shelvingToday/),
    expect.stringMatching(/^Ask again, Archive shelving\w{3}/),
  ])
  await due(page).filter({ hasText: 'Tidy the archive' }).click()
  await expect.poll(() => page.locator('h1').textContent()).toBe('Tidy the archive')
  expect(complaints).toEqual([])
  await handOn()
})

test('a user without access to sales sees no sales figures, and no panel without content', async () => {
  const seller = await client.signIn('seller')
  await seller.go('/web/home')
  await figure(seller.page, 'Orders this month').waitFor()
  await activities(seller.page).getByText('Nothing is due. What is planned for you is listed here.').waitFor()
  await expect.poll(() => figure(seller.page, 'Tasks finished').count()).toBe(0)
  await seller.handOn()

  const reader = await client.signIn('reader')
  await reader.go('/web/home')
  await reader.page.getByRole('heading', { name: 'Recent' }).waitFor()
  await expect.poll(() => reader.page.getByRole('heading', { name: 'Today' }).count()).toBe(0)
  await expect.poll(() => reader.page.locator('.kpi').count()).toBe(0)
  expect(reader.complaints).toEqual([])
  await reader.handOn()
})

test('a figure that fails shows the error without affecting others', async () => {
  const { page, go, handOn } = await client.signIn()
  await page.route('**/api/rpc', (route) =>
    (route.request().postData() ?? '').includes('confirmed_at:day')
      ? route.fulfill({ status: 400, json: { ok: false, error: { code: 'BAD_REQUEST', message: 'No.' } } })
      : route.continue(),
  )
  await go('/web/home')
  await page.getByRole('link', { name: 'Orders this month' }).getByText('Not available at the moment.').waitFor()
  await figure(page, 'Won this month').waitFor()
  await handOn()
})

test('pins are edited where they stand, also by touch', async () => {
  const { page, go, handOn } = await client.signIn('seller', {
    hasTouch: true,
    isMobile: true,
    viewport: { width: 390, height: 844 },
  })
  await go('/web/home')
  const pin = page.getByRole('button', { name: 'Pin Sales' })
  await page.getByRole('button', { name: 'Edit' }).tap()
  await pin.tap()
  await page.getByRole('button', { name: 'Unpin Sales' }).waitFor()
  await page.getByRole('button', { name: 'Unpin Sales' }).tap()
  await pin.waitFor()
  await page.getByRole('button', { name: 'Done' }).tap()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await handOn()
})

test('a pin that is set or taken by keyboard keeps the focus, wherever its tile goes', async () => {
  const { page, go, handOn } = await client.signIn('seller')
  await go('/web/home')
  await page.getByRole('button', { name: 'Edit', exact: true }).press('Enter')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await page.getByRole('button', { name: 'Pin Sales' }).press('Enter')
  await expect.poll(focused).toBe('Unpin Sales')
  await page.keyboard.press('Enter')
  await expect.poll(focused).toBe('Pin Sales')
  await handOn()
})

test('an app counts what it opens with by its name, and otherwise says what it is for', async () => {
  const { page, go, handOn } = await client.signIn()
  await go('/web/home')
  const caption = (app: string) => page.locator('.apptile', { hasText: app }).locator('.t2').textContent()
  await expect.poll(() => caption('Contacts')).toMatch(/^\d+ contacts$/)
  await allLoaded(page)
  expect(await caption('Settings')).not.toMatch(/\d/)
  // The list has the same count.
  const said = await caption('Contacts')
  await page.locator('.apptile', { hasText: 'Contacts' }).click()
  await page.getByRole('link', { name: 'List', exact: true }).click()
  await expect.poll(() => page.locator('.gf [data-m=gtitle]').textContent()).toBe(said)
  await handOn()
})

test('the first steps open what they name: the invitation of a user, and a file of contacts', async () => {
  const { page, go, complaints, handOn } = await client.signIn()
  const step = (label: string) =>
    page.getByRole('region', { name: 'Ready for work' }).getByRole('listitem').filter({ hasText: label })
  const states = [
    ['Invite people', 'Invite', 'Invite somebody', '/web/settings/users'],
    ['Add contacts', 'Import', 'Import', '/web?action='],
  ] as const
  // As in a new installation, where nothing is done yet.
  await page.route('**/api/rpc', async (route) => {
    const isCount = /"core\.(user|partner)","method":"read_group"/.test(route.request().postData() ?? '')
    await (isCount ? route.fulfill({ json: { ok: true, result: [{ __count: 0 }], error: null } }) : route.continue())
  })
  for (const [label, button, title, address] of states) {
    await go('/web/home')
    await step(label).getByRole('link', { name: button }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.waitFor()
    expect(page.url()).toContain(address)
    expect(page.url()).not.toContain('#')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.count()).toBe(0)
  }
  await page.unroute('**/api/rpc')
  expect(complaints).toEqual([])
  await handOn()
})

test('the first steps are hidden with a way back, and the focus stays on the page', async () => {
  const { page, go, complaints, handOn } = await client.signIn()
  await go('/web/home')
  await allLoaded(page)
  const steps = page.getByRole('region', { name: 'Ready for work' })
  await steps.getByRole('button', { name: 'Hide' }).press('Enter')
  await expect.poll(() => steps.count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  await page.locator('.toast').getByText('The steps are hidden').waitFor()
  await page.keyboard.press('Control+z')
  await steps.waitFor()
  expect(complaints).toEqual([])
  await handOn()
})

test('axe finds nothing to object to, also while pins are edited', async () => {
  const { page, go, handOn } = await client.signIn()
  await go('/web/home')
  await figure(page, 'Tasks finished').waitFor()
  await due(page).first().waitFor()
  expect(await findViolations(page), 'full').toEqual([])
  await page.getByRole('button', { name: 'Edit' }).click()
  expect(await findViolations(page), 'edited').toEqual([])
  await handOn()
})
