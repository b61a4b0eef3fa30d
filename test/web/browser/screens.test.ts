import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../../addons/index.ts'
import { catalogue } from '../../../addons/web/client/i18n/de.ts'
import { allLoaded } from '../../support/browser.ts'
import { eachNth } from '../../support/soak.ts'
import { findViolations } from './find-violations.ts'
import { useClient } from './fixture.ts'
import { overfull, unreachable } from './reach.ts'
import { screenAddresses } from './screen-addresses.ts'

const client = useClient()

describe('for a reader of German', () => {
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

  const DESK = { width: 1440, height: 900 }
  const PHONE = { width: 320, height: 640 }

  test('no English sentence is left on any screen, none has a barrier in either theme, and on a phone no word runs out of its control', async () => {
    const signedIn = await client.signIn('seller')
    const { page } = signedIn
    const addresses = await screenAddresses(client.modules())
    const examined = eachNth(addresses, 2)
    for (const [index, address] of addresses.entries()) {
      await page.setViewportSize(DESK)
      await (index === 0 ? signedIn.go(address) : signedIn.follow(address))
      await allLoaded(page)
      const english = await leftovers(page)
      // Boards are by far the largest screens: `kanban.test.ts` looks at one, `menus.test.ts` at each with few cards.
      const isExamined = examined.includes(address) && !address.includes('view_type=kanban')
      const barriers = isExamined ? await findViolations(page) : []
      expect({ english, barriers }, address).toEqual({ english: [], barriers: [] })
      await page.setViewportSize(PHONE)
      await allLoaded(page)
      await expect
        .poll(async () => ({ ...(await unreachable(page)), overfull: await overfull(page) }), { message: address })
        .toEqual({ overflow: 0, lost: [], overfull: [] })
    }
    await signedIn.release()
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
