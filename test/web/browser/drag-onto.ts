import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Drags something by mouse and lets it go once the page shows by `over` that it would be dropped there. The pointer moves until then,
 * as a hand does: a page that is busy misses single moves.
 */
export async function dragOnto(page: Page, from: Locator, to: Locator, over: Locator): Promise<void> {
  await from.hover()
  await page.mouse.down()
  let moves = 0
  await expect
    .poll(async () => {
      const box = (await to.boundingBox())!
      await page.mouse.move(box.x + box.width / 2 + (moves++ % 3), box.y + box.height / 2, { steps: 3 })
      return over.count()
    })
    .toBeGreaterThan(0)
  await page.mouse.up()
}
