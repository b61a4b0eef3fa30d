import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { create, createPartner, find, open, partnerForm, read, useForms } from './form-page.ts'

useForms()
const soon = expect.poll

const NEW_ORDER = '/web?model=sale.order&view_type=form'

describe('a link to a record', () => {
  test('is chosen among names with what tells them apart', async () => {
    const { page, field } = await open(NEW_ORDER)
    await field('Customer').click()
    await page.keyboard.type('Aino')
    const option = page.getByRole('option', { name: 'Aino Korhonen', exact: true })
    await option.waitFor()
    expect(await option.textContent()).toBe('Aino KorhonenNorthern Loom Works, Manchester')
    expect(await findViolations(page)).toEqual([])
    await option.click()
    await soon(() => field('Customer').inputValue()).toBe('Aino Korhonen')
  })

  test('is chosen from all of them in a dialog, by keys: searched, marked, taken; Escape leaves the field as it was', async () => {
    const { page, field, saveBar } = await open(NEW_ORDER)
    await field('Customer').click()
    await page.getByRole('option', { name: 'Show all…' }).waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Customer' })
    const rows = dialog.getByRole('option')
    // Further ones come when one scrolls.
    await soon(() => rows.count()).toBe(80)
    expect(await dialog.getByRole('button', { name: 'New…' }).count()).toBe(1)
    expect(await findViolations(page)).toEqual([])
    const total = Number(/\d+/.exec((await dialog.getByRole('status').textContent()) ?? '')?.[0])
    await rows.last().scrollIntoViewIfNeeded()
    await soon(() => rows.count()).toBe(total)

    await page.keyboard.type('loom')
    await soon(() => rows.first().textContent()).toContain('Loom')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await field('Customer').inputValue()).toBe('')

    await field('Customer').click()
    await page.getByRole('option', { name: 'Show all…' }).click()
    await page.keyboard.type('studio')
    await allLoaded(page)
    const names = await rows.allTextContents()
    expect(names.length).toBeGreaterThan(1)
    expect(names.filter((text) => !/studio/i.test(text))).toEqual([])
    await page.keyboard.press('ArrowDown')
    const chosen = await rows.nth(1).locator('.cut').first().textContent()
    await page.keyboard.press('Enter')
    await soon(() => field('Customer').inputValue()).toBe(chosen)
    await saveBar.waitFor()
  })

  test('among several leaves out those that are there already', async () => {
    const { page, field } = await open('/web?model=project.task&view_type=form')
    const assignees = field('Assignees')
    await assignees.click()
    const first = page.getByRole('option').first()
    await first.waitFor()
    const name = await first.locator('.cut').first().textContent()
    await first.click()
    await page.locator('.tag', { hasText: name! }).waitFor()
    await assignees.click()
    await page.getByRole('option').first().waitFor()
    expect(await page.getByRole('option', { name: name!, exact: true }).count()).toBe(0)
  })
})

describe('what is wider than the window', () => {
  test('of a list is scrolled behind the column that names the rows', async () => {
    const { page } = await open('/web?model=core.partner&view_type=list', 'admin', {
      viewport: { width: 760, height: 600 },
    })
    const parts = [page.locator('.gh .gc').nth(1), page.locator('.gb .gr .gc').nth(1), page.locator('.gf .gc').nth(1)]
    const lefts = () => Promise.all(parts.map(async (part) => Math.round((await part.boundingBox())!.x)))
    const before = await lefts()
    const moved = page.locator('.gh .gc').nth(2)
    const [from] = [await moved.boundingBox()]
    await page.locator('.scroll.list').evaluate((box) => box.scrollTo({ left: 100 }))
    await soon(async () => (await moved.boundingBox())!.x).toBe(from!.x - 100)
    // They begin after the padding of the row, and stay at the edge.
    expect(await lefts()).toEqual(before.map((left) => left - 8))
  })

  test('of the way here is cut, and nothing of the bar lies above anything else', async () => {
    const { page, follow } = await open('/web?model=sale.order&view_type=list')
    for (let at = 0; at < 5; at++) {
      const name = `A customer of quite a long name, number ${at}`
      await follow(`/web?model=core.partner&view_type=form&id=${await createPartner({ name })}`)
      await page.getByRole('heading', { name }).waitFor()
    }
    const [more, tabs] = [page.locator('.topbar').getByLabel('More actions'), page.locator('.topbar .end')]
    const [left, right] = [await more.boundingBox(), await tabs.boundingBox()]
    expect(left!.x + left!.width).toBeLessThanOrEqual(right!.x)
    await more.click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
  })
})

