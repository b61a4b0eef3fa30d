import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { ElementHandle, Locator, Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Only contrast depends on the theme, so the other rules are checked in one theme only. */
const OF_A_THEME = ['color-contrast']

/** Rows and cards that are like those above them: the eleventh row of a list, the sixth card of a column, and so on. */
const REPEATS = '.gb > [role=row]:nth-child(n + 11), .col [data-card]:nth-child(n + 6)'

/**
 * What axe finds wrong on a page (WCAG 2.2 A and AA), in the light theme and in the dark one: the rule, and where. With a place it is
 * only what is in it: for something new on a page that was looked at without it. Under a modal dialog nobody reaches the page, which is
 * looked at elsewhere: then only the dialog is.
 */
export async function findViolations(page: Page, place?: Locator): Promise<readonly string[]> {
  // Evaluated by the debugger, which the page's content policy does not bind. No result quotes the page, which would cost its whole text.
  if (!(await page.evaluate(() => 'axe' in globalThis)))
    await page.evaluate(`${source};axe.configure({ noHtml: true })`)
  const part = place ? await place.elementHandle() : null
  const light = await runRules(page, part, ALL)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await runRules(page, part, OF_A_THEME)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((violation) => `dark: ${violation}`)]
}

const runRules = (page: Page, part: ElementHandle | null, rules: readonly string[]): Promise<string[]> =>
  page.evaluate(
    async ({ part, runOnly, repeats }) => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
      const place = (part as Element | null) ?? [...document.querySelectorAll('dialog:modal')].at(-1) ?? document
      const context = { include: [place], exclude: [...place.querySelectorAll(repeats)] }
      // Each of the other results would get a selector of its own, which nobody reads; the styles are those of the page.
      const { violations } = await axe.run(context, { runOnly, resultTypes: ['violations'], preload: false })
      return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
    },
    { part, runOnly: [...rules], repeats: REPEATS },
  )
