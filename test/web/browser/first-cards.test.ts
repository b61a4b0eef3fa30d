import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()

const PARTNERS = '/web?model=core.partner&view_type=kanban&filter='
const CARDS = '[data-card]'
/** The first screen of this window has seven cards. */
const SMALL = { width: 700, height: 420 }

/** What a frame with cards showed. */
interface Picture {
  readonly cards: number
  /** Where the first card is, and how wide. */
  readonly first: string
}

/** A page that takes down all its pictures. */
async function signInWatched(): Promise<SignedIn> {
  const signedIn = await client.signIn('admin', { viewport: SMALL })
  await signedIn.page.addInitScript(() => {
    const pictures: Picture[] = []
    Object.assign(window, { pictures })
    const look = () => {
      requestAnimationFrame(look)
      setTimeout(() => {
        const cards = document.querySelectorAll('[data-card]')
        if (cards.length === 0) return
        const { left, width } = cards[0]!.getBoundingClientRect()
        pictures.push({ cards: cards.length, first: `${left} ${width}` })
      })
    }
    look()
  })
  return signedIn
}

const picturesOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { readonly pictures: readonly Picture[] }).pictures)

const forget = (page: Page) =>
  page.evaluate(() => {
    ;(window as unknown as { readonly pictures: Picture[] }).pictures.length = 0
  })

const total = () => client.modules().asSystem(async (env) => Math.min(80, await env.model('core.partner').count([])))

/** Whether some of an element is inside the window. */
const isSeen = (element: Locator) =>
  element.evaluate((each) => {
    const { top, bottom } = each.getBoundingClientRect()
    return bottom > 0 && top < innerHeight
  })

const allDrawn = async (page: Page, count: number) => {
  await expect.poll(() => page.locator(CARDS).count()).toBe(count)
  return await picturesOf(page)
}

test('a board draws the cards of the first screen, then the others, and nothing that is seen moves', async () => {
  const { page, go } = await signInWatched()
  const count = await total()
  expect(count).toBeGreaterThan(14)
  await go(PARTNERS)
  const pictures = await allDrawn(page, count)
  expect(pictures.map(({ cards }) => cards)).toEqual(pictures.map(({ cards }) => cards).toSorted((a, b) => a - b))
  expect(pictures[0]?.cards).toBe(7)
  expect(new Set(pictures.map(({ first }) => first)).size).toBe(1)
})

test('a board one comes back to is where it was, with all its cards at once', async () => {
  const { page, go } = await signInWatched()
  const count = await total()
  await go(PARTNERS)
  await allDrawn(page, count)
  const last = page.locator(CARDS).last().getByRole('link').first()
  await last.focus()
  await last.scrollIntoViewIfNeeded()
  const id = await page.locator(CARDS).last().getAttribute('data-card')
  await page.keyboard.press('Enter')
  await page.waitForURL(/view_type=form/)
  await page.locator(CARDS).first().waitFor({ state: 'detached' })
  await forget(page)
  await page.goBack()
  const [picture] = await allDrawn(page, count)
  expect(picture?.cards).toBe(count)
  await expect.poll(() => isSeen(last)).toBe(true)
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-focus'))).toBe(`card-${id}`)
})

test('a board whose first cards would leave room has more at once', async () => {
  const { services } = client.modules()
  // Makes the cards as low as possible: only a name and a picture.
  await sql`update core_partner set email = null, phone = null, city = null, country_id = null, function = null, parent_id = null`.execute(
    services.db,
  )
  const { page, go } = await client.signIn('admin', { viewport: { width: 1600, height: 1000 } })
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const grid = document.querySelector('.cardgrid')
      if (!grid) return
      observer.disconnect()
      // Reports the size of the grid in the first frame that has it.
      new IntersectionObserver(([entry], seen) => {
        Object.assign(window, { firstHeight: entry!.boundingClientRect.height })
        seen.disconnect()
      }).observe(grid)
    }).observe(document, { childList: true, subtree: true })
  })
  const count = await total()
  expect(count).toBeGreaterThan(40)
  await go(PARTNERS)
  await expect.poll(() => page.locator(CARDS).count()).toBe(count)
  const room = await page.locator('[data-scroll=board]').evaluate((board) => board.clientHeight)
  const first = await page.evaluate(() => (window as unknown as { readonly firstHeight: number }).firstHeight)
  expect(first).toBeGreaterThan(room)
})
