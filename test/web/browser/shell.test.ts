import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { dragOnto } from './drag-onto.ts'
import { findViolations } from './find-violations.ts'
import { PASSWORD, RESTING_PLACE, useClient } from './fixture.ts'

const client = useClient()

const pinned = (page: Page) => page.locator('section[aria-labelledby=home-pinned] b').allTextContents()
const heading = (page: Page) => page.locator('h1')
const settled = (page: Page) => page.locator('.viewhost[aria-busy=false]').first().waitFor()

test('an address asked for before signing in is opened after it', async () => {
  const { page } = await client.signIn('admin', { storageState: { cookies: [], origins: [] } })
  // A page of the client would itself go to the sign-in as soon as it misses its session.
  await page.goto(RESTING_PLACE)
  await page.context().clearCookies()
  await page.goto('/web?model=core.partner&view_type=list')
  await page.locator('input[name=login]').fill('admin')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL(/model=core\.partner/)
  await settled(page)
  await expect.poll(() => heading(page).count()).toBe(1)
  await page.context().close()
})

test('the hub offers the apps, pins them, orders them by mouse and by keyboard, and keeps the order', async () => {
  const { page, go, complaints, release } = await client.signIn()
  await go('/web/home')
  // What comes late moves the pins.
  await allLoaded(page)
  for (const app of ['Sales', 'CRM', 'Project']) await page.getByRole('button', { name: `Pin ${app}` }).click()
  await expect.poll(() => pinned(page)).toEqual(['Sales', 'CRM', 'Project'])

  await page.locator('[data-focus=pin-crm]').focus()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect.poll(() => pinned(page)).toEqual(['CRM', 'Sales', 'Project'])
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe('pin-crm')

  // That of the drag: the answers to what was pinned before may still be on their way.
  const saved = page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/pinned-apps') && /"project","crm","sale"/.test(answer.request().postData() ?? ''),
  )
  const pins = page.locator('section[aria-labelledby=home-pinned] li')
  await dragOnto(
    page,
    page.locator('[data-focus=pin-project]'),
    page.locator('[data-focus=pin-crm]'),
    pins.and(page.locator('.over')),
  )
  expect((await saved).ok()).toBe(true)
  await expect.poll(() => pinned(page)).toEqual(['Project', 'CRM', 'Sales'])

  await page.reload()
  await page.locator('section[aria-labelledby=home-pinned]').waitFor()
  await expect.poll(() => pinned(page)).toEqual(['Project', 'CRM', 'Sales'])
  await page.locator('section[aria-labelledby=home-pinned] li', { hasText: 'Sales' }).hover()
  await page.getByRole('button', { name: 'Unpin Sales' }).click()
  await expect.poll(() => pinned(page)).toEqual(['Project', 'CRM'])
  expect(complaints).toEqual([])
  await release()
})

test('a letter typed on the hub begins a search', async () => {
  const { page, go, release } = await client.signIn()
  await go('/web/home')
  await page.keyboard.type('con')
  const input = page.getByRole('combobox', { name: 'Search or run a command' })
  await input.waitFor()
  await expect.poll(() => input.inputValue()).toBe('con')
  await page.getByRole('option', { name: 'Contacts' }).first().click()
  await settled(page)
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['app'])).toBe('contacts')
  await release()
})

test('menus are links of the app one is in; its colour and the crumbs follow', async () => {
  const { page, go, complaints, release } = await client.signIn()
  await go('/web/home')
  await page.getByRole('button', { name: /Switch app/ }).click()
  await page.getByRole('menuitem', { name: 'Sales' }).click()
  await settled(page)
  const menus = page.getByRole('navigation', { name: 'Sales' })
  await menus.getByRole('link', { name: 'Sales Orders' }).click()
  await expect.poll(() => heading(page).textContent()).toBe('Sales Orders')
  await expect.poll(() => menus.getByRole('link', { name: 'Sales Orders' }).getAttribute('aria-current')).toBe('page')
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['app'])).toBe('sale')
  await expect
    .poll(() => page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').allTextContents())
    .toEqual(['Sales'])
  await page.goBack()
  await expect.poll(() => heading(page).textContent()).toBe('Quotations')
  expect(complaints).toEqual([])
  await release()
})

