import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../../addons/index.ts'
import { catalogue } from '../../../addons/web/client/i18n/de.ts'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()

const firstOf = (model: string) =>
  client.modules().asSystem(async (env) => (await env.model(model as 'core.partner').search([], { limit: 1 }))[0]!)

/** Addresses of one screen of each kind. */
async function screens(): Promise<readonly string[]> {
  const order = await firstOf('sale.order')
  const lead = await firstOf('crm.lead')
  const partner = await firstOf('core.partner')
  const dashboard = await firstOf('sys.dashboard')
  return [
    '/web/home',
    '/web/apps',
    '/web/settings',
    '/web/settings/account',
    '/web/settings/app-logs',
    '/web/settings/users',
    '/web/settings/access',
    '/web/settings/keys',
    '/web/settings/operations',
    '/web/settings/translations',
    '/web/settings/app',
    '/web?model=sale.order&view_type=list',
    `/web?model=sale.order&view_type=form&id=${order}`,
    '/web?model=crm.lead&view_type=kanban',
    `/web?model=crm.lead&view_type=form&id=${lead}`,
    `/web?model=core.partner&view_type=form&id=${partner}`,
    '/web?model=project.task&view_type=kanban',
    '/web?model=product.product&view_type=list',
    '/web?model=sale.order&view_type=graph',
    '/web?model=sale.order&view_type=pivot',
    '/web?model=project.task&view_type=calendar&filter=',
    '/web?model=project.task&view_type=gantt&filter=',
    '/web?model=core.partner&view_type=map',
    '/web?model=crm.lead&view_type=cohort',
    `/web?model=sys.dashboard&view_type=form&id=${dashboard}#period=month`,
  ]
}

describe('for somebody who reads German', () => {
  /** Names of records, which stay as they were entered. */
  const stored = new Set<unknown>()
  const NAMED = [
    'crm.stage',
    'crm.tag',
    'project.stage',
    'project.tag',
    'product.category',
    'product.uom',
    'sale.stage',
    'sale.tag',
    'core.tag',
  ]

  beforeAll(() =>
    client.modules().asSystem(async (env) => {
      const users = await env.model('core.user').search([['login', '=', 'seller']])
      const groups = await env.model('core.user').search([['login', '=', 'admin']])
      const [admin] = await env.model('core.user').read(groups, ['group_ids'])
      await env.model('core.user').write(users, { lang: 'de-DE', tz: 'Europe/Berlin', group_ids: admin!.group_ids })
      for (const model of NAMED) {
        const rows = await env.model(model as 'core.tag').searchRead([], ['name'])
        for (const { name } of rows) stored.add(name)
      }
    }),
  )

  const catalogues = [...bundledAddons.map(({ translations }) => translations?.['de'] ?? {}), catalogue]
  const known: Readonly<Record<string, unknown>> = Object.assign({}, ...catalogues)
  const english = Object.entries(known)
    .filter(
      ([source, german]) =>
        source !== german && source.replace(/\{\w+\}/g, '').trim().length > (source.includes('{') ? 8 : 2),
    )
    .map(([source]) => source)
  /** Sentences with gaps match anything there, and figures where they count. */
  const patterns = english.map((source) => {
    const text = source.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    return new RegExp(`^${text.replace(/\{(n|total|count)\}/g, '[\\d.,]+').replace(/\{\w+\}/g, '.+')}$`)
  })
  // Of every catalogue: one may say as a noun what another has as a verb.
  const germanTexts = new Set(catalogues.flatMap(Object.values).filter((text) => typeof text === 'string'))

  const said = (page: Page) =>
    page.evaluate(() => {
      const found = new Set<string>()
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement
        if (!parent || parent.closest('script, style, [lang=en]') || !parent.checkVisibility()) continue
        found.add((node.textContent ?? '').trim())
      }
      for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [data-tip]')) {
        for (const name of ['aria-label', 'placeholder', 'title', 'data-tip']) {
          const text = element.getAttribute(name)
          if (text) found.add(text.trim())
        }
      }
      return [...found].filter((text) => text.length > 2)
    })

  const leftovers = async (page: Page) =>
    (await said(page)).filter(
      (text) => !germanTexts.has(text) && !stored.has(text) && patterns.some((pattern) => pattern.test(text)),
    )

  async function openAll(
    look: (signedIn: SignedIn, address: string) => Promise<void>,
    viewport = { width: 1440, height: 900 },
  ): Promise<void> {
    const signedIn = await client.signIn('seller', { viewport })
    for (const [index, address] of (await screens()).entries()) {
      await (index === 0 ? signedIn.go(address) : signedIn.follow(address))
      await allLoaded(signedIn.page)
      await look(signedIn, address)
    }
    await signedIn.release()
  }

  test('no English sentence is left on any screen', async () => {
    await openAll(async ({ page }, address) => {
      expect(await leftovers(page), address).toEqual([])
    })
  })

  test('nor in what opens above them', async () => {
    const signedIn = await client.signIn('seller')
    const { page } = signedIn
    await signedIn.go('/web?model=sale.order&view_type=list')
    for (const open of [
      () => page.keyboard.press('Control+k'),
      () => page.keyboard.press('?'),
      () => page.getByRole('button', { name: 'Filter', exact: true }).click(),
      () => page.getByRole('button', { name: 'Gruppe', exact: true }).click(),
    ]) {
      await open()
      await page.locator('dialog[open], [role=dialog], [role=menu], [role=listbox]').first().waitFor()
      await expect.poll(() => leftovers(page)).toEqual([])
      await page.keyboard.press('Escape')
    }
    await signedIn.release()
  })

  test('no screen has a barrier, in either theme', async () => {
    await openAll(async ({ page }, address) => {
      expect(await findViolations(page), address).toEqual([])
    })
  })

  test('every screen fits a phone, and no word runs out of its control', async () => {
    await openAll(
      async ({ page }, address) => {
        expect({ ...(await unreachable(page)), overfull: await overfull(page) }, address).toEqual({
          overflow: 0,
          lost: [],
          overfull: [],
        })
      },
      { width: 320, height: 640 },
    )
  })

  test('figures and dates are written as Germans do', async () => {
    const signedIn = await client.signIn('seller')
    const { page } = signedIn
    await signedIn.go('/web?model=sale.order&view_type=list')
    await page.locator('.gb a.main').first().waitFor()
    const text = (await said(page)).join('\n')
    expect(text).toMatch(/\b\d{1,3}\.\d{3},\d{2}\b/)
    expect(text).toMatch(/\b\d{1,2}\.\s?(\d{1,2}\.|\p{L}{3})/u)
    expect(text).not.toMatch(/\d,\d{3}\.\d{2}/)
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toMatch(/^de/)
    await signedIn.release()
  })
})

