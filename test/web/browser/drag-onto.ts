import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Where in the target the pointer is held. */
type Part = 'middle' | 'top'

/**
 * Drags something by mouse until the page shows by `over` that it would be dropped there. The pointer moves until then, as a hand does: a
 * page that is busy misses single moves, and what loads meanwhile moves the target.
 */
export async function dragOver(page: Page, from: Locator, to: Locator, over: Locator, part: Part = 'middle') {
  await from.hover()
  await page.mouse.down()
  let moves = 0
  await expect
    .poll(async () => {
      const box = (await to.boundingBox())!
      const y = part === 'top' ? box.y + 8 : box.y + box.height / 2
      await page.mouse.move(box.x + box.width / 2 + (moves++ % 3), y, { steps: 3 })
      return over.count()
    })
    .toBeGreaterThan(0)
}

/** The same, and lets it go there. */
export async function dragOnto(page: Page, from: Locator, to: Locator, over: Locator): Promise<void> {
  await dragOver(page, from, to, over)
  await page.mouse.up()
}