test('the sidebar folds to icons that keep their names, and stays so', async () => {
  const { page, go, release } = await client.signIn()
  await go('/web?model=core.partner&view_type=list')
  const width = () => page.locator('#nav').evaluate((bar) => bar.getBoundingClientRect().width)
  await expect.poll(() => width()).toBe(220)
  await page.keyboard.press('Control+b')
  await expect.poll(() => width()).toBe(48)
  await page.reload()
  await settled(page)
  await expect.poll(() => width()).toBe(48)
  await page.getByRole('button', { name: 'Expand sidebar' }).click()
  await expect.poll(() => width()).toBe(220)
  await release()
})

test('the palette finds records, places and actions by keyboard alone', async () => {
  const { page, go, complaints, release } = await client.signIn()
  await go('/web/home')
  await page.keyboard.press('Control+k')
  const input = page.getByRole('combobox', { name: 'Search or run a command' })
  await input.fill('holmg')
  const results = page.getByRole('listbox', { name: 'Results' })
  await results.getByRole('group', { name: 'Records' }).getByRole('option').first().waitFor()
  const [first] = await results.getByRole('option').allTextContents()
  expect(first?.toLowerCase()).toContain('holmg')

  await input.fill('> dark')
  await expect.poll(() => results.getByRole('option').allTextContents()).toEqual(['DarkSwitch theme'])
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')

  await page.keyboard.press('Control+k')
  await input.fill('sales orders')
  await page.keyboard.press('Enter')
  await expect.poll(() => heading(page).textContent()).toBe('Sales Orders')

  await page.keyboard.press('Control+k')
  await input.fill('zzzzqqq')
  await results.getByText('Nothing found').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => input.count()).toBe(0)
  expect(complaints).toEqual([])
  await release()
})

test('a question mark lists the keys that work here', async () => {
  const { page, go, release } = await client.signIn()
  await go('/web?model=core.partner&view_type=list')
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.waitFor()
  const text = await sheet.textContent()
  for (const name of ['Search or jump to', 'Go to the home page', 'New', 'Search']) expect(text).toContain(name)
  await page.keyboard.press('Escape')
  await expect.poll(() => sheet.count()).toBe(0)
  await release()
})

