import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

const input = () => page.getByRole('searchbox', { name: 'Search records' })
const facets = () => page.locator('.facet').allTextContents()
const rows = () => page.getByRole('row').filter({ has: page.getByRole('gridcell') })
const address = () => decodeURIComponent(page.url().replaceAll('+', ' '))
const settled = () => page.locator('.viewhost[aria-busy=false]').first().waitFor()
const rowTexts = async () => (await rows().allTextContents()).join('\n')

test('a slash goes to the search; Enter looks in all columns; Backspace takes it away', async () => {
  await signedIn.go(PARTNERS)
  await page.keyboard.press('/')
  await page.keyboard.type('holmgaard')
  await page.keyboard.press('Enter')
  await expect.poll(address).toContain('q=holmgaard')
  await expect.poll(facets).toEqual(['holmgaard'])
  await expect.poll(() => rowTexts().then((text) => text.toLowerCase().includes('holmgaard'))).toBe(true)
  expect(await input().evaluate((element) => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Backspace')
  await expect.poll(facets).toEqual([])
  expect(address()).not.toContain('q=')
})

test('what is typed is offered field by field; the choice lives in the fragment and comes back with the address', async () => {
  await signedIn.go(PARTNERS)
  await input().fill('ger')
  const suggestions = page.getByRole('listbox', { name: 'Suggestions' })
  await suggestions.getByRole('option').first().waitFor()
  await page.keyboard.press('ArrowDown')
  const chosen = await suggestions.locator('[aria-selected=true]').textContent()
  expect(chosen).toMatch(/^Search .+ for ger$/)
  await page.keyboard.press('Enter')
  await expect.poll(address).toContain('#by=[[')
  const [facet] = await facets()
  expect(facet).toMatch(/ger$/)
  const found = await page.getByRole('grid').getAttribute('aria-rowcount')
  await page.reload()
  await settled()
  await expect.poll(facets).toEqual([facet])
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe(found)
})

test('named filters of a set widen each other, of different sets narrow; back and forward walk through them', async () => {
  await signedIn.go(LEADS)
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

test('a date filter opens to its periods', async () => {
  await signedIn.go(LEADS)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const opened = page.getByRole('menuitem', { name: 'Opened' })
  await opened.click()
  expect(await opened.getAttribute('aria-expanded')).toBe('true')
  const year = String(new Date().getFullYear())
  await page.getByRole('menuitemcheckbox', { name: year, exact: true }).click()
  await expect.poll(address).toMatch(new RegExp(`filter=\\w+:${year}`))
  await expect.poll(facets).toEqual([`Opened${year}`])
  await page.keyboard.press('Escape')
})

test('grouping goes into the fragment, one group inside the other', async () => {
  await signedIn.go(LEADS)
  await page.getByRole('button', { name: 'Group', exact: true }).click()
  const items = page.getByRole('menuitemcheckbox')
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
  await signedIn.go(LEADS)
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
  expect(await apply.isDisabled()).toBe(true)
  await dialog.getByLabel('Value').fill('a')
  await dialog.getByRole('button', { name: 'Add a condition' }).click()
  expect(await dialog.getByRole('listitem').count()).toBe(2)
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
  await signedIn.go(LEADS)
  const panel = page.getByRole('complementary', { name: 'Narrow by' })
  const value = panel.getByRole('checkbox').first()
  await value.waitFor()
  const count = Number(await panel.locator('label .n').first().textContent())
  await value.check()
  await expect.poll(address).toContain('#panel=')
  await expect
    .poll(async () => Number(await page.getByRole('grid').getAttribute('aria-rowcount')))
    .toBeLessThanOrEqual(count + 2)
  await value.uncheck()
  await expect.poll(facets).toEqual([])
})

test('the panel is put away and back by a button and a key, and stays so; beside columns it waits to be asked', async () => {
  await signedIn.go(LEADS)
  const panel = page.getByRole('complementary', { name: 'Narrow by' })
  const button = page.getByRole('button', { name: 'Narrow by' })
  await panel.waitFor()
  await button.click()
  await panel.waitFor({ state: 'detached' })
  expect(await button.getAttribute('aria-expanded')).toBe('false')
  await signedIn.go(LEADS)
  await button.waitFor()
  expect(await panel.count()).toBe(0)
  await page.keyboard.press('p')
  await panel.getByRole('heading', { name: 'Stage' }).waitFor()

  await signedIn.go('/web?model=crm.lead&view_type=kanban')
  await button.waitFor()
  expect(await panel.count()).toBe(0)
  await button.click()
  await panel.getByRole('heading', { name: 'Tag' }).waitFor()
  // The columns are the stages.
  expect(await panel.getByRole('heading', { name: 'Stage' }).count()).toBe(0)
  await button.click()
})

test('the panel names choices that no card shows', async () => {
  await signedIn.go('/web?model=product.product&view_type=kanban')
  const panel = page.getByRole('complementary', { name: 'Narrow by' })
  await panel.getByText('Service', { exact: true }).waitFor()
  expect(await panel.getByText('service', { exact: true }).count()).toBe(0)
})

test('a search the action begins with finds nothing: its help, a new record, and a way around the search', async () => {
  const views = await client.modules().asSystem((env) => env.views())
  await signedIn.go(`/web?action=${views.actionIdByXmlid.get('crm.action_activities')}`)
  await page.getByRole('heading', { name: 'Nothing here yet' }).waitFor()
  await page.getByText('Nothing planned.').waitFor()
  // Its list is edited in place, so it begins there.
  expect(await page.locator('.empty').getByRole('button', { name: 'New' }).count()).toBe(1)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => rows().count()).toBeGreaterThan(1)
  await input().fill('nobody knows this')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Nothing matches “nobody knows this”' }).waitFor()
  await page.getByText('One filter is on.').waitFor()
})

test('a search is saved, opened by itself, offered in the sidebar, and deleted', async () => {
  await signedIn.go('/web/home')
  await page.getByRole('button', { name: /Switch app/ }).click()
  await page.getByRole('menuitem', { name: 'CRM' }).click()
  await page.getByRole('link', { name: 'Leads' }).click()
  await expect.poll(() => page.locator('h1').textContent()).toBe('Leads')
  await settled()
  const plain = page.url()
  await input().fill('a')
  await page.keyboard.press('Enter')
  await expect.poll(address).toContain('q=a')
  await page.getByRole('button', { name: 'Favourites' }).click()
  await page.getByRole('menuitem', { name: 'Save this search…' }).click()
  expect(await findViolations(page)).toEqual([])
  await page.getByLabel('Name').fill('With an a')
  await page.getByLabel('Open with this search').check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Search saved').waitFor()
  await expect.poll(address).toContain('fav=')

  const link = page.locator('#nav').getByRole('link', { name: 'With an a' })
  await link.waitFor()
  await signedIn.go('/web/home')
  await link.waitFor()
  await page.goto(plain)
  await expect.poll(facets).toContain('a')
  await page.getByRole('button', { name: /^Remove a$/ }).click()
  await expect.poll(facets).not.toContain('a')
  await link.click()
  await expect.poll(facets).toContain('a')

  await page.getByRole('button', { name: 'Favourites' }).click()
  await page.getByRole('menuitem', { name: 'Delete “With an a”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => link.count()).toBe(0)
})

test('view tabs are links with the address of the server, and take a search of the fragment along', async () => {
  await signedIn.go(`${LEADS}#group=stage_id`)
  const tabs = page.getByRole('navigation', { name: 'View' })
  expect(await tabs.getByRole('link', { name: 'List' }).getAttribute('aria-current')).toBe('page')
  expect(await tabs.getByRole('link', { name: 'Kanban' }).getAttribute('href')).toMatch(
    /^\/web\?.*view_type=kanban.*#group=stage_id$/,
  )
})

test('New opens the form of a new record by button and by key', async () => {
  await signedIn.go(PARTNERS)
  await page.getByRole('button', { name: 'New' }).click()
  await expect.poll(address).toContain('view_type=form')
  await page.goBack()
  await settled()
  await page.keyboard.press('n')
  await expect.poll(address).toContain('view_type=form')
})

test('nothing of it made the browser complain', () => {
  expect(signedIn.complaints).toEqual([])
})
