import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { useClient } from './fixture.ts'
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
  for (const [index, address] of (await screenAddresses(client.modules())).entries()) {
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
