import type { Page, Route } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { PASSWORD, type Person, type SignedIn, useClient } from './fixture.ts'

/** Under load a page takes longer. */
const client = useClient()
const opened: SignedIn[] = []

afterEach(async () => {
  for (const { page } of opened.splice(0)) await page.context().close()
})

/** A form of a contact, in a session of its own that may be ended. */
async function openForm(id: number | null, person: Person = 'admin') {
  const signedIn = await client.signIn(person)
  const { page } = signedIn
  opened.push(signedIn)
  page.on('dialog', (dialog) => void dialog.accept())
  await signedIn.go(`/web?model=core.partner&view_type=form${id === null ? '' : `&id=${id}`}`)
  return { ...signedIn, ...partsOf(page) }
}

const partsOf = (page: Page) => ({
  field: (label: string) => page.locator('.sheet').getByLabel(label, { exact: true }).first(),
  saveBar: page.getByRole('region', { name: 'Unsaved changes' }),
})

async function signInAgain(page: Page, person: Person): Promise<void> {
  await page.locator('input[name=login]').fill(person)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/web')
}

const asSystem = client.modules
const createPartner = (values: object) =>
  asSystem().asSystem((env) => env.model('core.partner').create(values as never)) as Promise<number>
const partnersNamed = (name: string) =>
  asSystem().asSystem((env) => env.model('core.partner').search([['name', '=', name]]))
const cityOf = (id: number) =>
  asSystem().asSystem(async (env) => (await env.model('core.partner').read([id], ['city']))[0]?.city)

/** Answers calls of a method otherwise, as often as there are answers. */
async function disturb(page: Page, method: string, answers: readonly ((route: Route) => Promise<void>)[]) {
  const left = [...answers]
  const keys: (string | undefined)[] = []
  await page.route('**/api/rpc', async (route) => {
    const request = route.request()
    if (request.postDataJSON().method !== method) return route.fallback()
    keys.push(request.headers()['idempotency-key'])
    const answer = left.shift()
    return answer ? answer(route) : route.fallback()
  })
  return keys
}

/** The server has done it, but the answer is lost. */
const lose = async (route: Route) => {
  await route.fetch()
  await route.abort('connectionreset')
}

const refuse = (status: number, code: string) => (route: Route) =>
  route.fulfill({
    status,
    headers: { 'retry-after': '0' },
    json: { ok: false, result: null, error: { code, message: 'Later.', details: {} } },
  })

describe('a session that ends over a draft', () => {
  test('leads to the sign-in page and back to the record, with the draft still there', async () => {
    const id = await createPartner({ name: 'Long Thought', city: 'Leeds' })
    const { page, field, saveBar } = await openForm(id)
    const address = page.url()
    await field('City').fill('York')
    await saveBar.waitFor()
    await page.context().clearCookies()
    await page.keyboard.press('Control+s')
    await page.waitForURL(/\/web\/login\?next=/)
    await page.getByText('Your session has ended.').waitFor()
    await signInAgain(page, 'admin')
    await expect.poll(() => page.url()).toBe(address)
    await page.getByText('These are your changes from before').waitFor()
    await expect.poll(() => field('City').inputValue()).toBe('York')
    await page.keyboard.press('Control+s')
    await saveBar.waitFor({ state: 'detached' })
    await expect.poll(() => cityOf(id)).toBe('York')
  })

  test('shows it to no other user who signs in there, but still to its owner', async () => {
    const id = await createPartner({ name: 'Private Thought', city: 'Leeds' })
    const { page, field, saveBar } = await openForm(id, 'seller')
    await field('City').fill('York')
    await saveBar.waitFor()
    for (const [person, city] of [
      ['admin', 'Leeds'],
      ['seller', 'York'],
    ] as const) {
      await page.context().clearCookies()
      // The page may go to the sign-in by itself meanwhile, which is as good.
      await page.evaluate(() => location.reload()).catch(() => undefined)
      await signInAgain(page, person)
      await expect.poll(() => field('City').inputValue()).toBe(city)
      await expect.poll(() => saveBar.count()).toBe(person === 'seller' ? 1 : 0)
    }
  })

  test('keeps the draft of a record that is not saved yet', async () => {
    const { page, field, saveBar } = await openForm(null)
    await field('Name').fill('Not Yet Anybody')
    await saveBar.waitFor()
    await page.context().clearCookies()
    await page.keyboard.press('Control+s')
    await page.waitForURL(/\/web\/login\?next=/)
    await signInAgain(page, 'admin')
    await expect.poll(() => field('Name').inputValue()).toBe('Not Yet Anybody')
    await expect.poll(() => partnersNamed('Not Yet Anybody')).toHaveLength(0)
    await page.keyboard.press('Control+s')
    await page.waitForURL(/[?&]id=\d+/)
    await expect.poll(() => partnersNamed('Not Yet Anybody')).toHaveLength(1)
  })
})

