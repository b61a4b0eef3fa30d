import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'
import { input, open, options, told, type } from './palette-page.ts'

const client = useClient()
const soon = expect.poll

const PHONE = { width: 390, height: 844 }

const chip = (page: Page) => page.locator('.palette .pchip .cut')
const heading = (page: Page) => page.locator('h1').first()

/** Goes to the home page, unless it is there: a page that stays is not drawn anew, also if another one is still on its way. */
async function goHome({ page, follow }: SignedIn): Promise<void> {
  await allLoaded(page)
  if (new URL(page.url()).pathname !== '/web/home') await follow('/web/home')
}

async function selectRows(page: Page, count: number): Promise<void> {
  const boxes = page.locator('.listview [role=row] input[type=checkbox]')
  for (let at = 1; at <= count; at++) await boxes.nth(at).check()
  await page.getByRole('toolbar', { name: 'Selection' }).waitFor()
}

test('keys typed while the palette loads go into it and run no shortcut of the page', async () => {
  const { page, go, release } = await client.signIn()
  await go('/web?model=sale.order&view_type=list')
  let letIn = () => {}
  const held = new Promise<void>((resolve) => {
    letIn = resolve
  })
  await page.route(/palette-\w+\.js/, async (route) => {
    await held
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('ne')
  letIn()
  await soon(() => input(page).inputValue()).toBe('ne')
  await page.keyboard.type('w')
  await soon(() => input(page).inputValue()).toBe('new')
  expect(page.url()).toContain('view_type=list')
  await page.unroute(/palette-\w+\.js/)
  await page.keyboard.press('Escape')
  await release()
})

describe('the palette by keyboard', () => {
  let view: SignedIn
  beforeAll(async () => {
    view = await client.signIn()
    await view.go('/web/home')
  })

  test('“new quotation” opens the form of a quotation, and “go to” a menu', async () => {
    const { page } = view
    await open(page)
    await type(page, 'new quotation', 'New quotation')
    await page.keyboard.press('Enter')
    await page.waitForURL(/view_type=form/)
    await page.getByRole('combobox', { name: 'Customer' }).waitFor()
    await goHome(view)
    await open(page)
    await type(page, 'go to price lists', 'Price Lists')
    await page.keyboard.press('Enter')
    await soon(() => heading(page).textContent()).toBe('Price Lists')
    await open(page)
    await type(page, 'log out', 'Sign out')
    await page.keyboard.press('Escape')
    await soon(() => input(page).count()).toBe(0)
  })

  test('“new quotation for …” asks for the customer and fills it in', async () => {
    const { page } = view
    await goHome(view)
    await open(page)
    await input(page).fill('new quotation for ribei')
    await soon(() => chip(page).textContent()).toBe('New quotation')
    expect(await input(page).inputValue()).toBe('ribei')
    const customer = page.getByRole('group', { name: 'Customer' }).getByRole('option').first()
    await customer.waitFor()
    const name = (await customer.locator('.lb').textContent()) ?? ''
    expect(name.toLowerCase()).toContain('ribei')
    await page.keyboard.press('Enter')
    await soon(() => page.getByRole('combobox', { name: 'Customer' }).inputValue()).toBe(name)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.waitForURL(/web\/home/)
  })

  test('one request finds records of every app, with customer, stage and amount', async () => {
    const { page } = view
    await goHome(view)
    await allLoaded(page)
    const asked: string[] = []
    page.on('request', (request) => {
      if (/\/api\/rpc|\/wc\/find/.test(request.url())) asked.push(request.url())
    })
    await open(page)
    await input(page).fill('ribeira')
    const records = page.getByRole('group', { name: 'Records' }).getByRole('option')
    await records.nth(2).waitFor()
    const texts = await records.allTextContents()
    expect(
      texts.some((text) => /Ribeira Wines.*€|Ribeira Wines.*\d/.test(text)),
      texts.join('\n'),
    ).toBe(true)
    expect(new Set(await records.locator('.end').allTextContents()).size).toBeGreaterThan(1)
    expect(asked).toHaveLength(1)
    page.removeAllListeners('request')
    await page.keyboard.press('Escape')
    await soon(() => input(page).count()).toBe(0)
  })

  test('Tab on a customer shows its orders and deals, and Backspace leaves it', async () => {
    const { page } = view
    await goHome(view)
    await open(page)
    await type(page, 'ribeira wines', 'Ribeira')
    await page.keyboard.press('Tab')
    await soon(() => chip(page).textContent()).toMatch(/Ribeira/)
    const own = page.getByRole('group', { name: 'Belongs to it' }).getByRole('option')
    await own.first().waitFor()
    expect(await page.getByRole('option', { name: /New (quotation|sales order) for Ribeira Wines/ }).count()).toBe(1)
    await page.keyboard.press('Backspace')
    await soon(() => chip(page).count()).toBe(0)
    await page.keyboard.press('Escape')
    await soon(() => input(page).count()).toBe(0)
  })

  test('recently used entries come first', async () => {
    const { page } = view
    await goHome(view)
    await open(page)
    await input(page).fill('tags')
    await soon(() => options(page).count()).toBeGreaterThan(2)
    const before = await options(page).allTextContents()
    const last = page.getByRole('group', { name: 'Go to' }).getByRole('option').last()
    const label = (await last.textContent()) ?? ''
    expect(before[0]).not.toBe(label)
    await last.click()
    await soon(() => input(page).count()).toBe(0)
    await open(page)
    await input(page).fill('tags')
    await soon(() => options(page).first().textContent()).toBe(label)
    await page.keyboard.press('Escape')
    await soon(() => input(page).count()).toBe(0)
  })

  test('the theme is switched by name', async () => {
    const { page } = view
    await goHome(view)
    const theme = () => page.evaluate(() => document.documentElement.dataset['theme'] ?? 'system')
    await open(page)
    await type(page, 'theme dark', 'Dark')
    await page.keyboard.press('Enter')
    await soon(theme).toBe('dark')
    await open(page)
    await type(page, 'switch comp', 'Switch company, theme or language')
    await page.keyboard.press('Enter')
    await soon(() => chip(page).textContent()).toBe('Switch')
    await page.getByRole('group', { name: 'Theme' }).getByRole('option', { name: 'Like the system' }).click()
    await soon(theme).toBe('system')
  })

  test('menus and commands are found without the server, and it says that records are not', async () => {
    const { page, complaints } = view
    await goHome(view)
    await allLoaded(page)
    await page.context().setOffline(true)
    await open(page)
    await type(page, 'sales orders', 'Sales Orders')
    await page.getByText('The server does not answer: records are not searched.').waitFor()
    // The old content does not stay under the new address: the page says why it waits, and opens when the server answers.
    await page.keyboard.press('Enter')
    await page.locator('.viewhost').getByRole('alert').getByText('No connection').waitFor()
    await page.context().setOffline(false)
    await soon(() => page.locator('h1').textContent()).toBe('Sales Orders')
    await page.getByRole('columnheader', { name: 'Customer' }).waitFor()
    complaints.length = 0
  })
})

describe('the palette and what is on screen', () => {
  let view: SignedIn
  beforeAll(async () => {
    view = await client.signIn()
    await view.go('/web?model=crm.lead&view_type=list')
  })

  test('opened with rows selected, it acts on them: assign, with a way back', async () => {
    const { page } = view
    await page.locator('.listview [role=row]').nth(3).waitFor()
    await selectRows(page, 2)
    await open(page)
    await soon(() => chip(page).textContent()).toBe('2 selected')
    const acts = page.getByRole('group', { name: 'On the selection' })
    await soon(() => acts.getByRole('option').allTextContents()).toEqual(expect.arrayContaining(['Convert', 'Archive']))
    await type(page, 'assign to sales', 'Assign to')
    await page.keyboard.press('Enter')
    await soon(() => chip(page).textContent()).toBe('Assign to')
    await page.getByRole('option', { name: /^Me/ }).waitFor()
    expect(await page.getByRole('option', { name: /^reader/ }).count()).toBe(0)
    await type(page, 'seller', 'seller')
    await page.keyboard.press('Enter')
    const toast = page.getByRole('status').filter({ hasText: '2 records assigned to seller' })
    await toast.getByRole('button', { name: 'Undo' }).click()
    await told(page, 'Undone').waitFor()
    await soon(() => toast.count()).toBe(0)
    await page.keyboard.press('Escape')
    await soon(() => page.getByRole('toolbar', { name: 'Selection' }).count()).toBe(0)
  })

  test('archives the selection, with a way back, and the focus stays in the list', async () => {
    const { page } = view
    await soon(() => told(page, 'Undone').count()).toBe(0)
    await selectRows(page, 2)
    await open(page)
    await type(page, 'archive', 'Archive')
    await page.keyboard.press('Enter')
    await told(page, '2 records archived').waitFor()
    await soon(() => page.evaluate(() => document.activeElement?.closest('[role=grid]') !== null)).toBe(true)
    await page.keyboard.press('Control+z')
    await told(page, 'Undone').waitFor()
  })

  test('confirms the order on screen, with a way back', async () => {
    const { page } = view
    const [draft] = await client.modules().asSystem(async (env) => {
      const [user] = await env.model('core.user').search([['login', '=', 'admin']])
      const [{ company_id: company } = {}] = await env.model('core.user').read([user!], ['company_id'])
      return env.model('sale.order').search([
        ['state', '=', 'draft'],
        ['company_id', '=', company![0]],
      ])
    })
    await view.follow(`/web?model=sale.order&view_type=form&id=${draft}`)
    await allLoaded(page)
    await page.getByRole('button', { name: 'Confirm', exact: true }).waitFor()
    await open(page)
    await page.getByRole('group', { name: 'This record' }).getByRole('option', { name: 'Confirm' }).waitFor()
    await type(page, 'confirm', 'Confirm')
    await page.keyboard.press('Enter')
    await told(page, 'Quotation → Sales Order').getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Confirm', exact: true }).waitFor()
    await view.follow('/web?model=crm.lead&view_type=list')
    await page.locator('.listview [role=row]').nth(3).waitFor()
  })

  test('on a record it has the buttons of the record', async () => {
    const { page } = view
    await page.locator('.listview [role=row] a').first().click()
    await page.locator('.formview').waitFor()
    await allLoaded(page)
    await open(page)
    const acts = page.getByRole('group', { name: 'This record' })
    await acts.getByRole('option', { name: 'Duplicate' }).waitFor()
    expect(await acts.getByRole('option', { name: 'Archive' }).count()).toBe(1)
    await page.keyboard.press('Backspace')
    await soon(() => acts.count()).toBe(0)
    await page.keyboard.press('Escape')
    await soon(() => input(page).count()).toBe(0)
  })
})

test('the palette offers nothing the user may not do', async () => {
  const { page, go, release } = await client.signIn('seller')
  await go('/web/home')
  await allLoaded(page)
  await open(page)
  await input(page).fill('new ')
  await page.getByRole('option', { name: 'New quotation' }).waitFor()
  expect(await page.getByRole('option', { name: 'New user' }).count()).toBe(0)
  await input(page).fill('in')
  await page
    .getByRole('option', { name: /^Import into / })
    .first()
    .waitFor()
  for (const name of ['Invite somebody', 'Install apps', 'Import into Users', 'Switch developer mode on'])
    expect(await page.getByRole('option', { name }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await soon(() => input(page).count()).toBe(0)
  await release()
})

test('a record is offered only to those to whom one may leave it, by palette and by form', async () => {
  const lead = await client.modules().asSystem(async (env) => {
    const [user_id] = await env.model('core.user').search([['login', '=', 'seller']])
    const [company] = await env.model('core.company').searchRead([['user_ids', '=', user_id!]], ['currency_id'])
    return env
      .model('crm.lead')
      .create({ name: 'Only mine', user_id: user_id!, company_id: company!.id, currency_id: company!.currency_id[0] })
  })
  const { page, go, complaints, release } = await client.signIn('seller')
  await go(`/web?model=crm.lead&view_type=form&id=${lead}`)
  await page.locator('.formview').waitFor()
  await allLoaded(page)
  await page.getByRole('combobox', { name: 'Salesperson' }).fill('')
  await soon(() => page.getByRole('option').allTextContents()).toEqual([expect.stringContaining('seller')])
  await page.keyboard.press('Escape')
  await open(page)
  await type(page, 'assign to', 'Assign to')
  await page.keyboard.press('Enter')
  await soon(() => options(page).allTextContents()).toEqual([expect.stringMatching(/^Me/)])
  expect(complaints).toEqual([])
  await release()
})

test('understands German, and works on a phone by finger', async () => {
  const { page, go, complaints, release } = await client.signIn('seller', { viewport: PHONE })
  await go('/web/home')
  await allLoaded(page)
  await open(page)
  // By the name of it that the reader knows.
  await type(page, 'german', 'Deutsch')
  await page.keyboard.press('Enter')
  await page.locator('html[lang=de]').waitFor()
  await page.locator('.viewhost[aria-busy=false]').first().waitFor()
  await allLoaded(page)
  await open(page)
  const german = page.locator('.palette').getByRole('option')
  for (const text of ['neuer kunde', 'kunde anlegen']) {
    await input(page).fill(text)
    await soon(() => german.first().textContent()).toBe('Kunde anlegen')
  }
  expect(await findViolations(page)).toEqual([])
  await input(page).fill('importieren')
  await german
    .filter({ hasText: /^Import in / })
    .first()
    .waitFor()
  await input(page).fill('gehe zu kunden')
  await soon(() => german.first().textContent()).toMatch(/^Kunden/)
  await input(page).fill('ribeira')
  const into = page.locator('.palette .mi .into').first()
  await into.waitFor()
  // No amount is cut: customer, stage and amount have a line of their own.
  const notes = page.locator('.palette .nt')
  await soon(() => notes.count()).toBeGreaterThan(0)
  expect(await notes.evaluateAll((all) => all.filter((note) => note.scrollWidth > note.clientWidth).length)).toBe(0)
  await into.click()
  await soon(() => chip(page).count()).toBe(1)
  expect(await findViolations(page)).toEqual([])
  await page.locator('.palette .pchip').click()
  await soon(() => chip(page).count()).toBe(0)
  await page.keyboard.press('Escape')
  await soon(() => input(page).count()).toBe(0)
  await client.modules().asSystem(async (env) => {
    const users = env.model('core.user')
    await users.write(await users.search([['login', '=', 'seller']]), { lang: 'en' })
  })
  expect(complaints).toEqual([])
  await release()
})

test('company and language are switched by name', async () => {
  const second = await client.modules().asSystem(async (env) => {
    const [reader] = await env.model('core.user').search([['login', '=', 'reader']])
    const companies = await env.model('core.company').search([], { limit: 2 })
    await env.model('core.user').write([reader!], { company_ids: companies })
    return (await env.model('core.company').read([companies[1]!], ['name']))[0]!.name
  })
  const { page, go, complaints } = await client.signIn('reader')
  const lang = () => page.evaluate(() => document.documentElement.lang)
  const choose = async (text: string, label: string) => {
    await allLoaded(page)
    await open(page)
    await input(page).fill(text)
    // In either language.
    await soon(() => page.locator('.palette [role=option]').first().textContent()).toContain(label)
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
  }
  await go('/web/home')
  await choose(`company ${second}`, second)
  await soon(() => page.locator('.side-foot').textContent()).toContain(second)
  await choose('language deutsch', 'Deutsch')
  await soon(lang).toMatch(/^de/)
  await choose('sprache english', 'English')
  await soon(lang).toMatch(/^en/)
  expect(complaints).toEqual([])
  await page.context().close()
})
