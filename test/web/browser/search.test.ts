import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
let signedIn: SignedIn
let page: Page

beforeAll(async () => {
  signedIn = await client.signIn()
  page = signedIn.page
})
afterAll(async () => {
  await page?.context().close()
})

const PARTNERS = '/web?model=core.partner&view_type=list&filter='
const LEADS = '/web?model=crm.lead&view_type=list&filter='

const input = () => page.getByRole('combobox', { name: 'Search records' })
const facets = () => page.locator('.facet').allTextContents()
const rows = () => page.getByRole('row').filter({ has: page.getByRole('gridcell') })
const address = () => decodeURIComponent(page.url().replaceAll('+', ' '))
const settled = () => page.locator('.viewhost[aria-busy=false]').first().waitFor()
const rowTexts = async () => (await rows().allTextContents()).join('\n')

test('a slash goes to the search; Enter looks in all columns; Backspace takes it away', async () => {
  await signedIn.followAnew(PARTNERS)
  await page.keyboard.press('/')
  await page.keyboard.type('holmgaard')
  await page.keyboard.press('Enter')
  await expect.poll(address).toContain('q=holmgaard')
  await expect.poll(facets).toEqual(['holmgaard'])
  await expect.poll(() => rowTexts().then((text) => text.toLowerCase().includes('holmgaard'))).toBe(true)
  await expect.poll(() => input().evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Backspace')
  await expect.poll(facets).toEqual([])
  expect(address()).not.toContain('q=')
})

test('what is typed is offered field by field; the choice lives in the fragment and comes back with the address', async () => {
  await signedIn.followAnew(PARTNERS)
  await input().fill('ger')
  const suggestions = page.getByRole('listbox', { name: 'Suggestions' })
  await suggestions.getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
  const chosen = await suggestions.locator('[aria-selected=true]').textContent()
  expect(chosen).toMatch(/^Search .+ for ger$/)
  await page.keyboard.press('Enter')
  await expect.poll(address).toContain('#by=[[')
  await expect.poll(facets).toEqual([expect.stringMatching(/ger$/)])
  const chosenFacets = await facets()
  await allLoaded(page)
  const found = await page.getByRole('grid').getAttribute('aria-rowcount')
  await page.reload()
  await settled()
  await expect.poll(facets).toEqual(chosenFacets)
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe(found)
})

test('named filters of a set widen each other, of different sets narrow; back and forward walk through them', async () => {
  await signedIn.followAnew(LEADS)
  const total = async () => Number(await page.getByRole('grid').getAttribute('aria-rowcount'))
  const all = await total()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Won', exact: true }).click()
  await expect.poll(facets).toEqual(['Won'])
  await page.getByRole('menuitemcheckbox', { name: 'Lost', exact: true }).click()
  await expect.poll(facets).toEqual(['WonorLost'])
  await page.keyboard.press('Escape')
  await settled()
  const both = await total()
  expect(both).toBeLessThan(all)
  await page.goBack()
  await expect.poll(facets).toEqual(['Won'])
  await settled()
  await expect.poll(total).toBeLessThan(both)
  await page.goBack()
  await expect.poll(facets).toEqual([])
  await expect.poll(total).toBe(all)
  await page.goForward()
  await expect.poll(facets).toEqual(['Won'])
  await page.getByRole('button', { name: 'Remove Won' }).click()
  await expect.poll(facets).toEqual([])
})

test('a filter that is chosen while the one before is still being loaded joins it', async () => {
  await signedIn.followAnew(LEADS)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const item = (name: string) => page.getByRole('menuitemcheckbox', { name, exact: true })
  await item('Lost').waitFor()
  const held: (() => void)[] = []
  await page.route('**/web/wc/workspace?*', async (route) => {
    await new Promise<void>((release) => held.push(release))
    await route.continue().catch(() => undefined)
  })
  await item('Won').click()
  await expect.poll(() => held.length).toBe(1)
  await item('Lost').click()
  await expect.poll(() => held.length).toBe(2)
  await page.unroute('**/web/wc/workspace?*')
  for (const release of held) release()
  await expect.poll(facets).toEqual(['WonorLost'])
  await page.keyboard.press('Escape')
})

test('a date filter opens to its periods', async () => {
  await signedIn.followAnew(LEADS)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const opened = page.getByRole('menuitem', { name: 'Opened' })
  await opened.click()
  await expect.poll(() => opened.getAttribute('aria-expanded')).toBe('true')
  const year = String(new Date().getFullYear())
  await page.getByRole('menuitemcheckbox', { name: year, exact: true }).click()
  await expect.poll(address).toMatch(new RegExp(`filter=\\w+:${year}`))
  await expect.poll(facets).toEqual([`Opened${year}`])
  await page.keyboard.press('Escape')
})

test('grouping goes into the fragment, one group inside the other', async () => {
  await signedIn.followAnew(LEADS)
  await page.getByRole('button', { name: 'Group', exact: true }).click()
  const items = page.getByRole('menuitemcheckbox')
  await items.nth(1).waitFor()
  const [first, second] = await items.allTextContents()
  await items.nth(0).click()
  await expect.poll(address).toContain('#group=')
  await items.nth(1).click()
  await page.keyboard.press('Escape')
  await expect.poll(facets).toEqual([`Group${first}›${second}`])
  await page.getByRole('button', { name: /^Remove Group/ }).click()
  await expect.poll(facets).toEqual([])
  expect(address()).not.toContain('group')
})

test('a filter is built over the fields of linked records', async () => {
  await signedIn.followAnew(LEADS)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Custom filter…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Custom filter' })
  await dialog
    .getByLabel('Field', { exact: true })
    .locator('option', { hasText: 'Customer' })
    .first()
    .waitFor({ state: 'attached' })
  await dialog.getByLabel('Field', { exact: true }).selectOption({ label: 'Customer' })
  await dialog.getByLabel('Field of Customer').selectOption({ label: 'Name' })
  await dialog.getByLabel('Condition').selectOption({ label: 'contains' })
  const apply = dialog.getByRole('button', { name: 'Apply' })
  expect(await findViolations(page)).toEqual([])
  await expect.poll(() => apply.isDisabled()).toBe(true)
  await dialog.getByLabel('Value').fill('a')
  await dialog.getByRole('button', { name: 'Add a condition' }).click()
  await expect.poll(() => dialog.getByRole('listitem').count()).toBe(2)
  await dialog.getByRole('button', { name: 'Remove condition' }).last().click()
  await apply.click()
  await expect.poll(facets).toEqual(['Customer › Name contains a'])
  expect(address()).toContain('"partner_id.name","ilike","a"')
  await settled()
  await page.reload()
  await settled()
  await expect.poll(facets).toEqual(['Customer › Name contains a'])
})

test('the panel narrows by what records have, with their counts', async () => {
  await signedIn.followAnew(LEADS)
  const panel = page.getByRole('complementary', { name: 'Narrow by' })
  const value = panel.getByRole('checkbox').first()
  await value.waitFor()
  // The first section may come last.
  await allLoaded(page)
  const count = Number(await panel.locator('label .n').first().textContent())
  await value.check()
  await expect.poll(address).toContain('#panel=')
  await expect
    .poll(async () => Number(await page.getByRole('grid').getAttribute('aria-rowcount')))
    .toBeLessThanOrEqual(count + 2)
  await value.uncheck()
  await expect.poll(facets).toEqual([])
  await input().fill('nothing has this name')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  await expect.poll(() => panel.locator('label .n').first().textContent()).toBe('0')
})

test('a section of the panel is one stop of the Tab key, and arrow keys go through its values', async () => {
  await signedIn.followAnew(LEADS)
  const panel = page.getByRole('complementary', { name: 'Narrow by' })
  const section = panel
    .locator('section')
    .filter({ has: page.getByRole('checkbox') })
    .first()
  const values = section.getByRole('checkbox')
  await values.nth(1).waitFor()
  const stops = () =>
    panel.locator('section').evaluateAll((all) => all.map((each) => each.querySelectorAll('[tabindex="0"]').length))
  await expect.poll(async () => (await stops()).every((count) => count === 1)).toBe(true)
  const hasFocus = (place: number) => values.nth(place).evaluate((each) => each === document.activeElement)
  await values.first().focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => hasFocus(1)).toBe(true)
  await page.keyboard.press('Space')
  await expect.poll(address).toContain('#panel=')
  await expect.poll(() => hasFocus(1)).toBe(true)
  await page.keyboard.press('Space')
  await expect.poll(facets).toEqual([])
  await page.keyboard.press('Home')
  await expect.poll(() => hasFocus(0)).toBe(true)
  await page.keyboard.press('Tab')
  expect(await section.locator(':focus').count()).toBe(0)
  await page.keyboard.press('Shift+Tab')
  await expect.poll(() => hasFocus(0)).toBe(true)
})