/** Controls that nobody can reach: outside the picture, and in nothing that scrolls. */
const unreachable = (page: Page) =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    const scrolls = (element: Element | null): boolean =>
      element !== null && (/(auto|scroll)/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    const lost = [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, h1')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 1 && (left < -1 || right > clientWidth + 1) && !scrolls(element.parentElement)
      })
      .filter((element) => !element.matches('.skip') && element.closest('#nav') === null)
      .map((element) => element.getAttribute('aria-label') ?? element.textContent?.trim() ?? element.tagName)
    return { overflow: Math.max(0, scrollWidth - clientWidth), lost }
  })

/** Links and buttons whose words are wider than they are, and so run into what is beside them. */
const overfull = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href], button')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 4)
      .filter((element) => getComputedStyle(element).overflowX === 'visible' && element.closest('#nav') === null)
      .map((element) => element.getAttribute('aria-label') ?? element.textContent?.trim() ?? element.tagName),
  )

describe.each([
  ['320 pixels wide', { width: 320, height: 640 }, 'ltr'],
  ['at 200 %, which is half as wide', { width: 720, height: 450 }, 'ltr'],
  ['from right to left', { width: 1440, height: 900 }, 'rtl'],
  ['from right to left on a phone', { width: 390, height: 844 }, 'rtl'],
] as const)('%s', (_name, viewport, dir) => {
  test('every screen fits, and nothing on it is out of reach', async () => {
    const signedIn = await client.signIn('admin', { viewport })
    const { page } = signedIn
    for (const [index, address] of (await screens()).entries()) {
      await (index === 0 ? signedIn.go(address) : signedIn.follow(address))
      await page.evaluate((to) => {
        document.documentElement.dir = to
      }, dir)
      await allLoaded(page)
      expect(await unreachable(page), address).toEqual({ overflow: 0, lost: [] })
    }
    await signedIn.release()
  })
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
