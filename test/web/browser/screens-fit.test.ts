import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { eachNth } from '../../support/soak.ts'
import { type Person, useClient } from './fixture.ts'
import { unreachable } from './reach.ts'
import { screenAddresses } from './screen-addresses.ts'

const client = useClient()

interface Look {
  readonly name: string
  readonly viewport: { readonly width: number; readonly height: number }
  readonly dir: 'ltr' | 'rtl'
}

/** How screens are looked at: opened on the narrowest phone, then changed, as by whoever turns it, takes a large screen or zooms in. */
const LOOKS: readonly Look[] = [
  { name: '320 pixels wide', viewport: { width: 320, height: 640 }, dir: 'ltr' },
  { name: 'from right to left on a phone', viewport: { width: 390, height: 844 }, dir: 'rtl' },
  { name: 'from right to left', viewport: { width: 1440, height: 900 }, dir: 'rtl' },
  { name: 'at 200 %, which is half as wide', viewport: { width: 720, height: 450 }, dir: 'ltr' },
]

async function show(page: Page, { viewport, dir }: Look): Promise<void> {
  await page.setViewportSize(viewport)
  await page.evaluate((to) => {
    document.documentElement.dir = to
  }, dir)
  await allLoaded(page)
}

test(`every screen fits, and nothing on it is out of reach: ${LOOKS.map(({ name }) => name).join(', ')}`, async () => {
  const signedIn = await client.signIn('admin')
  const { page } = signedIn
  for (const [index, address] of eachNth(await screenAddresses(client.modules()), 3, 1).entries()) {
    await page.setViewportSize(LOOKS[0]!.viewport)
    await (index === 0 ? signedIn.go(address) : signedIn.follow(address))
    for (const look of LOOKS) {
      await show(page, look)
      await expect
        .poll(() => unreachable(page), { message: `${address} ${look.name}` })
        .toEqual({ overflow: 0, lost: [] })
    }
  }
  await signedIn.release()
})

test('a record is found, opened, changed and saved at 320 pixels', async () => {
  const { page, go, release } = await client.signIn('admin', { viewport: { width: 320, height: 640 } })
  await go('/web?model=core.partner&view_type=list')
  await page
    .getByRole('link', { name: /Holmgaard/i })
    .first()
    .click()
  const city = page.locator('.sheet').getByLabel('City', { exact: true }).first()
  await city.fill('Narrowtown')
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await bar.getByRole('button', { name: /Save/ }).click()
  await bar.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
  expect((await unreachable(page)).overflow).toBe(0)
  await release()
})

const setLanguage = (login: Person, lang: string) =>
  client.modules().asSystem(async (env) => {
    const users = env.model('core.user')
    await users.write(await users.search([['login', '=', login]]), { lang })
  })

/** Words of these elements that are cut. Of a field: those that stand in it while it is empty. */
const cut = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((elements) =>
    elements
      .filter((element) => element.checkVisibility())
      .filter((element) => {
        if (!(element instanceof HTMLInputElement)) return element.scrollWidth > element.clientWidth + 1
        const pen = document.createElement('canvas').getContext('2d')!
        const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(element)
        pen.font = font
        const room = element.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd)
        return pen.measureText(element.placeholder).width > room
      })
      .map((element) => (element instanceof HTMLInputElement ? element.placeholder : element.textContent)),
  )

test('German, whose words are long, is not cut where there is room for it', async () => {
  await setLanguage('admin', 'de')
  const { page, go, follow, release } = await client.signIn('admin')
  await go('/web/home')
  await page.getByText('Guten').first().waitFor()
  await expect.poll(() => cut(page, '.side-search .lb, .apptile .cap')).toEqual([])

  await follow('/web?model=core.company&view_type=list')
  await page.getByRole('columnheader', { name: 'Mutterunternehmen' }).waitFor()
  await expect.poll(() => cut(page, '.gh .cut')).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.locator('.gb .gc[data-m=sub]').filter({ visible: true }).first().waitFor()
  expect(await page.locator('.grip-cell').filter({ visible: true }).count()).toBe(0)
  // Toasts appear above the totals of a list, and above the foot of the menu.
  const end = (selector: string, side: 'top' | 'bottom') =>
    page.locator(selector).evaluate((element, name) => element.getBoundingClientRect()[name], side)
  expect(await end('.toasts', 'bottom')).toBeLessThanOrEqual(await end('.gr.total', 'top'))
  await page.locator('.menu-btn').click()
  await expect.poll(async () => (await end('.toasts', 'bottom')) <= (await end('.side-foot', 'top'))).toBe(true)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  expect(await cut(page, 'dialog input')).toEqual([])
  await page.keyboard.press('Escape')

  await follow('/web/settings/access')
  const heads = page.locator('.amx thead .rt')
  await heads.last().waitFor()
  expect(await heads.allTextContents()).toEqual(['Lesen', 'Ändern', 'Anlegen', 'Löschen'])
  expect(await cut(page, '.amx thead .rt')).toEqual([])

  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(() => cut(page, '.acc .scroll-x')).toEqual([])
  await follow('/web?model=crm.lead&view_type=kanban')
  await page.getByRole('button', { name: 'Neu in Neu' }).click()
  const card = page.locator('.card.form')
  await card.getByPlaceholder('Erwarteter Umsatz').waitFor()
  expect(await cut(page, '.card.form input')).toEqual([])
  const [box, close] = [await card.boundingBox(), await card.getByRole('button', { name: 'Schließen' }).boundingBox()]
  expect(close!.x + close!.width).toBeLessThan(box!.x + box!.width)
  await release()
})

