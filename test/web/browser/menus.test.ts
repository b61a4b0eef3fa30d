import { expect, test } from 'vitest'
import type { WireBootstrap, WireMenu } from '../../../kernel/view/wire.ts'
import { allLoaded } from '../../support/browser.ts'
import { eachNth } from '../../support/soak.ts'
import { findViolations } from './find-violations.ts'
import { useClient } from './fixture.ts'

const client = useClient()

/** Places of a tree of menus that lead somewhere. */
const hrefsOf = (menus: readonly WireMenu[]): string[] =>
  menus.flatMap(({ href, children }) => [...(href === null ? [] : [href]), ...hrefsOf(children)])

test('the menus of every addon open for an administrator, without a complaint', async () => {
  // In a low window, where lists draw few rows.
  const { page, complaints, follow, go } = await client.signIn('admin', { viewport: { width: 1440, height: 400 } })
  await go('/web/settings')
  await Promise.all([page.waitForEvent('load'), page.getByLabel('Developer mode').click()])
  await page.goto('/web/home')
  const { topMenus } = await page.evaluate(
    // The page has it from its own server; the types are ours.
    () => (window as unknown as { __WC_BOOTSTRAP__: WireBootstrap }).__WC_BOOTSTRAP__,
  )
  const hrefs = [...new Set(hrefsOf(topMenus))]
  expect(hrefs.length).toBeGreaterThan(30)
  const broken: string[] = []
  // Every second one in a usual run; a soak opens all.
  for (const href of eachNth(hrefs, 2)) {
    await follow(href)
    const trouble = page.locator('#main [role=alert]')
    if ((await trouble.count()) > 0) broken.push(`${href}: ${await trouble.first().textContent()}`)
  }
  expect(broken).toEqual([])
  expect(complaints).toEqual([])
})

test('no screen has a barrier when it is filtered, grouped or empty, in either theme', async () => {
  const { page, go, follow } = await client.signIn('admin')
  // As they open by themselves, the screens are looked at in `screens.test.ts`; except boards, with few cards here: each is looked at by
  // itself, and further ones are like them.
  const screens = [
    '/web?model=core.partner&view_type=kanban&q=Whit',
    '/web?model=sale.order&view_type=list#group=state',
    '/web?model=crm.lead&view_type=kanban&q=chairs',
    '/web?model=project.task&view_type=kanban&q=with',
    '/web?model=project.task&view_type=form&id=1',
    '/web?model=core.user&view_type=form&id=1',
    '/web?model=project.task&view_type=gantt',
    '/web?model=sale.order&view_type=list&q=nothing-like-this',
  ]
  const violations: string[] = []
  for (const [index, address] of screens.entries()) {
    if (index === 0) await go(address)
    else await follow(address)
    await allLoaded(page)
    violations.push(...(await findViolations(page)).map((violation) => `${address} ${violation}`))
  }
  expect(violations).toEqual([])
})
