import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { findViolations } from './find-violations.ts'
import { PASSWORD, useClient } from './fixture.ts'

const client = useClient()

test('one sees where one is signed in, ends a session, and changes the password, within the client', async () => {
  const { page, go, complaints } = await client.signIn('reader')
  // A second browser of the same user.
  const { page: other } = await client.signIn('reader', { locale: 'en-GB' })
  await other.context().clearCookies()
  await other.goto('/web/login?next=/web/home')
  await other.locator('input[name=login]').fill('reader')
  await other.locator('input[name=password]').fill(PASSWORD)
  await other.locator('button[type=submit]').click()
  await other.waitForURL('**/web/home')
  await go('/web/home')
  await page.getByRole('button', { name: /account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Account and sessions' }).click()
  await expect.poll(() => page.locator('h1').textContent()).toBe('Your account')
  const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem')
  await sessions.filter({ hasText: 'This device' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  const before = await sessions.count()
  await sessions.getByRole('button', { name: 'Sign out' }).first().press('Enter')
  await expect.poll(() => sessions.count()).toBe(before - 1)
  await page.locator('.toast').filter({ hasText: 'is signed out' }).waitFor()
  // The button disappears with its session; the focus stays in the same section.
  const focused = () => page.evaluate(() => document.activeElement?.closest('section')?.getAttribute('aria-labelledby'))
  await expect.poll(focused).toBe('account-sessions')
  // The bus closes with the session, so the other browser goes to the sign-in page by itself.
  await expect.poll(() => new URL(other.url()).pathname).toBe('/web/login')
  await other.getByText('Your session has ended.').waitFor()

  await page.getByLabel('Current password').fill('not this one')
  await page.getByLabel('New password').fill('seven green bicycles')
  await expect.poll(() => page.getByRole('meter').getAttribute('aria-valuenow')).toMatch(/[34]/)
  await page.keyboard.press('Enter')
  await page.getByText('The password is not right.').waitFor()
  complaints.length = 0
  await page.getByLabel('Current password').fill(PASSWORD)
  await answerLate(page)
  await page.keyboard.press('Enter')
  await page
    .getByText('Your password has been changed, and all other sessions have ended. Your API keys go on working.')
    .waitFor()
  await expect.poll(() => sessions.count()).toBe(1)
  // What the page asked for meanwhile was refused.
  expect(complaints.splice(0).filter((text) => !text.includes('401'))).toEqual([])

  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/web/login')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('one changes picture, language and time zone, and the address with the password; the name one sees', async () => {
  const id = await client
    .modules()
    .asSystem(async (env) => (await env.model('core.user').search([['login', '=', 'seller']]))[0]!)
  const { page, go, complaints } = await client.signIn('seller')
  // The password was asked for long ago.
  await client.modules().asSystem((env) => sql`update sys_session set reauth_at = null`.execute(env.tx))
  await go('/web/settings/account')
  const form = page.getByRole('region', { name: 'Personal details' })
  const save = form.getByRole('button', { name: 'Save' })
  await save.waitFor()
  expect(await save.isDisabled()).toBe(true)
  expect(await form.getByLabel('Name').evaluate((input) => (input as HTMLInputElement).readOnly)).toBe(true)
  const offered = () => form.getByLabel('Time zone').locator('option[value="Asia/Tokyo"]').textContent()
  await expect.poll(offered).toBe('Asia/Tokyo (UTC+9)')
  await form.getByLabel('Time zone').selectOption('Europe/Lisbon')
  await form.getByLabel('Language').selectOption('de')
  await form.getByLabel('Picture').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: PNG })
  await form.getByRole('img', { name: 'Your picture' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await save.click()
  await page.getByText('Ihre Angaben sind gespeichert.').waitFor()
  const mail = page.getByLabel('E-Mail')
  await mail.fill('nobody')
  await page.getByRole('button', { name: 'Speichern' }).click()
  await page.getByRole('alert').filter({ hasText: 'name@example.com' }).waitFor()
  await mail.fill('selma@example.com')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Passwort').fill(PASSWORD)
  await page.keyboard.press('Enter')
  const read = () =>
    client.modules().asSystem(async (env) => {
      const [user] = await env.model('core.user').read([id], ['name', 'email', 'lang', 'tz', 'image'])
      return { ...user, image: user!.image !== null }
    })
  await expect
    .poll(read)
    .toEqual({ id, name: 'seller', email: 'selma@example.com', lang: 'de', tz: 'Europe/Lisbon', image: true })
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  // What was typed and refused, and the question for the password.
  expect(complaints.filter((text) => !/403|422/.test(text))).toEqual([])
  await page.context().close()
})

test('an administrator can change their own name, and their address without the password right after signing in', async () => {
  const { page, go, complaints } = await client.signIn()
  await client.modules().asSystem((env) => sql`update sys_session set reauth_at = now()`.execute(env.tx))
  await go('/web/settings/account')
  const form = page.getByRole('region', { name: 'Personal details' })
  await form.getByText('A change asks for your password unless you have just entered it.').waitFor()
  await form.getByLabel('E-mail').fill('boss@example.com')
  await form.getByRole('button', { name: 'Save' }).press('Enter')
  await page.locator('.toasts').getByText('Your details are saved.').waitFor()
  await expect.poll(() => form.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true)
  await page.getByText(/· boss@example\.com/).waitFor()
  await form.getByLabel('Name').fill('Ada Boss')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /Ada Boss.*account menu/ }).waitFor()
  await page.locator('.toasts').getByText('Your details are saved.').waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The answer comes after the page has noticed that its session is over. Not by `route.fetch`, which stores the cookie before. */
const answerLate = (page: Page) =>
  page.route('**/web/account/password', async (route) => {
    const noticed = page.waitForResponse((response) => response.status() === 401)
    const request = route.request()
    const headers = Object.entries(await request.allHeaders()).filter(
      ([name]) => !/^(:|content-length|host)/.test(name),
    )
    const answer = await fetch(request.url(), { method: 'POST', headers, body: request.postData() })
    await noticed
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    })
  })

/** How the regions write a number: English words take the one of the browser. */
const NOTATIONS = {
  'en-US': /^\d{1,3}(,\d{3})*(\.\d+)?$/,
  'en-GB': /^\d{1,3}(,\d{3})*(\.\d+)?$/,
  'en-DE': /^\d{1,3}(\.\d{3})*(,\d+)?$/,
  'de-DE': /^\d{1,3}(\.\d{3})*(,\d+)?$/,
} as const

test.each(Object.entries(NOTATIONS))(
  'a browser of %s has one notation for amounts, sums and counts',
  async (locale, notation) => {
    const { page, go } = await client.signIn('admin', { locale })
    for (const view of ['list', 'kanban', 'pivot']) {
      await go(`/web?model=sale.order&view_type=${view}`)
      const read = async () => {
        const texts = await page.locator('.viewhost').first().allInnerTexts()
        return texts.flatMap((text) => text.match(/[€$]\s?\d[\d.,]*\d|\d[\d.,]*[.,]\d{3}\b/g) ?? [])
      }
      await expect.poll(async () => (await read()).length).toBeGreaterThan(3)
      const odd = (await read()).map((text) => text.replace(/^[€$]\s?/, '')).filter((text) => !notation.test(text))
      expect([view, odd]).toEqual([view, []])
    }
    await page.context().close()
  },
)
