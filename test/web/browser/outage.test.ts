import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { eachNth } from '../../support/soak.ts'
import { useOwnService } from './own-service.ts'

const { client, kill, start, signal, signIn } = useOwnService()
const asSystem = client.modules
const createPartner = (name: string) =>
  asSystem().asSystem((env) => env.model('core.partner').create({ name, city: 'Leeds' } as never)) as Promise<number>
const cityOf = (id: number) =>
  asSystem().asSystem(async (env) => (await env.model('core.partner').read([id], ['city']))[0]?.city)
const partnersNamed = (name: string) =>
  asSystem().asSystem((env) => env.model('core.partner').search([['name', '=', name]]))

/** A form of a contact, all of whose parts are there. */
async function openForm(id: number | null) {
  const signedIn = await signIn()
  const { page } = signedIn
  page.on('dialog', (dialog) => void dialog.accept())
  await signedIn.go(`/web?model=core.partner&view_type=form${id === null ? '' : `&id=${id}`}`)
  await allLoaded(page)
  const saveBar = page.getByRole('region', { name: 'Unsaved changes' })
  return {
    page,
    saveBar,
    field: (label: string) => page.locator('.sheet').getByLabel(label, { exact: true }).first(),
    says: (words: string) => saveBar.getByText(words).waitFor(),
    discard: saveBar.getByRole('button', { name: 'Discard' }),
  }
}

const isCall = (method: string) => (request: { url(): string; postDataJSON(): { method?: string } }) =>
  request.url().endsWith('/api/rpc') && request.postDataJSON().method === method

/** Answers a method otherwise until it is told to stop; returns the idempotency keys that came. */
async function answer(page: Page, method: string, otherwise: (route: Route) => Promise<void>) {
  let isOver = false
  const keys: (string | undefined)[] = []
  await page.route('**/api/rpc', async (route) => {
    if (!isCall(method)(route.request())) return route.fallback()
    keys.push(route.request().headers()['idempotency-key'])
    return isOver ? route.fallback() : otherwise(route)
  })
  return {
    keys,
    end: () => {
      isOver = true
    },
  }
}

const noContradiction = async (page: Page) => {
  expect(await page.getByRole('alert').filter({ hasText: 'No connection' }).count()).toBe(0)
  await expect.poll(() => page.getByRole('button', { name: 'Offline' }).count()).toBe(0)
}

/** How the save and the end of the service meet. */
const MEETINGS: Readonly<Record<string, (page: Page, save: () => Promise<void>) => Promise<void>>> = {
  'that finds no service': async (_page, save) => {
    await kill()
    await save()
  },
  'whose service is killed as soon as it is sent': async (page, save) => {
    const sent = page.waitForRequest(isCall('write'))
    await save()
    await sent
    await kill()
  },
  'whose answer is lost with the service': async (page, save) => {
    let isSent = false
    const lost = new Promise<void>((resolve) => {
      void page.route('**/api/rpc', async (route) => {
        if (isSent || !isCall('write')(route.request())) return route.fallback()
        isSent = true
        await route.fetch()
        await kill()
        await route.abort('connectionreset')
        resolve()
      })
    })
    await save()
    await lost
  },
}