test('the panel is put away and back by a button and a key, and stays so; beside columns it waits to be asked', async () => {
  await signedIn.followAnew(LEADS)
  const panel = page.getByRole('complementary', { name: 'Narrow by' })
  const button = page.getByRole('button', { name: 'Narrow by' })
  await panel.waitFor()
  await button.click()
  await panel.waitFor({ state: 'detached' })
  await expect.poll(() => button.getAttribute('aria-expanded')).toBe('false')
  await signedIn.followAnew(LEADS)
  await button.waitFor()
  await expect.poll(() => panel.count()).toBe(0)
  await page.keyboard.press('p')
  await panel.getByRole('heading', { name: 'Stage' }).waitFor()

  await signedIn.followAnew('/web?model=crm.lead&view_type=kanban')
  await button.waitFor()
  await expect.poll(() => panel.count()).toBe(0)
  await button.click()
  await panel.getByRole('heading', { name: 'Tag' }).waitFor()
  // The columns are the stages.
  await expect.poll(() => panel.getByRole('heading', { name: 'Stage' }).count()).toBe(0)
  await button.click()
})

test('the panel names choices that no card shows', async () => {
  await signedIn.followAnew('/web?model=product.product&view_type=kanban')
  const panel = page.getByRole('complementary', { name: 'Narrow by' })
  await panel.getByText('Service', { exact: true }).waitFor()
  await expect.poll(() => panel.getByText('service', { exact: true }).count()).toBe(0)
})

