import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../../addons/index.ts'
import { createResetLink } from '../../../kernel/auth/reset.ts'
import { hire } from '../../support/api-database.ts'
import { baseTemplate } from '../../support/base-database.ts'
import { openPage, sharedBrowser, type WatchedPage } from '../../support/browser.ts'
import { buildOnce } from '../../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../../support/database.ts'
import { openModules, type TestModules } from '../../support/modules.ts'
import { type Service, startService } from '../../support/service.ts'
import { findViolations } from './find-violations.ts'

/** Pages that stand before the client or beside it, in a real browser. */

const PASSWORD = 'correct horse battery'
const SMTP = { SVC_SMTP_HOST: '127.0.0.1', SVC_SMTP_PORT: '9', SVC_SMTP_FROM: 'erp@example.com' }

let browser: Browser
const contexts: BrowserContext[] = []

beforeAll(async () => {
  await buildOnce()
  browser = await sharedBrowser()
})
afterAll(() => Promise.all(contexts.map((context) => context.close())))

interface Place {
  readonly database: TestDatabase
  readonly modules: TestModules
  readonly service: Service
}

/** One service over a database of its own, for the tests of a block. */
function usePlace(furnish: (modules: TestModules) => Promise<void> = async () => {}): () => Place {
  let place: Place | undefined
  beforeAll(async () => {
    const database = await createDatabase(baseTemplate)
    const modules = openModules(database.db, bundledAddons)
    await furnish(modules)
    place = { database, modules, service: await startService(database.dsn, SMTP) }
  })
  afterAll(async () => {
    await place?.service.end('SIGINT')
    await place?.database.drop()
  })
  return () => place!
}

async function open(url: string, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const watched = await openPage(browser, { baseURL: url, ...options })
  contexts.push(watched.page.context())
  return watched
}

/** A browser says of every page with an error status that it failed to load. */
const complaintsOf = ({ complaints }: WatchedPage) => complaints.filter((text) => !/status of 4\d\d/.test(text))

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]

/** Looks at what is on the page now: in light and dark, wide and narrow. */
async function expectGood(watched: WatchedPage): Promise<void> {
  const { page } = watched
  for (const size of SIZES) {
    await page.setViewportSize(size)
    expect(await findViolations(page), `${page.url()} ${size.width}`).toEqual([])
  }
  await page.setViewportSize({ width: 320, height: 640 })
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width, `${page.url()} at 320 px`).toBeLessThanOrEqual(320)
  expect(complaintsOf(watched)).toEqual([])
  await page.setViewportSize(SIZES[0]!)
}

