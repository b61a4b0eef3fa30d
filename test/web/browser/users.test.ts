import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { PASSWORD, RESTING_PLACE, useClient } from './fixture.ts'

const client = useClient()

const rowOf = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
const roleOf = (page: Page, app: string) => page.getByRole('radiogroup', { name: new RegExp(`^${app}`) })
const chosen = (page: Page, app: string) => roleOf(page, app).locator('label:has(:checked)').textContent()

/** Opens a user and waits until the form is there. */
async function open(page: Page, name: string): Promise<void> {
  await rowOf(page, name).getByRole('link').click()
  await page.getByRole('region', { name }).getByRole('heading', { name: 'Sessions' }).waitFor()
}

const idOf = (login: string): Promise<number> =>
  client
    .modules()
    .asSystem(
      async (env) => (await env.model('core.user').search([['login', '=', login]], { archived: 'include' }))[0]!,
    )

test('roles are one choice per app, know what other roles bring, and are saved by Ctrl+S', async () => {
  const { page, go, complaints } = await client.signIn()
  await go('/web/settings/users')
  await rowOf(page, 'reader').waitFor()
  // When somebody was here follows the clock.
  await page.locator('.seen time').getByText('now', { exact: true }).first().waitFor()
  await expect
    .poll(() => page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').allInnerTexts())
    .toEqual(['Settings', 'Users'])
  expect(await findViolations(page)).toEqual([])
  await open(page, 'reader')
  await page.getByRole('link', { name: 'Users', exact: true }).and(page.locator('[aria-current=page]')).waitFor()
  await expect.poll(() => chosen(page, 'CRM')).toBe('None')
  await page.getByRole('columnheader', { name: 'Roles', exact: true }).waitFor()
  // “None” still allows contacts, as for everybody.
  await page
    .getByRole('listitem')
    .filter({ has: roleOf(page, 'Contacts') })
    .getByText('Only what everybody may do there.')
    .waitFor()
  await roleOf(page, 'CRM').getByText('User', { exact: true }).click()
  await page.getByText('1 unsaved change').waitFor()
  // The role of CRM includes that of Sales, so less cannot be chosen there.
  await expect.poll(() => chosen(page, 'Sales')).toBe('User')
  await expect.poll(() => roleOf(page, 'Sales').getByLabel('None').isDisabled()).toBe(true)
  await page.getByText('CRM needs at least User.').first().waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Control+s')
  await page.getByText('1 unsaved change').waitFor({ state: 'detached' })
  await rowOf(page, 'reader')
    .getByRole('listitem')
    .filter({ hasText: /^CRM\s*User$/ })
    .waitFor()
  await roleOf(page, 'CRM').getByText('None', { exact: true }).click()
  await page.getByText('1 unsaved change').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('1 unsaved change').waitFor({ state: 'detached' })
  await expect.poll(() => chosen(page, 'CRM')).toBe('User')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('another own company is chosen by keyboard, and the focus goes to the way back', async () => {
  const { page, go, complaints } = await client.signIn()
  await go('/web/settings/users')
  await open(page, 'reader')
  const companies = page.locator('.cos').getByRole('listitem')
  await companies.nth(1).getByRole('checkbox').press('Space')
  await companies.nth(1).getByRole('button', { name: 'Make own' }).press('Enter')
  const back = companies.nth(0).getByRole('button', { name: 'Make own' })
  await expect.poll(() => back.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await companies.nth(0).getByText('Own company').waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})

test('leaving unsaved roles asks first, and J and K go through the list', async () => {
  const { page, go } = await client.signIn()
  await go('/web/settings/users')
  await open(page, 'Aiko Hayashi')
  await roleOf(page, 'Project').getByText('Manager', { exact: true }).click()
  await page.getByText('1 unsaved change').waitFor()
  await rowOf(page, 'Dana Okafor').getByRole('link').click()
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await question.waitFor({ state: 'detached' })
  await expect.poll(() => chosen(page, 'Project')).toBe('Manager')
  await rowOf(page, 'Dana Okafor').getByRole('link').click()
  await question.getByRole('button', { name: 'Discard', exact: true }).click()
  await page.getByRole('region', { name: 'Dana Okafor' }).getByRole('heading', { name: 'Sessions' }).waitFor()
  await page.keyboard.press('k')
  await page.getByRole('region', { name: 'Aiko Hayashi' }).getByRole('heading', { name: 'Sessions' }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('region', { name: 'Dana Okafor' }).getByRole('heading', { name: 'Sessions' }).waitFor()
  await page.context().close()
})

test('an invited user chooses a password with a link that is shown once, and is signed in', async () => {
  const { page, go, complaints } = await client.signIn()
  await go('/web/settings/users')
  await rowOf(page, 'Noah Feldmann').waitFor()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
  await dialog.getByRole('button', { name: 'Create a link' }).click()
  await dialog.getByText('A name is needed.').waitFor()
  await dialog.getByLabel('Name').fill('Ines Barros')
  await dialog.getByLabel('E-mail').fill('ines@example.com')
  await dialog
    .getByRole('radiogroup', { name: /^Contacts/ })
    .getByText('User', { exact: true })
    .click()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Enter')
  const link = page.getByRole('dialog', { name: 'Copy the link now' })
  const address = (await link.locator('code').textContent()) ?? ''
  await link.getByText('It works once, for a week').waitFor()
  await link.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('region', { name: 'Ines Barros' }).getByText('Invited. The link works for a week.').waitFor()
  await rowOf(page, 'Ines Barros').getByText('Invited').waitFor()
  expect(await page.content()).not.toContain(address)
  expect(complaints).toEqual([])

  const path = address.slice(address.indexOf('/web/reset'))
  // A page of the client would itself go to the sign-in as soon as it misses its session.
  await page.goto(RESTING_PLACE)
  await page.context().clearCookies()
  await page.goto(path)
  await page.getByRole('heading', { name: 'Choose a password' }).waitFor()
  await page.getByText('You are invited to My Company. Your login is ines@example.com.').waitFor()
  expect(await findViolations(page)).toEqual([])
  const password = page.getByLabel('Password', { exact: true })
  expect(await password.evaluate((input) => input === document.activeElement)).toBe(true)
  await password.fill(PASSWORD)
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
  await page.waitForURL(/\/web\/home/)
  await page.context().close()
})

test('deactivating shows the records of a user and hands them over, and the user can be activated again', async () => {
  const { page, go, complaints } = await client.signIn()
  const [tomas, seller] = [await idOf('tomas@example.com'), await idOf('seller')]
  const countOf = (user: number) =>
    client.modules().asSystem((env) =>
      env.model('sale.order').count([
        ['user_id', '=', user],
        ['state', 'in', ['draft', 'sent']],
      ]),
    )
  const [his, hers] = [await countOf(tomas), await countOf(seller)]
  expect(his).toBeGreaterThan(0)
  await client.modules().asSystem(async (env) => {
    const [company] = await env.model('core.company').search([], { limit: 1 })
    const norma = { name: 'Norma Norole', login: 'norma', group_ids: [], company_id: company!, company_ids: [company!] }
    await env.model('core.user').create(norma)
    const [team] = await env.model('crm.team').search([['company_id', '=', company!]], { limit: 1 })
    await env.model('crm.team').write([team!], { user_id: tomas })
  })
  await go('/web/settings/users')
  await open(page, 'Tomás Ribeiro')
  await page.getByRole('button', { name: 'Deactivate…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Deactivate Tomás Ribeiro' })
  const quotations = dialog.getByRole('row').filter({ hasText: 'Open quotations' })
  await expect.poll(() => quotations.getByRole('cell').first().textContent()).toBe(String(his))
  const everything = dialog.getByLabel('Hand everything to')
  // Only those who can take some of it; what they cannot take is named, and stays.
  expect(await everything.getByRole('option', { name: 'Norma Norole' }).count()).toBe(0)
  await everything.selectOption({ label: 'seller' })
  await expect.poll(() => quotations.getByRole('combobox').inputValue()).toBe(String(seller))
  expect(await everything.inputValue()).toBe(String(seller))
  await dialog.getByRole('status').filter({ hasText: 'seller may not take: Teams led' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Deactivate and hand over' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page
    .getByRole('status')
    .filter({ hasText: `Open quotations: ${his} to seller` })
    .waitFor()
  await rowOf(page, 'Tomás Ribeiro').waitFor({ state: 'detached' })
  expect([await countOf(tomas), await countOf(seller)]).toEqual([0, his + hers])

  await page.getByRole('button', { name: 'With deactivated' }).click()
  await rowOf(page, 'Tomás Ribeiro').getByText('Deactivated').waitFor()
  await page.getByRole('region', { name: 'Tomás Ribeiro' }).getByRole('button', { name: 'Activate' }).click()
  await rowOf(page, 'Tomás Ribeiro').getByText('Deactivated').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
  await page.context().close()
})

test('sessions and keys of a user can be ended on the page', async () => {
  const other = await client.signIn('reader')
  await other.go('/web/home')
  const id = await idOf('reader')
  await client
    .modules()
    .asSystem((env) => env.model('core.api.key').create({ name: 'Robot', user_id: id }, { setsReadonly: true }))
  const { page, go } = await client.signIn()
  await go(`/web/settings/users#user=${id}`)
  const form = page.getByRole('region', { name: 'reader' })
  await form.getByText('Robot').waitFor()
  await form.getByRole('button', { name: 'Sign out' }).click()
  await form.getByText('Not signed in anywhere.').waitFor()
  await page.locator('.toast').filter({ hasText: 'reader is signed out' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Not signed in anywhere.')
  await form.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog', { name: 'Revoke Robot?' }).getByRole('button', { name: 'Revoke' }).click()
  await form.getByText('No program signs in for this user.').waitFor()
  await page.locator('.toast').filter({ hasText: 'Robot is revoked' }).waitFor()
  // The open page hears of it over the bus and leaves by itself.
  await other.page.waitForURL(/\/web\/login/)
  await other.page.context().close()
  await page.context().close()
})

test('on a phone the list and one user take turns, in German too, and others are not offered it', async () => {
  await client.modules().asSystem(async (env) => env.model('core.user').write([await idOf('admin')], { lang: 'de' }))
  const { page, go, complaints } = await client.signIn('admin', { viewport: { width: 390, height: 844 } })
  await go('/web/settings/users')
  await rowOf(page, 'Mia Lindqvist').waitFor()
  await page.getByRole('heading', { level: 1, name: 'Benutzer' }).waitFor()
  const width = () => page.evaluate(() => document.documentElement.scrollWidth)
  expect(await width()).toBeLessThanOrEqual(390)
  await rowOf(page, 'Mia Lindqvist').getByRole('link').click()
  await page.getByRole('region', { name: 'Mia Lindqvist' }).getByRole('heading', { name: 'Sitzungen' }).waitFor()
  await expect.poll(() => rowOf(page, 'Mia Lindqvist').isVisible()).toBe(false)
  expect(await width()).toBeLessThanOrEqual(390)
  // The name is on one line, the address is whole.
  const head = page.locator('.uhead')
  expect((await head.getByRole('heading').boundingBox())!.height).toBeLessThan(40)
  expect(await head.locator('p').evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Alle Benutzer' }).click()
  await rowOf(page, 'Mia Lindqvist').waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
  await client.modules().asSystem(async (env) => env.model('core.user').write([await idOf('admin')], { lang: 'en' }))

  const seller = await client.signIn('seller')
  await seller.go('/web/settings')
  await seller.page.getByRole('link', { name: /Your account/ }).waitFor()
  await expect.poll(() => seller.page.locator('a[href^="/web/settings/users"]').count()).toBe(0)
  await seller.page.goto('/web/settings/users')
  await seller.page.getByText('Only an administrator may do this.').waitFor()
  await seller.page.context().close()
})