test('the account menu changes theme and density, and the language of everything', async () => {
  const { page, go, complaints, release } = await client.signIn('seller')
  await go('/web/home')
  const open = (name: string) => page.getByRole('menuitem', { name }).click()
  await page.getByRole('button', { name: /account menu/ }).click()
  await open('Theme')
  await page.getByRole('menuitemcheckbox', { name: 'Dark' }).click()
  await open('Density')
  await page.getByRole('menuitemcheckbox', { name: 'Compact' }).click()
  await expect
    .poll(() => page.evaluate(() => ({ ...document.documentElement.dataset })))
    .toMatchObject({
      theme: 'dark',
      density: 'compact',
    })
  await expect
    .poll(() => page.getByRole('menuitem', { name: 'Account and sessions' }).getAttribute('href'))
    .toBe('/web/settings/account')
  await expect.poll(() => page.getByRole('menuitem', { name: 'Sign out' }).getAttribute('href')).toBe('/web/logout')
  await open('Language')
  await page.getByRole('menuitemcheckbox', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { name: 'Start', level: 1 }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Tastenkürzel' }).count()).toBe(1)

  await page.getByRole('button', { name: /Kontomenü/ }).click()
  await open('Sprache')
  await page.getByRole('menuitemcheckbox', { name: 'English' }).click()
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  expect(complaints).toEqual([])
  await release()
})

test('a user of two companies works in one, the other, or both', async () => {
  const [own, other] = await client.modules().asSystem(async (env) => {
    const [reader] = await env.model('core.user').search([['login', '=', 'reader']])
    const companies = await env.model('core.company').search([], { limit: 2 })
    await env.model('core.user').write([reader!], { company_ids: companies })
    const [first, second] = await env.model('core.company').read(companies, ['name'])
    return [first!.name, second!.name] as const
  })
  const { page, go, complaints, release } = await client.signIn('reader')
  await go('/web/home')
  const account = page.getByRole('button', { name: /account menu/ })
  const choose = async (name: string) => {
    await account.click()
    await page.getByRole('menuitem', { name: /^Company/ }).click()
    await page.getByRole('menuitemcheckbox', { name }).click()
  }
  await choose(other)
  await expect.poll(() => account.textContent()).toContain(other)
  await expect.poll(() => account.textContent()).not.toContain(own)
  await choose('All companies')
  await allLoaded(page)
  // The sidebar says which companies are active, all of them.
  for (const name of [own, other]) await expect.poll(() => account.textContent()).toContain(name)
  await account.click()
  // The menu says the same.
  const companyItem = page.getByRole('menuitem', { name: /^Company/ })
  for (const name of [own, other]) await expect.poll(() => companyItem.textContent()).toContain(name)
  await companyItem.click()
  const all = page.getByRole('menuitemcheckbox', { name: 'All companies' })
  await expect.poll(() => all.getAttribute('aria-checked')).toBe('true')
  expect(complaints).toEqual([])
  await release()
})

test('without an answer the bar says so, and the view comes back by itself', async () => {
  const { page, go, release } = await client.signIn()
  await go('/web?model=core.partner&view_type=list')
  await page.getByRole('row').nth(1).waitFor()
  await allLoaded(page)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Offline' }).waitFor()
  await page.context().setOffline(false)
  await expect.poll(() => page.getByRole('button', { name: 'Offline' }).count()).toBe(0)
  await release()
})

test('on a phone the menus are a sheet that Escape, the shade and links close', async () => {
  const { page, go, complaints, release } = await client.signIn('admin', { viewport: { width: 390, height: 844 } })
  await go('/web?model=core.partner&view_type=list')
  const sheet = page.locator('#nav')
  await expect.poll(() => sheet.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect.poll(() => sheet.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => sheet.isVisible()).toBe(false)
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('open-menu')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('button', { name: 'Close menu' }).click({ position: { x: 370, y: 400 } })
  await expect.poll(() => sheet.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await sheet.getByRole('link').first().click()
  await expect.poll(() => sheet.isVisible()).toBe(false)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(complaints).toEqual([])
  await release()
})

test('records one opened are on the hub', async () => {
  const { page, go, release } = await client.signIn()
  await go('/web?model=core.partner&view_type=list')
  const row = page.getByRole('row').getByRole('link').first()
  const name = await row.textContent()
  await row.click()
  await expect.poll(() => heading(page).textContent()).toBe(name)
  await page.keyboard.press('Control+k')
  await page.getByRole('group', { name: 'Recent' }).getByRole('option').first().waitFor()
  await page.keyboard.press('Escape')
  await go('/web/home')
  await expect.poll(() => page.locator('section[aria-labelledby=home-recent]').textContent()).toContain(name)
  await release()
})

test('the catalogue shows what an uninstall takes, and asks for the password before it changes modules', async () => {
  const { page, go, release } = await client.signIn()
  await go('/web/apps')
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'CRM' }) })
  // Whoever signed in less than ten minutes ago is believed; later the server answers like this once.
  await page.route(
    '**/web/module/action',
    (route) =>
      route.fulfill({
        status: 403,
        json: {
          ok: false,
          error: { code: 'ACCESS_DENIED', message: 'Confirm.', details: { confirm: '/web/confirm' } },
        },
      }),
    { times: 1 },
  )
  const dialog = page.getByRole('dialog', { name: 'Uninstall CRM' })
  const uninstall = dialog.getByRole('button', { name: 'Uninstall' })
  const openPlan = async () => {
    await card.getByRole('button', { name: 'Actions for CRM' }).click()
    await page.getByRole('menuitem', { name: 'Uninstall…' }).click()
    await dialog.waitFor()
  }
  await openPlan()
  await expect.poll(() => dialog.textContent()).toMatch(/Lead: set aside\d+ records/)
  await expect.poll(() => uninstall.isDisabled()).toBe(true)
  await dialog.getByLabel('Type crm to confirm').fill('crm')
  await expect.poll(() => uninstall.isDisabled()).toBe(false)
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await card.getByText('Installed').waitFor()
  await openPlan()
  await dialog.getByLabel('Type crm to confirm').fill('crm')
  await uninstall.click()
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Go on' }).click()
  await page.getByText('The password is not right.').waitFor()
  await page.keyboard.press('Escape')
  await card.getByText('Installed').waitFor()
  await release()
})

