import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Of a theme: contrast is all that depends on it, so the other rules need one theme only. */
const OF_A_THEME = ['color-contrast']

/** What axe finds wrong on a page (WCAG 2.2 A and AA): the rule, and where. In the dark theme only what depends on it. */
export async function findViolations(page: Page, theme: 'light' | 'dark' = 'light'): Promise<readonly string[]> {
  // Evaluated by the debugger, which the page's content policy does not bind.
  await page.evaluate(`${source};undefined`)
  return page.evaluate(
    async (rules) => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
      const { violations } = await axe.run(document, { runOnly: rules })
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
    },
    theme === 'light' ? ALL : OF_A_THEME,
  )
}