async function signIn(page: Page, login: string, password = PASSWORD): Promise<void> {
  await page.goto('/web/login')
  await page.getByLabel('Login or e-mail').fill(login)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

describe('a service that is set up', () => {
  const place = usePlace(async (modules) => {
    for (const [login, group] of [
      ['elena', 'base.group_system'],
      ['mara', 'base.group_user'],
    ] as const) {
      const id = await hire(modules, login, [group])
      await modules.asSystem((env) => env.model('core.user').write([id], { password: PASSWORD }))
    }
  })

  test('sign-in: the form, a wrong password, and where one wanted to go', async () => {
    const watched = await open(place().service.url)
    const { page } = watched
    await page.goto('/web/account')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/web/login')
    await expect
      .poll(() => page.getByLabel('Login or e-mail').evaluate((field) => field === document.activeElement))
      .toBe(true)
    await expectGood(watched)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/web/login')
    await page.getByLabel('Login or e-mail').fill('elena')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('password')
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect.poll(() => page.locator('#password').getAttribute('type')).toBe('text')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('Login or password is not right.')
    await expect.poll(() => page.getByLabel('Login or e-mail').inputValue()).toBe('elena')
    await expectGood(watched)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    // With scripts that page is one of the client.
    await page.waitForURL('**/web/settings/account')
    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    await page.getByRole('region', { name: 'Sessions' }).waitFor()
    await expectGood(watched)
    await page.goto('/web/confirm')
    await expectGood(watched)
  })

  test('a forgotten password: asking, the form behind the link, a dead link', async () => {
    const watched = await open(place().service.url)
    const { page } = watched
    await page.goto('/web/login')
    await page.getByRole('link', { name: 'Forgot password' }).click()
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
    await expectGood(watched)
    await page.getByLabel('Login or e-mail').fill('mara')
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor()
    await expectGood(watched)
    const link = await place().modules.asSystem(async (env) => {
      const [id] = await env.model('core.user').search([['login', '=', 'mara']])
      return new URL(await createResetLink(env, id!))
    })
    await page.goto(link.pathname + link.search)
    await expectGood(watched)
    await page.getByLabel('New password').fill('violet cactus seldom orbits')
    await expect.poll(() => page.getByRole('meter').getAttribute('aria-valuetext')).toBe('Strong')
    await page.getByText('Strong.').waitFor()
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Your password has been changed.').waitFor()
    await expectGood(watched)
    await page.goto(link.pathname + link.search)
    await page.getByRole('heading', { name: 'This link does not work any more' }).waitFor()
    await expectGood(watched)
  })

  test('what is not there and what is not allowed', async () => {
    const watched = await open(place().service.url)
    const { page } = watched
    await page.goto('/web/nothing')
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Page not found')
    await expectGood(watched)
    await signIn(page, 'elena')
    await page.waitForURL('**/web/home')
    const mara = await hire(place().modules, 'guest', ['base.group_user'])
    await place().modules.asSystem((env) => env.model('core.user').write([mara], { password: PASSWORD }))
    const other = await open(place().service.url)
    await signIn(other.page, 'guest')
    await other.page.waitForURL('**/web/home')
    await other.page.goto('/web/settings/app-logs')
    await expect.poll(() => other.page.getByRole('heading', { level: 1 }).textContent()).toBe('Not allowed')
    await expectGood({ ...other, complaints: other.complaints.filter((text) => text.includes('policy')) })
  })

  test('the log: filters, and new entries as they come', async () => {
    const write = (message: string) =>
      place().modules.asSystem((env) =>
        env.model('sys.log').create({
          ...{ level: 'error', source: 'test', message, request_id: 'log-test' },
          details: { stack: 'Error: it broke\n  at <handle>' },
        }),
      )
    const { page, complaints } = await open(place().service.url)
    await signIn(page, 'elena')
    await page.waitForURL('**/web/home')
    // What other tests do, or a busy machine, makes the service warn.
    const entries = '**/web/settings/app-logs?*'
    await page.route(entries, (route) => route.fulfill({ json: { ok: true, rows: [], cursor: 0, before: null } }))
    await page.goto('/web/settings/app-logs')
    complaints.length = 0
    await page.getByRole('button', { name: 'Warning', pressed: true }).waitFor()
    await page.getByText('No warnings and no errors.').waitFor()
    await expectGood({ page, complaints })
    await page.unroute(entries)
    await write('the first entry')
    await page.goto('/web/settings/app-logs?level=error')
    const entry = page.getByRole('listitem').filter({ hasText: 'the first entry' })
    await entry.waitFor()
    await page.getByRole('button', { name: 'Error', pressed: true }).waitFor()
    expect(await entry.locator('time').textContent()).toMatch(/\d:\d\d:\d\d/)
    await expectGood({ page, complaints })
    await page.keyboard.press('/')
    await page.keyboard.type('no entry says this')
    await page.getByText('Nothing in the log fits.').waitFor()
    await expectGood({ page, complaints })
    await page.getByRole('button', { name: 'Show everything' }).click()
    await entry.locator('summary').focus()
    await page.keyboard.press('Enter')
    await entry.locator('pre').getByText('at <handle>').waitFor()
    await expectGood({ page, complaints })
    await page.getByRole('switch', { name: 'Live' }).click()
    await write('it has just happened')
    await page.getByText('it has just happened').first().waitFor()
    await entry.getByRole('button', { name: 'Request log-test' }).click()
    await expect
      .poll(() =>
        page
          .getByRole('listitem')
          .filter({ has: page.locator('summary') })
          .count(),
      )
      .toBe(2)
  })

  test('everything works without scripts', async () => {
    const { page } = await open(place().service.url, { javaScriptEnabled: false })
    await signIn(page, 'elena', 'wrong password')
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('Login or password is not right.')
    await signIn(page, 'elena')
    await page.goto('/web/account')
    await page.getByLabel('Current password').fill('wrong password')
    await page.getByLabel('New password').fill('another good password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect.poll(() => page.getByRole('alert').textContent()).toBe('The password is not right.')
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/web/login')
  })
})

describe('a new service', () => {
  const place = usePlace()

  test('is set up in three steps, with the keyboard alone', async () => {
    const watched = await open(place().service.url, { timezoneId: 'Europe/Berlin' })
    const { page } = watched
    await page.goto('/')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/setup')
    const step = () => page.locator('[data-step-text]').textContent()
    await expect.poll(() => step()).toBe('Step 1 of 3')
    await expectGood(watched)
    await expect
      .poll(() => page.getByLabel('Company name').evaluate((field) => field === document.activeElement))
      .toBe(true)
    await page.keyboard.press('Enter')
    const problem = page.locator('.field .err')
    await expect.poll(() => problem.textContent()).toBe('Please fill this in.')
    await expect.poll(() => page.getByLabel('Company name').getAttribute('aria-invalid')).toBe('true')
    expect(await step()).toBe('Step 1 of 3')
    await expectGood(watched)
    await page.keyboard.type('Alder & Finch')
    await expect.poll(() => problem.count()).toBe(0)
    await page.keyboard.press('Enter')
    await expect.poll(() => step()).toBe('Step 2 of 3')
    await expect
      .poll(() => page.getByLabel('Full name').evaluate((field) => field === document.activeElement))
      .toBe(true)
    await expectGood(watched)
    await page.keyboard.type('Elena Rossi')
    await page.keyboard.press('Tab')
    await page.keyboard.type('elena@alderfinch.example')
    await page.keyboard.press('Tab')
    await page.keyboard.type('short')
    await page.keyboard.press('Enter')
    await expect.poll(() => problem.textContent()).toBe('Must have at least 10 characters.')
    expect(await step()).toBe('Step 2 of 3')
    // What everybody tries is refused where it is typed, by the service, and stays to be changed.
    const password = page.getByLabel('Password', { exact: true })
    const colour = () =>
      page
        .locator('.meter .on')
        .first()
        .evaluate((bar) => getComputedStyle(bar).backgroundColor)
    const shade = (name: string) =>
      page.locator('.meter').evaluate((meter, value) => {
        const probe = meter.appendChild(document.createElement('i'))
        probe.style.backgroundColor = `var(--${value})`
        const { backgroundColor } = getComputedStyle(probe)
        probe.remove()
        return backgroundColor
      }, name)
    await password.fill('password123')
    await expect.poll(async () => (await colour()) === (await shade('danger'))).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => problem.textContent()).toBe('This is one of the most common passwords; choose another.')
    expect([await step(), await password.inputValue()]).toEqual(['Step 2 of 3', 'password123'])
    await expect.poll(() => password.evaluate((field) => field === document.activeElement)).toBe(true)
    await expectGood(watched)
    await password.fill('short of nothing at all')
    await expect.poll(async () => (await colour()) === (await shade('success'))).toBe(true)
    await expect.poll(() => problem.count()).toBe(0)
    await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin')
    expect(await page.getByLabel('Time zone').locator('option[value="Asia/Tokyo"]').textContent()).toBe(
      'Asia/Tokyo (UTC+9)',
    )
    await page.keyboard.press('Enter')
    await expect.poll(() => step()).toBe('Step 3 of 3')
    await page.goBack()
    await expect.poll(() => step()).toBe('Step 2 of 3')
    await expect.poll(() => password.inputValue()).toBe('short of nothing at all')
    await page.goForward()
    await expect.poll(() => step()).toBe('Step 3 of 3')
    await expectGood(watched)
    // Sales needs products: they come along, and stay as long as it is chosen.
    const products = page.locator('input[name=modules][value=product]')
    await page.getByText('Needed by Sales, CRM.').waitFor()
    await products.focus()
    await page.keyboard.press('Space')
    expect(await products.isChecked()).toBe(true)
    await page.getByLabel('Fill with demo data').focus()
    await page.keyboard.press('Space')
    for (const app of ['crm', 'sale', 'product', 'project', 'contacts'])
      await page.locator(`input[name=modules][value=${app}]`).uncheck()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let sent = 0
    await page.route('**/setup/init', async (route) => {
      sent++
      await held
      await route.continue()
    })
    // While a page is on its way, Playwright does not look at the one that is left; so that one tells by itself.
    let shown = 0
    await page.exposeFunction('noteProgress', () => {
      shown++
    })
    await page.evaluate(`new MutationObserver(() => noteProgress())
      .observe(document.querySelector('[data-progress]'), { attributes: true, attributeFilter: ['hidden'] })`)
    await page.getByRole('button', { name: 'Set up' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => shown).toBe(1)
    await page.keyboard.press('Enter')
    release()
    await page.waitForURL(/\/web\/home/)
    await page.getByRole('heading', { name: /Elena/ }).waitFor()
    // The home page begins with what is left to do.
    for (const step of ['Add your logo', 'Invite people', 'Choose your apps']) await page.getByText(step).waitFor()
    expect([sent, complaintsOf(watched)]).toEqual([1, []])
  })
})

describe('a new service and a browser without scripts', () => {
  const place = usePlace()

  test('is set up with one form, which says what is wrong with it', async () => {
    const { page } = await open(place().service.url, { javaScriptEnabled: false, locale: 'de-DE' })
    await page.goto('/')
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
    await page.getByLabel('Name des Unternehmens').fill('Erle & Fink')
    await page.getByLabel('Login oder E-Mail').fill('elena')
    await page.getByLabel('Passwort', { exact: true }).fill('1234567890')
    await page.getByRole('button', { name: 'Einrichten' }).click()
    await page.getByRole('alert').waitFor()
    await expect.poll(() => page.getByLabel('Name des Unternehmens').inputValue()).toBe('Erle & Fink')
    await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD)
    for (const app of await page.locator('input[name=modules]').all()) await app.uncheck()
    await page.getByRole('button', { name: 'Einrichten' }).click()
    await page.getByRole('heading', { name: 'Modulus ist eingerichtet' }).waitFor()
    await page.getByRole('link', { name: 'Loslegen' }).click()
    await page.waitForURL(/\/web\/home/)
    await page.goto('/setup')
    await page.getByText('Die Einrichtung ist abgeschlossen.').waitFor()
  })
})