test('German keeps its words whole on a phone, and a unit with its number', async () => {
  await setLanguage('admin', 'de')
  const { page, go, follow, release } = await client.signIn('admin', { viewport: { width: 390, height: 844 } })
  const end = async (selector: string) => {
    const { x, width } = (await page.locator(selector).last().boundingBox())!
    return x + width
  }
  await go('/web/settings/keys')
  await page.getByRole('button', { name: 'Neuer Schlüssel' }).first().click()
  await page.locator('.scope tbody th').first().waitFor()
  const lines = await page
    .locator('.scope tbody th .two > :first-child')
    .evaluateAll((names) => names.filter((name) => name.getClientRects().length > 1).map((name) => name.textContent))
  expect(lines).toEqual([])
  expect(await cut(page, '.newkey input, .newkey .seg label, .scope thead .rt')).toEqual([])
  expect(await end('.newkey .seg label')).toBeLessThanOrEqual(await end('.newkey .scopebox'))
  await page.keyboard.press('Escape')

  await follow('/web/settings/access')
  const heads = page.locator('.panel:has(.amx) > header > h2')
  await heads.last().waitFor()
  const [first, last] = [await heads.first().boundingBox(), await heads.last().boundingBox()]
  expect(last!.y).toBe(first!.y)
  expect(await end('.amx thead .rt')).toBeLessThanOrEqual(390)

  const id = await client.modules().asSystem(async (env) => {
    const [lead] = await env.model('crm.lead').search([['expected_revenue', '>', 0]], { limit: 1 })
    const tag_ids = await env.model('crm.tag').search([], { limit: 2 })
    await env.model('crm.lead').write([lead!], { expected_revenue: 5_000, tag_ids: [[6, 0, tag_ids]] })
    return lead!
  })
  await follow(`/web?model=crm.lead&view_type=form&id=${id}`)
  const revenue = page.getByLabel('Erwarteter Umsatz', { exact: true })
  await expect.poll(() => revenue.inputValue()).toMatch(/^5\.000,00\u00a0\S+$/)
  await revenue.focus()
  expect(await revenue.inputValue()).toBe('5.000,00')
  expect(await cut(page, '.tags-in input')).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(await cut(page, '.tags-in input')).toEqual([])
  await release()
})

test('a moment stands whole in its field on a phone, also by a clock of twelve hours', async () => {
  await setLanguage('admin', 'en')
  const id = await client.modules().asSystem(async (env) => {
    const [task] = await env.model('project.task').search([], { limit: 1 })
    // Of the widest.
    await env.model('project.task').write([task!], { date_end: '2026-03-28T10:08:00Z', date_start: null })
    return task!
  })
  const { page, go } = await client.signIn('admin', { viewport: { width: 390, height: 844 }, locale: 'en-US' })
  await go(`/web?model=project.task&view_type=form&id=${id}`)
  const end = page.locator('.sheet').getByLabel('End', { exact: true }).first()
  await expect.poll(() => end.inputValue()).toBe('Mar 28, 2026, 10:08 AM')
  const spare = await end.evaluate((input: HTMLInputElement) => {
    const copy = document.body.appendChild(document.createElement('span'))
    copy.style.font = getComputedStyle(input).font
    copy.style.position = 'absolute'
    copy.textContent = input.value
    return input.clientWidth - copy.getBoundingClientRect().width
  })
  expect(spare).toBeGreaterThanOrEqual(1)
  await page.context().close()
})

test('on a phone the current one of many views is in sight and large enough for a finger, and so is the way out of a selection', async () => {
  const { page, go, follow, release } = await client.signIn('admin', { viewport: { width: 390, height: 844 } })
  await go('/web?model=project.task&view_type=list')
  const tabs = page.locator('.ctlbar .seg')
  const room = async () => (await tabs.boundingBox())!
  const create = await page.locator('.ctlbar .btn.primary').boundingBox()
  expect((await room()).x + (await room()).width).toBeLessThanOrEqual(create!.x)
  for (const tab of await tabs.locator('a:not([data-mode=form])').all()) {
    const { width, height } = (await tab.boundingBox())!
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(32)
  }
  await follow('/web?model=project.task&view_type=cohort')
  const current = (await tabs.locator('[aria-current]').boundingBox())!
  expect(current.x + current.width).toBeLessThanOrEqual((await room()).x + (await room()).width)

  await follow('/web?model=sale.order&view_type=list')
  await page.getByRole('checkbox').nth(1).check()
  const bar = page.locator('.selbar')
  const acts = bar.getByRole('button')
  const fade = await acts.last().evaluate((element) => getComputedStyle(element, '::before').backgroundImage)
  expect(fade).toContain('linear-gradient')
  await acts.nth(-2).scrollIntoViewIfNeeded()
  await acts.last().click()
  await bar.waitFor({ state: 'detached' })
  await release()
})

test('the steps of an order that cannot be changed are all in sight in German, beside its chatter', async () => {
  await setLanguage('frieda@example.com', 'de')
  const id = await client.modules().asSystem(async (env) => {
    const sold = [['state', '=', 'sale'] as const, ['company_id.name', '=', 'Nordlicht Trading'] as const]
    return (await env.model('sale.order').search(sold, { limit: 1 }))[0]!
  })
  const { page, go, release } = await client.signIn('frieda@example.com')
  await go(`/web?model=sale.order&view_type=form&id=${id}`)
  await page.locator('.actbar .badge').filter({ hasText: 'Schreibgeschützt' }).waitFor()
  await expect.poll(() => cut(page, '.actbar > .end')).toEqual([])
  expect(await page.locator('.status li').last().textContent()).toBe('Gesperrt')
  await release()
})
