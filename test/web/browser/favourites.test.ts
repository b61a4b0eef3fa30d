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
    const { page, go, handOn, complaints } = await client.signIn()
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
    await handOn()
  },
)

test('a favourite keeps its look over other views, and is marked only while the view shows what it says', async () => {
  const { page, go, handOn } = await client.signIn()
  const isMarked = async () => {
    await allLoaded(page)
    await page.getByRole('button', { name: 'Favourites' }).click()
    const item = page.locator('[role^=menuitem]').filter({ hasText: 'My parts' }).first()
    const marked = await item.getAttribute('aria-checked')
    const isReplaceable = await page.getByText('Replace “My parts” by this search').isVisible()
    await page.keyboard.press('Escape')
    return [marked, isReplaceable]
  }
  const tab = (name: string) => page.getByRole('navigation', { name: 'View' }).getByRole('link', { name }).click()
  await go('/web?model=sale.order&view_type=graph&filter=#chart=pie&measure=__count&group=state')
  const before = await shown(page)
  await choose(page, 'Save this search…')
  await page.getByLabel('Name').fill('My parts')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Search saved').waitFor()

  await tab('List')
  await expect.poll(() => page.url()).toContain('view_type=list')
  expect(await isMarked()).toEqual(['true', true])
  await tab('Graph')
  await expect.poll(() => page.url()).toContain('view_type=graph')
  expect(await shown(page)).toBe(before)
  expect(await isMarked()).toEqual(['true', true])

  await page.getByRole('button', { name: 'Line' }).click()
  expect(await isMarked()).toEqual(['false', true])
  await choose(page, 'My parts')
  await expect.poll(() => page.url()).toContain('chart=pie')
  expect(await isMarked()).toEqual(['true', true])
  await choose(page, 'Delete “My parts”')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => page.url()).not.toContain('fav=')
  await handOn()
})

test('an ordinary user saves searches of the menus and pins their views, like an administrator', async () => {
  const { page, go, handOn, complaints } = await client.signIn('seller')
  await go('/web?model=sale.order&view_type=list')
  await page.locator('.side-nav').getByRole('link', { name: 'Quotations' }).click()
  await expect.poll(() => page.url()).toContain('action=')
  await allLoaded(page)
  await choose(page, 'Save this search…')
  await page.getByLabel('Name').fill('Of my own')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Search saved').waitFor()
  await expect.poll(() => page.url()).toContain('fav=')
  await choose(page, 'Pin to dashboard…')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name of the dashboard').fill('My board')
  await dialog.getByRole('button', { name: 'Pin' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.locator('.toast').filter({ hasText: 'Pinned' }).waitFor()
  expect(complaints).toEqual([])
  await handOn()
})
