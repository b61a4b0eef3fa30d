import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { RESTING_VIEW, type SignedIn, useClient } from './fixture.ts'
import { callAs } from './two-people.ts'

/** Records that others take away from what one looks at: they stay where they are until that is seen. */
const client = useClient()
let own: SignedIn
let seller: SignedIn
/** A second session of the administrator, who may delete. */
let remover: SignedIn
let page: Page

beforeAll(async () => {
  own = await client.signIn()
  page = own.page
  seller = await client.signIn('seller')
  remover = await client.signIn()
  await seller.go(RESTING_VIEW)
  await remover.go(RESTING_VIEW)
  await own.go(RESTING_VIEW)
})
afterAll(async () => {
  for (const { complaints, page } of [own, seller, remover]) {
    expect(complaints).toEqual([])
    await page.context().close()
  }
})
beforeEach(async () => {
  await page.mouse.move(2, 2)
  if (!page.url().endsWith(RESTING_VIEW)) await own.follow(RESTING_VIEW)
})

const call = <T = true>(method: string, ...args: readonly unknown[]) =>
  callAs<T>(method === 'unlink' ? remover : seller, 'crm.lead', method, args)
/** Leads of one stage, worth 100 each, found by the name. */
async function leads(name: string): Promise<readonly number[]> {
  const found: number[] = []
  for (const at of [1, 2, 3])
    found.push(await call<number>('create', { name: `${name} ${at}`, type: 'opportunity', expected_revenue: 100 }))
  return found
}
const chip = () => page.locator('.chip.updates')
const card = (id: number) => page.locator(`[data-card="${id}"]`)
const row = (id: number) => page.locator(`.gr[data-id="${id}"]`)
/** What left the view goes after a moment; where motion is reduced, at the next key press. */
const goes = (what: Locator) =>
  expect
    .poll(async () => {
      await page.keyboard.press('Shift')
      return what.count()
    })
    .toBe(0)
const topOf = (id: number) => card(id).evaluate((each) => Math.round(each.getBoundingClientRect().top))

describe('a board', () => {
  /** Their cards, from the top of the column. */
  const open = async (name: string) => {
    const ids = await leads(name)
    await own.follow(`/web?model=crm.lead&view_type=kanban&q=${name}`)
    for (const id of ids) await card(id).waitFor()
    const shown = await page
      .locator('[data-card]')
      .evaluateAll((all) => all.map((each) => Number(each.getAttribute('data-card'))))
    return shown as [number, number, number]
  }

  test('keeps a card that another user deletes in a column under the pointer, with a mark, until updates are shown', async () => {
    const [first, second] = await open('Teasel')
    await card(second).hover()
    const before = await topOf(second)
    await call('unlink', [first])
    await chip().getByText('1 update').waitFor()
    await card(first).locator('.flag', { hasText: 'deleted this' }).waitFor()
    expect(await topOf(second)).toBe(before)
    expect(await card(first).getByRole('button').count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('r')
    await card(first).waitFor({ state: 'detached' })
    await expect.poll(() => chip().count()).toBe(0)
  })

  test('keeps a card that leaves it for a moment, also without the pointer over it', async () => {
    const [first, second] = await open('Yarrow')
    await call('write', [first], { active: false })
    await chip().getByText('1 update').waitFor()
    expect(await card(first).count()).toBe(1)
    await goes(card(first))
    expect(await card(second).count()).toBe(1)
  })

  test('shows a note as tall as the card that another user moved, so that cards below it stay', async () => {
    const [first, second] = await open('Tansy')
    const stages = await callAs<{ id: number; name: string }[]>(seller, 'crm.stage', 'search_read', [[], ['name']])
    const before = await topOf(second)
    await call('write', [first], { stage_id: stages[2]!.id })
    await page.locator('.card.moved-away').waitFor()
    expect(await topOf(second)).toBe(before)
  })
})

describe('a list', () => {
  const foot = () => page.locator('.gf').textContent()
  const pager = () => page.locator('.pager').textContent()

  test('counts and sums the remaining records while a row waits, and offers rows that leave also without the pointer over it', async () => {
    const [first, second, third] = (await leads('Burdock')) as [number, number, number]
    await own.follow('/web?model=crm.lead&view_type=list&filter=&q=Burdock')
    await expect.poll(foot).toMatch(/3 leads.*300/)
    await row(third).hover()
    await call('unlink', [first])
    await chip().getByText('1 update').waitFor()
    await expect.poll(foot).toMatch(/2 leads.*200/)
    await expect.poll(pager).toMatch(/2 of 2/)
    expect(await row(first).getAttribute('class')).toContain('gone')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('r')
    await row(first).waitFor({ state: 'detached' })
    await page.mouse.move(2, 2)
    await call('write', [second], { active: false })
    await chip().getByText('1 update').waitFor()
    await expect.poll(foot).toMatch(/1 lead.*100/)
    await expect.poll(pager).toMatch(/of 1/)
    expect(await row(second).count()).toBe(1)
    await goes(row(second))
    await expect.poll(() => chip().count()).toBe(0)
    await expect.poll(foot).toMatch(/1 lead.*100/)
  })

  test('marks what changed and who changed it, so that both are seen in the tint of the row', async () => {
    const [first, second] = (await leads('Sedge')) as [number, number, number]
    await own.follow('/web?model=crm.lead&view_type=list&filter=&q=Sedge')
    await row(first).waitFor()
    await call('write', [first], { expected_revenue: 700 })
    await row(first).locator('.gc.changed').waitFor()
    // The tint as it begins, which fades at once here.
    const colours = await row(first).evaluate((each) => {
      each.style.animationDuration = '1000s'
      const colour = (of: Element) => getComputedStyle(of).backgroundColor
      return [colour(each), colour(each.querySelector('.changed')!)]
    })
    expect(colours[0]).not.toBe(colours[1])
    expect(
      await row(first)
        .locator('.end .av')
        .evaluate((each) => getComputedStyle(each).outlineStyle),
    ).toBe('solid')
    await row(second).hover()
    await call('unlink', [second])
    const end = row(second).locator('.end')
    await end.locator('.i').waitFor()
    expect(await end.evaluate((each) => getComputedStyle(each).textDecorationLine)).toBe('none')
    const apart = await end.evaluate((each) => {
      const [face, icon] = [each.querySelector('.av')!, each.querySelector('.i')!].map((one) =>
        one.getBoundingClientRect(),
      )
      return icon!.left - face!.right
    })
    expect(apart).toBeGreaterThanOrEqual(4)
  })

  test('on a phone offers updates without cutting the tabs of the views', async () => {
    const size = page.viewportSize()!
    const [first] = (await leads('Comfrey')) as [number, number, number]
    await own.follow('/web?model=crm.lead&view_type=list&filter=&q=Comfrey')
    await page.setViewportSize({ width: 390, height: 844 })
    await row(first).waitFor()
    const tabs = page.getByRole('navigation', { name: 'View' })
    const widthOfTabs = () => tabs.evaluate((each) => each.clientWidth)
    const before = await widthOfTabs()
    await call('unlink', [first])
    await chip().waitFor()
    expect(await widthOfTabs()).toBe(before)
    expect(await findViolations(page)).toEqual([])
    const isOnTop = (each: Element) => {
      const { left, top, width, height } = each.getBoundingClientRect()
      return each.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    }
    expect(await chip().evaluate(isOnTop)).toBe(true)
    await goes(row(first))
    await page.setViewportSize(size)
  })
})
