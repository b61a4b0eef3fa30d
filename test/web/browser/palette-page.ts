import type { Page } from 'playwright-core'
import { expect } from 'vitest'

export const input = (page: Page) => page.locator('dialog.palette input')
export const options = (page: Page) => page.getByRole('listbox', { name: 'Results' }).getByRole('option')
export const told = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

/** Opens the palette and waits until it takes keys. */
export async function open(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await input(page).waitFor()
}

/** Types a text and waits until the first entry is the one that starts with `first`. */
export async function type(page: Page, text: string, first: string): Promise<void> {
  await input(page).fill(text)
  await expect.poll(() => options(page).first().textContent()).toMatch(new RegExp(`^${first}`))
}
