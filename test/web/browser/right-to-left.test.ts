import { beforeAll, expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
let signedIn: SignedIn

beforeAll(async () => {
  await client.modules().asSystem(async (env) => {
    const admins = await env.model('core.user').search([['login', '=', 'admin']])
    await env.model('core.user').write(admins, { lang: 'ar' })
  })
  signedIn = await client.signIn('admin')
})

test('a pivot with more periods than fit opens with the newest and the total in view', async () => {
  const { page, go } = signedIn
  await go('/web?model=sale.order&view_type=pivot#group=user_id&cols=date_order:week&measures=amount_total,__count')
  await allLoaded(page)
  expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe('rtl')
  const room = await page.locator('.pivotscroll').boundingBox()
  const total = await page.locator('.pivot tfoot td').last().boundingBox()
  const names = await page.locator('.pivot tfoot th').boundingBox()
  expect(total!.x).toBeGreaterThanOrEqual(room!.x - 1)
  expect(total!.x).toBeLessThan(room!.x + 20)
  expect(names!.x + names!.width).toBeCloseTo(room!.x + room!.width, -1)
})

test('a timeline that is wider than the window opens with today in view, left of the names', async () => {
  const { page, go } = signedIn
  await go('/web?model=project.task&view_type=gantt&filter=')
  await page.setViewportSize({ width: 700, height: 800 })
  await page.reload()
  await page.locator('.gantt .nowline').waitFor()
  await allLoaded(page)
  const today = await page.locator('.gantt .nowline').boundingBox()
  const names = await page.locator('.ghead .gl').boundingBox()
  expect(today!.x).toBeGreaterThan(0)
  expect(today!.x).toBeLessThan(names!.x)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('the line below a figure ends at the left, where its newest value is', async () => {
  const { page, go } = signedIn
  await go('/web?model=sys.dashboard&view_type=form&id=1#period=year')
  const spark = page.locator('.dtile .spark').first()
  await spark.waitFor()
  expect(await spark.evaluate((line) => getComputedStyle(line).scale)).toBe('-1 1')
})

test('a phone number and a count with a sign read as they are written, and a long text is cut at its end', async () => {
  const { page, go } = signedIn
  /** Where the first and the last letter of the text inside an element are drawn. */
  const ends = (selector: string, text: RegExp) =>
    page
      .locator(selector)
      .filter({ hasText: text })
      .first()
      .evaluate((element) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        const node = walker.nextNode()!
        const place = (at: number) => {
          const range = document.createRange()
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          return range.getBoundingClientRect().left
        }
        const { left, right } = element.getBoundingClientRect()
        return { first: place(0), last: place(node.textContent!.length - 1), left, right }
      })
  await go('/web?model=core.partner&view_type=list')
  await allLoaded(page)
  const phone = await ends('.gb .gc', /^\+\d/)
  expect(phone.first).toBeLessThan(phone.last)
  const name = await ends('.gb .gc', /^Anders Holmgaard$/)
  expect(name.right - name.last).toBeLessThan(30)
  await page.setViewportSize({ width: 1024, height: 800 })
  const mail = await ends('.gb .gc', /@/)
  expect(mail.first).toBeGreaterThanOrEqual(mail.left)
  await page.setViewportSize({ width: 1440, height: 900 })
  await go('/web?model=crm.lead&view_type=cohort')
  await allLoaded(page)
  const offset = await ends('.cohort thead th', /^\+1$/)
  expect(offset.first).toBeLessThan(offset.last)
})
