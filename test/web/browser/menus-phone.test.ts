import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { eachNth } from '../../support/soak.ts'
import { useClient } from './fixture.ts'

const client = useClient()

/** Where the menus lead to, each place once. */
const places = (page: Page) =>
  page.evaluate(() => {
    interface Menu {
      readonly href: string | null
      readonly children: readonly Menu[]
    }
    const { topMenus } = (window as unknown as { __WC_BOOTSTRAP__: { topMenus: readonly Menu[] } }).__WC_BOOTSTRAP__
    const below = (menus: readonly Menu[]): readonly Menu[] => menus.flatMap((menu) => [menu, ...below(menu.children)])
    const byAction = new Map(below(topMenus).map(({ href }) => [/action=(\d+)/.exec(href ?? '')?.[1], href]))
    return [...byAction].flatMap(([action, href]) => (action === undefined ? [] : [href!]))
  })

/** What lies outside the screen or above something else, in words. */
const faults = (page: Page) =>
  page.evaluate(() => {
    const named = (element: Element) => element.getAttribute('aria-label') ?? element.textContent?.trim() ?? ''
    const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    const seen = (selector: string) => [...document.querySelectorAll(selector)].filter(isSeen)
    const out = seen('.sheet .kv *')
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => `${element.className} of ${named(element.closest('.kv')!)} is beyond the picture`)
    const bar = seen('.topbar :is(a, button, h1)').map((element) => [element, element.getBoundingClientRect()] as const)
    const upon = bar.flatMap(([element, box], at) =>
      bar
        .slice(at + 1)
        .filter(([, other]) => box.right > other.left + 1 && other.right > box.left + 1)
        .map(([other]) => `${named(element)} lies upon ${named(other)}`),
    )
    const cut = seen('.listview .gb [data-m="title"]')
      .filter((cell) => cell.clientHeight < 16)
      .map((cell) => `${named(cell)} is cut`)
    const isRecord = location.search.includes('view_type=form')
    const lost = isRecord && seen('.crumbs a').length === 0 ? ['no way back'] : []
    return [...out, ...upon, ...cut, ...lost]
  })

test('on a phone every menu has its records within the picture, apart from each other, and a way back from each', async () => {
  const { page, go, follow, complaints, release } = await client.signIn('admin', {
    viewport: { width: 390, height: 844 },
  })
  await go('/web/home')
  for (const place of eachNth(await places(page), 2)) {
    await follow(place)
    await expect.poll(() => faults(page), { message: place }).toEqual([])
    const record = page.locator('.viewhost :is(.gc a.main, .card a)[href*="id="]').first()
    if ((await record.count()) === 0) continue
    const href = (await record.getAttribute('href'))!
    await follow(href)
    await expect.poll(() => faults(page), { message: href }).toEqual([])
  }
  expect(complaints).toEqual([])
  await release()
})
