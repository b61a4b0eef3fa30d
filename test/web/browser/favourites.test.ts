import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { useClient } from './fixture.ts'

const client = useClient()

const shown = async (page: Page): Promise<string> => {
  await allLoaded(page)
  return (await page.locator('main').textContent()) ?? ''
}

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Favourites' }).click()
  await page.locator('[role^=menuitem]').filter({ hasText: item }).first().click()
}

test.each([
  ['graph', 'sale.order', 'chart=line&measure=__count&group=state'],
  ['pivot', 'sale.order', 'group=state&cols=none&measures=__count'],
  ['cohort', 'sale.order', 'interval=week&mode=churn&measure=__count'],
  ['calendar', 'project.task', 'scale=week'],
  ['gantt', 'project.task', 'scale=quarter&group=stage_id'],
  ['map', 'core.partner', ''],
])(
  'a favourite of a %s brings its search and its look back, also when it opens by itself',
  async (kind, model, look) => {
    const { page, go, release, complaints } = await client.signIn()
    const plain = `/web?model=${model}&view_type=${kind}`
    await go(`${plain}&filter=&q=a#${look}`)
    const before = await shown(page)
    await choose(page, 'Save this search…')
    await page.getByLabel('Name').fill(`My ${kind}`)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Search saved').waitFor()

    await go(`${plain}&filter=#chart=pie&interval=year`)
    await choose(page, `My ${kind}`)
    await expect.poll(() => page.url()).toContain('fav=')
    expect(await shown(page)).toBe(before)

    await choose(page, `Open with “My ${kind}”`)
    await page.getByText('Search saved').waitFor()
    await go(plain)
    await expect.poll(() => page.url()).toContain('fav=')
    expect(await shown(page)).toBe(before)

    await choose(page, `Delete “My ${kind}”`)
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => page.url()).not.toContain('fav=')
    expect(complaints).toEqual([])
    await release()
  },
)