test('the cards of a board without columns are the headings below that of the page, also on a phone', async () => {
  const wide = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  await page.locator('[data-card]').first().waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize(wide)
})

test('a list that the filters of its action empty says which of them hide how much, and shows all at one click', async () => {
  const views = await client.modules().asSystem((env) => env.views())
  await signedIn.followAnew(`/web?action=${views.actionIdByXmlid.get('crm.action_activities')}`)
  await page.getByRole('heading', { name: 'Nothing matches', exact: true }).waitFor()
  const words = await page.getByText('hidden by').textContent()
  const [, hidden] = /^(\d+ activities) are hidden by “My Activities” and “To Do”\.$/.exec(words ?? '') ?? []
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.locator('.gf').getByText(hidden!).waitFor()
  await input().fill('nobody knows this')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Nothing matches “nobody knows this”' }).waitFor()
  // A text alone hides nothing: it is not mentioned as a filter.
  await expect.poll(() => page.getByText('hidden by').count()).toBe(0)
})

test('a list without any record says what it is for, and begins the first one', async () => {
  await signedIn.followAnew('/web?model=core.api.key&view_type=list')
  await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor()
  expect(await findViolations(page)).toEqual([])
})

test('a list without any record offers no filters to clear, though its action has some', async () => {
  const action = await client.modules().asSystem(async (env) => {
    const activities = env.model('crm.activity')
    await activities.unlink(await activities.search([]))
    return (await env.views()).actionIdByXmlid.get('crm.action_activities')
  })
  await signedIn.followAnew(`/web?action=${action}`)
  await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor()
  expect(await page.getByRole('button', { name: 'Show all' }).count()).toBe(0)
})

