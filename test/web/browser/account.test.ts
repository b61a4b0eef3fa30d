import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
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
  await sessions.getByRole('button', { name: 'Sign out' }).first().click()
  await expect.poll(() => sessions.count()).toBe(before - 1)
  // The bus closes with the session, so the other browser goes to the sign-in page by itself.
  await expect.poll(() => new URL(other.url()).pathname).toBe('/web/login')

  await page.getByLabel('Current password').fill('not this one')
  await page.getByLabel('New password').fill('seven green bicycles')
  await expect.poll(() => page.getByRole('meter').getAttribute('aria-valuenow')).toMatch(/[34]/)
  await page.keyboard.press('Enter')
  await page.getByText('The password is not right.').waitFor()
  complaints.length = 0
  await page.getByLabel('Current password').fill(PASSWORD)
  await answerLate(page)
  await page.keyboard.press('Enter')
  await page.getByText('Your password has been changed, and all other sessions have ended.').waitFor()
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