test('the catalogue and the settings of an ordinary user say so, and hide the administration', async () => {
  const { page, go, complaints, release } = await client.signIn('reader')
  await go('/web/apps')
  await page.getByRole('heading', { name: 'You are not allowed to do this' }).waitFor()
  await go('/web/settings')
  await expect.poll(() => page.locator('.setcards').getByRole('link').allTextContents()).toHaveLength(2)
  await expect.poll(() => page.locator('#nav').getByRole('link', { name: 'Apps' }).count()).toBe(0)
  expect(complaints).toEqual([])
  await release()
})

test('a key that is shown once stays until it is closed, and is copied', async () => {
  const { page, release } = await client.signIn('admin', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.route('**/web/home', async (route) => {
    const answer = await route.fetch()
    const toast = '"toasts":[{"level":"success","text":"API key created","secret":"sk_example"}]'
    await route.fulfill({ response: answer, body: (await answer.text()).replace('"toasts":[]', toast) })
  })
  await page.goto('/web/home')
  const toast = page.getByRole('status').filter({ hasText: 'API key created' })
  await toast.getByRole('button', { name: 'Copy' }).click()
  await toast.getByRole('button', { name: 'Copied' }).waitFor()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('sk_example')
  await toast.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => toast.count()).toBe(0)
  await release()
})

test('axe finds nothing to object to in menus, palette and folded sidebar', async () => {
  const { page, go, release } = await client.signIn()
  await go('/web/settings')
  await page.getByRole('button', { name: /account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Theme' }).click()
  expect(await findViolations(page), 'account menu').toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('sal')
  await page.getByRole('group', { name: 'Go to' }).waitFor()
  expect(await findViolations(page), 'palette').toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+b')
  expect(await findViolations(page), 'folded').toEqual([])
  await release()
})

test('a narrow sidebar leaves the search panel as it is, and the menu of a phone lies above every bar', async () => {
  const { page, go, follow, release } = await client.signIn()
  await go('/web?model=sale.order&view_type=list')
  const choice = page.locator('.spanel').getByText('Cancelled')
  await choice.waitFor()
  await page.keyboard.press('Control+b')
  await page.locator('.shell[data-collapsed]').waitFor()
  await expect.poll(() => choice.isVisible()).toBe(true)
  await page.setViewportSize({ width: 390, height: 844 })
  // The way to the form of a list is that of its first record, and on a phone there is a way back.
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.locator('.seg [data-mode=form]').click()
  await page.waitForURL(/view_type=form&id=\d+/)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.locator('.crumbs').getByRole('link').click()
  await page.waitForURL(/view_type=list/)
  await follow('/web?model=sale.order&view_type=form&id=1')
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.locator('.scrim').waitFor()
  const bar = (await page.locator('.viewhost').getByRole('button', { name: 'More actions' }).boundingBox())!
  const hit = ({ x, y }: { x: number; y: number }) => document.elementFromPoint(x, y)?.className
  await expect.poll(() => page.evaluate(hit, { x: bar.x + bar.width / 2, y: bar.y + bar.height / 2 })).toBe('scrim')
  await release()
})