describe('a save', () => {
  for (const [name, meet] of eachNth(Object.entries(MEETINGS), 3, 2))
    test(`${name} waits and is sent by itself when there is one again`, async () => {
      const id = await createPartner(`Outage ${name}`)
      const { page, field, says, saveBar } = await openForm(id)
      await field('City').fill('York')
      await saveBar.waitFor()
      await meet(page, () => page.keyboard.press('Control+s'))
      await says('Waiting for the connection')
      await page.getByText('1 change waits on this device').waitFor()
      await start()
      await saveBar.waitFor({ state: 'detached' })
      await expect.poll(() => cityOf(id)).toBe('York')
      await noContradiction(page)
    })

  test('of a new record that loses its service makes one record, also when more is typed meanwhile', async () => {
    const { page, field, says } = await openForm(null)
    await field('Name').fill('Outage Once')
    const sent = page.waitForRequest(isCall('create'))
    await page.keyboard.press('Control+s')
    await sent
    await kill()
    await says('Waiting for the connection')
    await field('City').fill('York')
    await page.keyboard.press('Control+s')
    await start()
    await page.waitForURL(/[?&]id=\d+/)
    await expect.poll(() => field('City').inputValue()).toBe('York')
    await expect.poll(() => partnersNamed('Outage Once')).toHaveLength(1)
    await noContradiction(page)
  })

  test('that a frozen service does not answer says so, and goes through when it thaws', async () => {
    const id = await createPartner('Outage Frozen')
    const { page, field, says, saveBar, discard } = await openForm(id)
    await field('City').fill('York')
    signal('SIGSTOP')
    await page.keyboard.press('Control+s')
    await says('The server is busy, trying again')
    expect(await discard.isEnabled()).toBe(true)
    // On a phone the words are whole, too.
    await page.setViewportSize({ width: 390, height: 844 })
    const words = saveBar.getByText('The server is busy, trying again')
    expect(await words.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    signal('SIGCONT')
    await saveBar.waitFor({ state: 'detached' })
    await expect.poll(() => cityOf(id)).toBe('York')
  })

  const REFUSALS: Readonly<Record<string, (route: Route) => Promise<void>>> = {
    'the service': (route) =>
      route.fulfill({
        status: 503,
        headers: { 'retry-after': '1' },
        json: {
          ok: false,
          result: null,
          error: { code: 'UNAVAILABLE', message: 'Later.', details: { reason: 'database_away' } },
        },
      }),
    'a proxy': (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  }
  for (const [who, refuse] of eachNth(Object.entries(REFUSALS), 2)) {
    test(`that ${who} refuses for now says so, is tried with one key until it goes through`, async () => {
      const id = await createPartner(`Outage ${who}`)
      const { page, field, says, saveBar } = await openForm(id)
      const { keys, end } = await answer(page, 'write', refuse)
      await field('City').fill('York')
      await page.keyboard.press('Control+s')
      await says('The server is busy, trying again')
      // More than the tries of a call that is given up.
      await expect.poll(() => keys.length, { timeout: 30_000 }).toBeGreaterThan(5)
      await says('The server is busy, trying again')
      end()
      await saveBar.waitFor({ state: 'detached' })
      expect(new Set(keys).size).toBe(1)
      await expect.poll(() => cityOf(id)).toBe('York')
      expect(await page.getByRole('alert').count()).toBe(0)
    })

    test(`that ${who} refuses for now can be discarded and is then not sent any more`, async () => {
      const id = await createPartner(`Outage discarded by ${who}`)
      const { page, field, says, saveBar, discard } = await openForm(id)
      const { keys, end } = await answer(page, 'write', refuse)
      await field('City').fill('York')
      await page.keyboard.press('Control+s')
      await says('The server is busy, trying again')
      await discard.click()
      await saveBar.waitFor({ state: 'detached' })
      end()
      const before = keys.length
      await field('City').fill('Hull')
      await page.keyboard.press('Control+s')
      await saveBar.waitFor({ state: 'detached' })
      await expect.poll(() => cityOf(id)).toBe('Hull')
      expect(keys.length).toBe(before + 1)
    })
  }
})

test('a button whose answer is lost acts once, and so does its Undo', async () => {
  const { id, chatter } = await asSystem().asSystem(async (env) => {
    const [currency_id] = await env.model('core.currency').search([['name', '=', 'EUR']])
    const partner_id = await env.model('core.partner').create({ name: 'Outage Buyer' })
    const line_ids = [[0, 0, { name: 'Chair', quantity: 1, price_unit: 10 }]] as never
    const order = await env.model('sale.order').create({ partner_id, currency_id: currency_id!, line_ids })
    return { id: order, chatter: [['model', '=', 'sale.order'] as const, ['res_id', '=', order] as const] }
  })
  const facts = () =>
    asSystem().asSystem(async (env) => ({
      state: (await env.model('sale.order').read([id], ['state']))[0]?.state,
      messages: await env.model('mail.message').count(chatter),
    }))
  const signedIn = await signIn()
  const { page } = signedIn
  await signedIn.go(`/web?model=sale.order&view_type=form&id=${id}`)
  await allLoaded(page)
  const { messages } = await facts()
  const lost = new Set<string>()
  await page.route(/\/web\/wc\/(act|undo)$/, async (route) => {
    const path = new URL(route.request().url()).pathname
    if (lost.has(path)) return route.fallback()
    lost.add(path)
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  const toast = page.locator('.toast').filter({ hasText: 'Sales Order' })
  await toast.waitFor()
  expect(await facts()).toEqual({ state: 'sale', messages: messages + 1 })
  await toast.getByRole('button', { name: 'Undo' }).click()
  await page.locator('.toast').filter({ hasText: 'Undone' }).waitFor()
  expect((await facts()).state).toBe('draft')
  expect([...lost]).toEqual(['/web/wc/act', '/web/wc/undo'])
  await noContradiction(page)
})

test('archiving many rows outlasts a service that is killed', async () => {
  const count = 120
  await asSystem().asSystem((env) =>
    env.model('core.tag').createMany(Array.from({ length: count }, (_, at) => ({ name: `Outage ${at}` }))),
  )
  const active = () => asSystem().asSystem((env) => env.model('core.tag').count([['name', 'like', 'Outage ']]))
  const signedIn = await signIn()
  const { page } = signedIn
  await signedIn.go('/web?model=core.tag&view_type=list&q=Outage')
  await allLoaded(page)
  await page.getByRole('checkbox', { name: 'Select all' }).first().check()
  await page.getByRole('button', { name: /^Select all \d+/ }).click()
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Archive' }).click()
  await kill()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  const toast = page.locator('.toast').filter({ hasText: `0 of ${count} archived` })
  await toast.getByText('Waiting for the connection').waitFor()
  await start()
  await page
    .locator('.toast')
    .filter({ hasText: `${count} records archived` })
    .waitFor()
  expect(await active()).toBe(0)
  await noContradiction(page)
})

test('a menu that is followed is marked and named before the server answers, also if it does not answer', async () => {
  const signedIn = await signIn()
  const { page } = signedIn
  await signedIn.go('/web/home')
  const menus = page.getByRole('navigation', { name: 'Sales' })
  const heading = () => page.getByRole('heading', { level: 1 }).textContent()
  const marked = () => menus.locator('[aria-current]').allTextContents()
  await page.getByRole('button', { name: /Switch app/ }).click()
  await page.getByRole('menuitem', { name: 'Sales' }).click()
  await expect.poll(heading).toBe('Quotations')
  await allLoaded(page)
  let answer = () => {}
  const released = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/web/wc/workspace*', async (route) => {
    await released
    await route.fallback()
  })
  await menus.getByRole('link', { name: 'Sales Orders' }).click()
  await expect.poll(heading).toBe('Sales Orders')
  expect(await marked()).toEqual(['Sales Orders'])
  answer()
  await page.locator('.viewhost[aria-busy=false]').first().waitFor()
  expect([await heading(), await marked()]).toEqual(['Sales Orders', ['Sales Orders']])

  await kill()
  await menus.getByRole('link', { name: 'Customers' }).click()
  await page.getByRole('alert').getByText('No connection').waitFor()
  expect([await heading(), await marked()]).toEqual(['Customers', ['Customers']])
  // There is nothing to keep as a favourite.
  expect(await page.getByRole('button', { name: 'Favourites' }).count()).toBe(0)
  await start()
  await page.getByRole('grid').waitFor()
  expect([await heading(), await marked()]).toEqual(['Customers', ['Customers']])
})

test('a search of the palette that is not answered soon says that it goes on', async () => {
  const signedIn = await signIn()
  const { page } = signedIn
  await signedIn.go('/web/home')
  await allLoaded(page)
  let answer = () => {}
  const released = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/web/wc/find*', async (route) => {
    await released
    await route.fallback()
  })
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('alder')
  const words = page.getByRole('status').filter({ hasText: 'Searching…' })
  await words.waitFor()
  answer()
  await words.waitFor({ state: 'detached' })
})

test('a page that the service cannot make now offers to try again, and comes by itself', async () => {
  const signedIn = await signIn()
  const { page } = signedIn
  // As the service answers while its database is away.
  await page.route('**/web/settings/operations', async (route) => {
    const missing = await route.fetch({ url: `${client.url()}/web/no-such-page` })
    const body = (await missing.text()).replace(
      '<a class="btn lg"',
      '<a class="btn primary lg" data-retry href="">Try again</a>$&',
    )
    await route.fulfill({ status: 503, contentType: 'text/html', body })
  })
  let isReady = false
  await page.route('**/api/ready', (route) => (isReady ? route.fallback() : route.fulfill({ status: 503 })))
  await page.goto('/web/settings/operations')
  await page.getByRole('link', { name: 'Try again' }).waitFor()
  await page.unroute('**/web/settings/operations')
  isReady = true
  await page.getByRole('heading', { name: 'Operations' }).waitFor()
})