describe('a save', () => {
  test('whose answer is lost is repeated with its key, and makes one record', async () => {
    const { page, field } = await openForm(null)
    const keys = await disturb(page, 'create', [lose, lose])
    await field('Name').fill('Only Once')
    await page.keyboard.press('Control+s')
    await page.waitForURL(/[?&]id=\d+/)
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    await expect.poll(() => partnersNamed('Only Once')).toHaveLength(1)
  })

  test('whose answers are lost again and again waits for the connection, and makes one record', async () => {
    const { page, field, saveBar } = await openForm(null)
    await allLoaded(page)
    const keys = await disturb(page, 'create', Array(7).fill(lose))
    await field('Name').fill('Once After All')
    await page.keyboard.press('Control+s')
    await saveBar.getByText('Waiting for the connection').waitFor()
    await page.waitForURL(/[?&]id=\d+/)
    expect(keys).toHaveLength(8)
    expect(new Set(keys).size).toBe(1)
    await expect.poll(() => partnersNamed('Once After All')).toHaveLength(1)
    await expect.poll(() => page.getByRole('button', { name: 'Offline' }).count()).toBe(0)
  })

  test('to a busy server waits and then succeeds', async () => {
    const id = await createPartner({ name: 'Patience', city: 'Leeds' })
    const { page, field, saveBar } = await openForm(id)
    const keys = await disturb(page, 'write', [refuse(503, 'UNAVAILABLE'), refuse(429, 'RATE_LIMITED')])
    await field('City').fill('York')
    await page.keyboard.press('Control+s')
    await saveBar.waitFor({ state: 'detached' })
    expect(keys).toHaveLength(3)
    await expect.poll(() => cityOf(id)).toBe('York')
  })

  test('without a network keeps the typed values, and succeeds when the network is back', async () => {
    const id = await createPartner({ name: 'Tunnel', city: 'Leeds' })
    const { page, field, saveBar } = await openForm(id)
    await allLoaded(page)
    const offline = page.getByRole('button', { name: 'Offline' })
    await page.context().setOffline(true)
    await offline.waitFor()
    await field('City').fill('York')
    await page.keyboard.press('Control+s')
    await saveBar.getByText('Waiting for the connection').waitFor()
    await expect.poll(() => field('City').inputValue()).toBe('York')
    await page.context().setOffline(false)
    await saveBar.waitFor({ state: 'detached' })
    await offline.waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').filter({ hasText: 'No connection' }).count()).toBe(0)
    await expect.poll(() => cityOf(id)).toBe('York')
  })
})

test('a view that could not be loaded comes by itself when the server answers again', async () => {
  const signedIn = await client.signIn()
  const { page, go } = signedIn
  opened.push(signedIn)
  await go('/web/home')
  await page.route('**/web/wc/workspace*', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: /Switch app/ }).click()
  await page.getByRole('menuitem', { name: 'Contacts' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'No connection' })
  await alert.waitFor()
  await page.unroute('**/web/wc/workspace*')
  await alert.waitFor({ state: 'detached' })
  await expect.poll(() => page.locator('h1').textContent()).toBe('All Contacts')
  await expect.poll(() => page.getByRole('button', { name: 'Offline' }).count()).toBe(0)
})

test('the page of a record that cannot be opened has a heading', async () => {
  const signedIn = await client.signIn()
  const { page, go } = signedIn
  opened.push(signedIn)
  await go('/web?model=product.product&view_type=form&id=2000000000')
  await page.getByRole('alert').waitFor()
  expect(await findViolations(page)).toEqual([])
})

test('tiles wait without a network instead of naming another period over their figures, and load when it is back', async () => {
  const signedIn = await client.signIn()
  const { page, go } = signedIn
  opened.push(signedIn)
  const [id] = await asSystem().asSystem((env) => env.model('sys.dashboard').search([['module', '=', 'sale']]))
  await go(`/web?model=sys.dashboard&view_type=form&id=${id}#period=year`)
  const tiles = page.locator('.dtile')
  await tiles.locator('canvas').first().waitFor()
  await tiles.locator('.kpi').nth(3).waitFor()
  await allLoaded(page)
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Offline' }).first().waitFor()
  await page.getByRole('button', { name: 'Next period' }).click()
  const waiting = tiles.getByText('Waiting for the connection.')
  await expect.poll(() => waiting.count()).toBeGreaterThan(4)
  expect(await tiles.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await page.context().setOffline(false)
  await tiles.getByText('Not begun yet').first().waitFor()
  await expect.poll(() => waiting.count()).toBe(0)
  // A tile that is still loading has its earlier figures.
  await expect.poll(() => tiles.getByText('Nothing to compare').count()).toBe(0)
})
