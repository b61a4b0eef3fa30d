import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { type SignedIn, useClient } from './fixture.ts'

/** Under load a page takes longer. */
const client = useClient()
const opened: SignedIn[] = []

afterEach(async () => {
  for (const { page } of opened.splice(0)) await page.context().close()
})

async function open(address: string): Promise<SignedIn> {
  const signedIn = await client.signIn()
  opened.push(signedIn)
  await signedIn.go(address)
  return signedIn
}

const scrolled = (page: Page) => page.locator('.scroll.list').evaluate((list) => list.scrollTop)

/** What one sees of a list, whoever opens it. */
const picture = (page: Page) =>
  page.evaluate(() => ({
    address: location.pathname + location.search + location.hash,
    facets: [...document.querySelectorAll('.facet')].map((facet) => facet.textContent),
    heads: [...document.querySelectorAll('[aria-sort]')].map((head) => [
      head.textContent,
      head.getAttribute('aria-sort'),
    ]),
    foot: document.querySelector('.gf')?.textContent,
    rows: document.querySelector('[role=grid]')?.getAttribute('aria-rowcount'),
  }))

type Picture = Awaited<ReturnType<typeof picture>>

const looksLike = (page: Page, wanted: Picture) => expect.poll(() => picture(page)).toEqual(wanted)

describe('a list', () => {
  test('is as one left it: after a record and back, a reload, and in another tab', async () => {
    const { page, complaints } = await open('/web?model=core.partner&view_type=list&filter=')
    await page.getByRole('combobox', { name: 'Search records' }).fill('a')
    await page.keyboard.press('Enter')
    await page.waitForURL(/q=a/)
    await page.getByRole('columnheader', { name: 'City', exact: true }).getByRole('button').click()
    await page.waitForURL(/sort=city/)
    await expect.poll(() => page.locator('[aria-sort=ascending]').count()).toBe(1)
    await page.locator('.scroll.list').evaluate((list) => list.scrollTo(0, 700))
    const row = page.locator('.gb > .gr[data-line="25"]').locator('a.main')
    const name = await row.textContent()
    await expect.poll(() => scrolled(page)).toBe(700)
    const before = await picture(page)

    await row.click()
    await expect.poll(() => page.locator('h1').textContent()).toBe(name)
    await page.goBack()
    await looksLike(page, before)
    await expect.poll(() => scrolled(page)).toBe(700)
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain(name)

    await page.goForward()
    await expect.poll(() => page.locator('h1').textContent()).toBe(name)
    await page.goBack()
    await expect.poll(() => scrolled(page)).toBe(700)

    await page.reload()
    await looksLike(page, before)
    await expect.poll(() => scrolled(page)).toBe(700)

    const other = await page.context().newPage()
    await other.goto(page.url())
    await looksLike(other, before)
    expect(complaints).toEqual([])
  })

  test('keeps groups, filters and the kind of view in its address', async () => {
    const { page } = await open('/web?model=crm.lead&view_type=list&filter=')
    await page.getByRole('button', { name: 'Group', exact: true }).click()
    await page.getByRole('menuitemcheckbox').first().click()
    await page.keyboard.press('Escape')
    await page.waitForURL(/#.*group=/)
    await allLoaded(page)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Won', exact: true }).click()
    await page.keyboard.press('Escape')
    await page.locator('.facet').nth(1).waitFor()
    // Whatever is won is certain: the sums are those of the filter.
    await expect.poll(() => page.locator('.gf').textContent()).toContain('100%')
    const before = await picture(page)

    await page.getByRole('link', { name: 'Kanban' }).click()
    await page.waitForURL(/view_type=kanban/)
    await page.goBack()
    await looksLike(page, before)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await looksLike(other, before)
    await page.goto('/web/home')
    await page.goBack()
    await looksLike(page, before)
  })

  test('comes back to the page one was on', async () => {
    const { page } = await open('/web?model=core.partner&view_type=list&filter=&offset=80')
    const row = page.locator('.gb > .gr[data-line="85"]').locator('a.main')
    const name = await row.textContent()
    const before = await scrolled(page)
    expect(before).toBeGreaterThan(1_000)
    await row.click()
    await expect.poll(() => page.locator('h1').textContent()).toBe(name)
    await page.goBack()
    await row.waitFor()
    await expect.poll(() => scrolled(page)).toBe(before)
    await expect.poll(() => page.url()).toContain('offset=80')
  })
})

describe('the first list', () => {
  test('waits for nine requests at most, each named by the page itself but the icons', async () => {
    const signedIn = await client.signIn()
    opened.push(signedIn)
    const { page, complaints } = signedIn
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    // Notes when the shell is first drawn: by then all that the list waits for has been asked for.
    await page.addInitScript({
      content: `new MutationObserver((_, observer) => {
        if (!document.querySelector('#app > *')) return
        observer.disconnect()
        window.drawnAt = performance.now()
      }).observe(document, { childList: true, subtree: true })`,
    })
    await page.goto('/web?model=core.partner&view_type=list')
    await page.locator('.gb a.main').first().waitFor()
    const waited = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ startTime }) => startTime < (window as unknown as { drawnAt: number }).drawnAt)
        .map(({ name }) => name),
    )
    expect(waited.length + 1, waited.join('\n')).toBeLessThanOrEqual(9)
    expect(asked.filter((url) => url.includes('/web/wc/workspace'))).toHaveLength(1)
    const named = await page
      .locator('link[href], script[src]')
      .evaluateAll((all) => all.map((each) => (each as HTMLLinkElement).href || (each as HTMLScriptElement).src))
    expect(waited.filter((url) => !named.includes(url) && !/icons-\w+\.svg/.test(url))).toEqual([])
    expect(complaints).toEqual([])
  })

  test('comes from files that browsers keep, and compressed', async () => {
    const { page } = await open('/web/home')
    const files = new Map<string, Record<string, string>>()
    page.on('response', async (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.startsWith('/web/static/')) files.set(pathname, response.headers())
    })
    await page.goto('/web?model=core.partner&view_type=list')
    await page.locator('.gb a.main').first().waitFor()
    expect(files.size).toBeGreaterThan(3)
    for (const [path, headers] of files) {
      expect(headers['cache-control'], path).toContain('immutable')
      if (!path.endsWith('.woff2')) expect(headers['content-encoding'], path).toMatch(/^(br|gzip)$/)
    }
  })
})