test('a list whose records are all archived says so, and shows them', async () => {
  await client.modules().asSystem(async (env) => {
    const leads = env.model('crm.lead')
    await leads.write(await leads.search([]), { active: false })
  })
  await signedIn.followAnew('/web?model=crm.lead&view_type=list')
  await page.getByRole('heading', { name: /\d+ records are archived/ }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Show archived' }).click()
  await expect.poll(() => rows().count()).toBeGreaterThan(1)
  await client.modules().asSystem(async (env) => {
    const leads = env.model('crm.lead')
    await leads.write(await leads.search([['active', '=', false]]), { active: true })
  })
})

test('filters and an order that are chosen while the answer to the first one is still on its way add up', async () => {
  await signedIn.followAnew(LEADS)
  let letLoad = () => {}
  const mayLoad = new Promise<void>((resolve) => {
    letLoad = resolve
  })
  await page.route('**/web/wc/workspace?*', async (route) => {
    await mayLoad
    await route.fallback()
  })
  await input().fill('a')
  await page.keyboard.press('Enter')
  await expect.poll(facets).toEqual(['a'])
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitemcheckbox').first().click()
  await expect.poll(() => facets().then(({ length }) => length)).toBe(2)
  expect(address()).toContain('q=a')
  expect(address()).toMatch(/filter=\w/)
  await page.keyboard.press('Escape')
  await page.locator('.head [role=columnheader] .sort').first().click()
  await expect.poll(address).toContain('sort=')
  expect(address()).toContain('q=a')
  expect(address()).toMatch(/filter=\w/)
  letLoad()
  await settled()
  await expect.poll(() => facets().then(({ length }) => length)).toBe(2)
  await page.unroute('**/web/wc/workspace?*')
})

test('a search is saved, opened by itself, offered in the sidebar, and deleted', async () => {
  await signedIn.followAnew('/web/home')
  await page.getByRole('button', { name: /Switch app/ }).click()
  await page.getByRole('menuitem', { name: 'CRM' }).click()
  await page.getByRole('link', { name: 'Leads', exact: true }).click()
  await expect.poll(() => page.locator('h1').textContent()).toBe('Leads')
  await settled()
  const plain = page.url()
  await input().fill('a')
  await page.keyboard.press('Enter')
  await expect.poll(address).toContain('q=a')
  await page.getByRole('button', { name: 'Favourites' }).click()
  await page.getByRole('menuitem', { name: 'Save this search…' }).click()
  await page.getByLabel('Name').waitFor()
  await allLoaded(page)
  expect(await findViolations(page)).toEqual([])
  await page.getByLabel('Name').fill('With an a')
  await page.getByLabel('Open with this search').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Search saved').waitFor()
  await expect.poll(address).toContain('fav=')

  const link = page.locator('#nav').getByRole('link', { name: 'With an a' })
  await link.waitFor()
  await signedIn.followAnew('/web/home')
  await link.waitFor()
  await page.goto(plain)
  await expect.poll(address).toContain('fav=')
  await settled()
  await expect.poll(facets).toContain('a')
  await page.getByRole('button', { name: /^Remove a$/ }).click()
  await expect.poll(facets).not.toContain('a')
  // It does not come back by itself.
  await page.reload()
  await settled()
  await expect.poll(() => facets()).not.toContain('a')
  await link.click()
  await expect.poll(facets).toContain('a')

  await page.getByRole('button', { name: 'Favourites' }).click()
  await page.getByRole('menuitem', { name: 'Delete “With an a”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => link.count()).toBe(0)
})

test('view tabs are links with the address of the server, and take a search of the fragment along', async () => {
  await signedIn.followAnew(`${LEADS}#group=stage_id`)
  const tabs = page.getByRole('navigation', { name: 'View' })
  await expect.poll(() => tabs.getByRole('link', { name: 'List' }).getAttribute('aria-current')).toBe('page')
  await expect
    .poll(() => tabs.getByRole('link', { name: 'Kanban' }).getAttribute('href'))
    .toMatch(/^\/web\?.*view_type=kanban.*#group=stage_id$/)
})

test('New opens the form of a new record by button and by key', async () => {
  await signedIn.followAnew(PARTNERS)
  await page.getByRole('button', { name: 'New' }).click()
  await expect.poll(address).toContain('view_type=form')
  await page.goBack()
  await settled()
  await page.keyboard.press('n')
  await expect.poll(address).toContain('view_type=form')
})

test('the pages of these tests report no errors in the console', () => {
  expect(signedIn.complaints).toEqual([])
})
