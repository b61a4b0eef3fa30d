import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { useClient } from './fixture.ts'

const client = useClient()

/** A sheet without its margins, in CSS pixels. */
const UPRIGHT = { width: 718, height: 1047 }
const LYING = { width: 1047, height: 718 }

const BY_WEEK = '/web?model=sale.order&view_type=pivot#rows=user_id&cols=date_order:week&measures=amount_total,__count'

/** The page as it is printed. */
async function print(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  const isWide = (await page.locator('html[data-wide]').count()) > 0
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize(isWide ? LYING : UPRIGHT)
}

/** What of the sheet's content lies beyond its edge, by its text. A screen rounds small letters to whole pixels, so they are a little wider. */
const cutOff = (page: Page) =>
  page.locator('main').evaluate((main) =>
    [...main.querySelectorAll('th, td, h2, canvas, .bar, .ev, .tilebody, .dds > span')]
      .filter((element) => element.checkVisibility())
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 1 && (left < -1 || right > innerWidth * 1.05)
      })
      .map(({ textContent, className }) => textContent || className),
  )

describe('on paper', () => {
  test.each([
    ['a graph', '/web?model=sale.order&view_type=graph', 'canvas'],
    ['a pivot', '/web?model=sale.order&view_type=pivot', '.pivot'],
    ['a cohort', '/web?model=crm.lead&view_type=cohort&filter=', '.cohort'],
    ['a calendar', '/web?model=project.task&view_type=calendar&filter=', '.calview'],
    ['a plan', '/web?model=project.task&view_type=gantt&filter=', '.gin'],
    ['a map', '/web?model=core.partner&view_type=map&filter=', '.mapview'],
    ['a dashboard', '/web?model=sys.dashboard&view_type=form&id=1#period=year', '.dtile'],
  ])(
    '%s is as wide as the sheet, dark on white, and has neither buttons nor a search',
    async (_name, address, part) => {
      const { page, go, release } = await client.signIn('admin', { colorScheme: 'dark' })
      await go(address)
      await page.locator(part).first().waitFor()
      await allLoaded(page)
      await print(page)
      expect(await cutOff(page)).toEqual([])
      const tools = page.locator('.btn:not(.more), .seg, .ctlbar, .spanel, .sidebar, .topbar').filter({ visible: true })
      expect(await tools.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML))).toEqual([])
      const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
      expect(scheme).toBe('light')
      await release()
    },
  )

  test('a chart has the colours of the light theme, and those of the dark one again when it was printed', async () => {
    const { page, go, release } = await client.signIn('admin', { colorScheme: 'dark' })
    await go('/web?model=sale.order&view_type=graph')
    await allLoaded(page)
    /** Whether the bars have the colour that the first series has in a scheme. */
    const isDrawnIn = (scheme: string) =>
      page.locator('canvas').evaluate((canvas: HTMLCanvasElement, colorScheme) => {
        const probe = document.body.appendChild(document.createElement('span'))
        probe.dataset['hue'] = '1'
        Object.assign(probe.style, { colorScheme, color: 'var(--accent-mark)' })
        const paint = new OffscreenCanvas(1, 1).getContext('2d')!
        paint.fillStyle = getComputedStyle(probe).color
        paint.fillRect(0, 0, 1, 1)
        probe.remove()
        const wanted = paint.getImageData(0, 0, 1, 1).data
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height)
        // Bars let a little of the ground through, which rounds their colour.
        const isNear = (at: number) =>
          data[at + 3]! > 200 && [0, 1, 2].every((part) => Math.abs(data[at + part]! - wanted[part]!) < 4)
        let found = 0
        for (let at = 0; at < data.length; at += 4) if (isNear(at)) found++
        return found > 200
      }, scheme)
    await expect.poll(() => isDrawnIn('dark')).toBe(true)
    await print(page)
    expect([await isDrawnIn('light'), await isDrawnIn('dark')]).toEqual([true, false])
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    await expect.poll(() => isDrawnIn('dark')).toBe(true)
    await release()
  })

  test('columns of a pivot that would be too small to read are below the others, each once', async () => {
    const { page, go, release } = await client.signIn('admin')
    await go(BY_WEEK)
    await allLoaded(page)
    const texts = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) => all.filter((each) => each.checkVisibility()).map((each) => each.textContent ?? ''))
    const onScreen = { weeks: await texts('.pivot thead tr:first-child th'), total: await texts('.pivot tfoot td') }
    expect(onScreen.weeks.length).toBeGreaterThan(15)
    await print(page)
    const weeks = await texts('.pivot thead tr:first-child th')
    expect(weeks).toEqual(onScreen.weeks)
    expect(await texts('.pivot tfoot td')).toEqual(onScreen.total)
    const bands = await page.locator('.pivot:visible').count()
    expect(bands).toBeGreaterThan(1)
    expect((await texts('.pivot tfoot th')).length).toBe(bands)
    expect(await cutOff(page)).toEqual([])
    const height = await page
      .locator('.pivot:visible tfoot td')
      .first()
      .evaluate((cell: HTMLElement) => cell.getBoundingClientRect().height / cell.offsetHeight)
    expect(height).toBeGreaterThan(0.6)
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    expect(await texts('.pivot thead tr:first-child th')).toEqual(onScreen.weeks)
    expect(await page.locator('.pivot').count()).toBe(1)
    await release()
  })
})