describe('lines', () => {
  const names = (page: Page) => page.locator('[data-line] [data-field=product_id], [data-line] [data-field=name]')

  test('are sorted by a heading, up and down; where they have an order of their own, that is saved', async () => {
    const third = [
      ['order_id.state', '=', 'draft'],
      ['company_id', '=', 1],
      ['sequence', '=', 30],
    ]
    const [order] = (await read('sale.order.line', await find('sale.order.line', third), ['order_id']))['order_id'] as [
      number,
    ]
    const { page, saveBar } = await open(`/web?model=sale.order&view_type=form&id=${order}`)
    const cells = page.locator('[data-line] [data-field=product_id]')
    await soon(async () => (await cells.allTextContents()).filter((text) => text !== '').length).toBeGreaterThan(2)
    const before = await cells.allTextContents()
    const heading = page.getByRole('columnheader', { name: 'Product' })
    await heading.getByRole('button').click()
    const sorted = before.toSorted((a, b) => a.localeCompare(b))
    await soon(() => cells.allTextContents()).toEqual(sorted)
    expect(await heading.getAttribute('aria-sort')).toBe('ascending')
    // One stop of Tab for all headings; arrows go from one to the next.
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await soon(() => cells.allTextContents()).toEqual(sorted.toReversed())
    expect(await heading.getAttribute('aria-sort')).toBe('descending')
    await page.keyboard.press('Control+s')
    await saveBar.waitFor({ state: 'detached' })
    await page.reload()
    await soon(() => cells.allTextContents()).toEqual(sorted.toReversed())
  })

  test('without an order of their own are only looked at in another one', async () => {
    const id = await createPartner({ name: 'Sorted Ltd', is_company: true })
    for (const name of ['Berta', 'Anton', 'Cesar']) await createPartner({ name, parent_id: id })
    const { page, saveBar } = await open(partnerForm(id))
    await page.getByRole('tab', { name: /Contacts/ }).click()
    await soon(() => names(page).allTextContents()).toHaveLength(3)
    const heading = page.getByRole('columnheader', { name: 'Name' }).getByRole('button')
    await heading.click()
    await soon(() => names(page).allTextContents()).toEqual(['Anton', 'Berta', 'Cesar'])
    await heading.click()
    await soon(() => names(page).allTextContents()).toEqual(['Cesar', 'Berta', 'Anton'])
    expect(await saveBar.count()).toBe(0)
  })
})

describe('what a record is, is seen at a glance', () => {
  test('each state of an order has an icon of its own', async () => {
    const { page } = await open('/web?model=sale.order&view_type=kanban#group=state')
    await page.locator('.card .state').first().waitFor()
    const icons = () =>
      page.locator('.card .state').evaluateAll((all) => {
        const pairs = all.map((each) => [each.textContent, each.querySelector('use')?.getAttribute('href')])
        return [...new Map(pairs.map(([label, icon]) => [label, icon])).values()]
      })
    await soon(async () => (await icons()).length).toBe(5)
    expect(new Set(await icons()).size).toBe(5)
    expect(await icons()).not.toContain(undefined)
  })

  test('a card shows the face and the name of each who is to do it', async () => {
    const { page } = await open('/web?model=project.task&view_type=kanban')
    const card = page
      .locator('[data-card]')
      .filter({ has: page.locator('.av') })
      .first()
    await card.waitFor()
    const names = await card
      .locator('.av')
      .evaluateAll((all) => all.map((face) => face.ariaLabel ?? face.dataset['tip']))
    const { user_ids: ids } = await read('project.task', Number(await card.getAttribute('data-card')), ['user_ids'])
    const wanted = await Promise.all(
      (ids as number[]).map(async (id) => (await read('core.user', id, ['name']))['name']),
    )
    expect(wanted.length).toBeGreaterThan(0)
    expect(names.sort()).toEqual(wanted.sort())
  })

  test('tags that do not fit into a cell are counted, and named by a hint', async () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'six'].map((each) => `Fitting tag ${each}`)
    const tag_ids = await Promise.all(names.map((name) => create('core.tag', { name })))
    await createPartner({ name: 'Tagged Ltd', tag_ids })
    const { page } = await open('/web?model=core.partner&view_type=list&q=Tagged')
    const tags = page.locator('.gb .taglist[data-more]')
    await tags.waitFor()
    const shown = await tags.evaluate(({ children }) => {
      const tops = [...children].map((tag) => (tag as HTMLElement).offsetTop)
      return tops.filter((top) => top === tops[0]).length
    })
    expect(await tags.getAttribute('data-more')).toBe(`+${names.length - shown}`)
    for (const name of names) expect(await tags.getAttribute('data-tip')).toContain(name)
  })

  test('a product has its picture in its card and in its form', async () => {
    const id = await find('product.product', [['code', '=', 'CHR-100']])
    const { page, follow } = await open('/web?model=product.product&view_type=kanban&q=CHR-100')
    const widthIn = (place: string) =>
      page.locator(`${place} .imagefield img`).evaluate((img) => (img as HTMLImageElement).naturalWidth)
    expect(await widthIn(`[data-card="${id}"]`)).toBe(72)
    await follow(`/web?model=product.product&view_type=form&id=${id}`)
    expect(await widthIn('.sheet')).toBe(72)
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove the picture' }).press('Enter')
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await expect.poll(focused).toBe('Add a picture')
  })
})
