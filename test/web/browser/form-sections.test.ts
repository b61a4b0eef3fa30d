import { expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { find, open, read, useForms, write } from './form-page.ts'

useForms()
const soon = expect.poll

const DRAFT = [
  ['state', '=', 'draft'],
  ['company_id', '=', 1],
]

/** The form of a draft that has only these lines. */
async function openOrder(lines: readonly object[], ...rest: [options?: object]) {
  const id = await find('sale.order', DRAFT)
  const line_ids = lines.map((line, i) => [0, 0, { sequence: (i + 1) * 10, ...line }])
  const { line_ids: before } = await read('sale.order', id, ['line_ids'])
  await write('sale.order', id, { line_ids: [...(before as number[]).map((line) => [2, line]), ...line_ids] })
  const opened = await open(`/web?model=sale.order&view_type=form&id=${id}`, 'admin', rest[0])
  const { page } = opened
  const rows = page.locator('.lines [data-line]')
  await soon(() => rows.count()).toBe(lines.length)
  return {
    ...opened,
    id,
    rows,
    section: (name: string) => page.locator('.lines .gr.kind-section', { hasText: name }),
    save: async () => {
      await page.keyboard.press('Control+s')
      await opened.saveBar.waitFor({ state: 'detached' })
    },
    stored: async () => {
      const { line_ids: ids } = await read('sale.order', id, ['line_ids'])
      const all = await Promise.all(
        (ids as number[]).map((line) => read('sale.order.line', line, ['display_type', 'name', 'quantity'])),
      )
      return all.map(({ display_type, name, quantity }) => [display_type, name, quantity])
    },
  }
}

const DESK = { name: 'Desk', quantity: 2, price_unit: 300 }
const CHAIR = { name: 'Chair', quantity: 4, price_unit: 50 }

test('a section is added and moved by mouse, and shows what the lines below it come to', async () => {
  const { page, button, section, rows, save, stored } = await openOrder([DESK, CHAIR])
  await button('Add section').click()
  await page.keyboard.type('Ground floor')
  // Enter begins an ordinary line, which is removed when a note is added instead; the button stays under the pointer.
  await page.keyboard.press('Enter')
  await soon(() => rows.count()).toBe(4)
  await button('Add note').click()
  await soon(() => rows.last().locator('textarea').count()).toBe(1)
  await page.keyboard.type('By ship')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('and by train')
  await soon(() => section('').locator('[data-m=amount]').textContent()).toContain('0.00')
  // To the top, by its handle.
  const handle = rows.nth(2).locator('.handle button')
  await rows.nth(2).hover()
  const [from, to] = [(await handle.boundingBox())!, (await rows.nth(0).boundingBox())!]
  await page.mouse.move(from.x + 8, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, to.y + to.height + 4, { steps: 4 })
  await page.mouse.move(from.x + 8, to.y + 4, { steps: 4 })
  await page.mouse.up()
  await soon(() => section('Ground floor').locator('[data-m=amount]').textContent()).toContain('800.00')
  await allLoaded(page)
  await save()
  expect(await stored()).toEqual([
    ['section', 'Ground floor', 0],
    [null, 'Desk', 2],
    [null, 'Chair', 4],
    ['note', 'By ship\nand by train', 0],
  ])
  expect(await findViolations(page)).toEqual([])
})

test('sections and notes are made, moved and removed by keys alone', async () => {
  const { page, button, rows, section, save, stored } = await openOrder([DESK])
  await button('Add section').press('Enter')
  await page.keyboard.type('First floor')
  // Enter goes on with an ordinary line.
  await page.keyboard.press('Enter')
  await soon(() => rows.nth(2).locator('[data-field=product_id] input').count()).toBe(1)
  await page.keyboard.press('Escape')
  await soon(() => rows.count()).toBe(2)
  await soon(() => rows.nth(1).evaluate((row) => row === document.activeElement)).toBe(true)
  await page.keyboard.press('Tab')
  await soon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Move First floor')
  await page.keyboard.press('ArrowUp')
  await soon(() => section('First floor').locator('[data-m=amount]').textContent()).toContain('600.00')
  await button('Add note').press('Enter')
  await page.keyboard.press('Escape')
  // Nothing was typed, so nothing stays.
  await soon(() => rows.count()).toBe(2)
  await save()
  expect(await stored()).toEqual([
    ['section', 'First floor', 0],
    [null, 'Desk', 2],
  ])
  await rows.nth(0).focus()
  await page.keyboard.press('Delete')
  await save()
  expect(await stored()).toEqual([[null, 'Desk', 2]])
  // What is discarded leaves the focus in the list.
  await button('Add section').press('Enter')
  await page.keyboard.type('Attic')
  await page.keyboard.press('Escape')
  await soon(() => rows.nth(1).evaluate((row) => row === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await soon(() => rows.count()).toBe(1)
  await soon(() => rows.nth(0).evaluate((row) => row === document.activeElement)).toBe(true)
})

test('a line that its button removes leaves the focus on its neighbour, and the last one on what adds lines', async () => {
  const { page, rows } = await openOrder([DESK, CHAIR])
  const removal = (row: number) => rows.nth(row).getByRole('button', { name: /^Remove/ })
  await removal(0).press('Enter')
  await soon(() => rows.count()).toBe(1)
  await soon(() => rows.nth(0).evaluate((row) => row === document.activeElement)).toBe(true)
  await removal(0).press('Enter')
  await soon(() => rows.count()).toBe(0)
  await soon(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Add line')
})

test('what is changed while a save still loads the lines again is saved by the next Ctrl+S', async () => {
  const { page, rows, save, stored, field, saveBar } = await openOrder([DESK, CHAIR])
  let letLoad = () => {}
  const mayLoad = new Promise<void>((resolve) => {
    letLoad = resolve
  })
  let isHeld = false
  await page.route('**/api/rpc', async (route) => {
    const { model, method } = route.request().postDataJSON()
    if (model === 'sale.order.line' && method === 'read') {
      isHeld = true
      await mayLoad
    }
    await route.fallback()
  })
  await field('Customer Reference').fill('PO 4712')
  await save()
  await soon(() => isHeld).toBe(true)
  await rows.nth(0).focus()
  await page.keyboard.press('Delete')
  await saveBar.waitFor()
  await page.keyboard.press('Control+s')
  letLoad()
  await saveBar.waitFor({ state: 'detached' })
  expect(await stored()).toEqual([[null, 'Chair', 4]])
  await page.unroute('**/api/rpc')
})

test('the heading of a column sorts the lines within their sections', async () => {
  const lines = [DESK, CHAIR, { display_type: 'section', name: 'Extras' }, DESK, CHAIR]
  const { page, rows } = await openOrder(lines)
  // The tab counts what is sold.
  await soon(() => page.getByRole('tab', { name: /^Order Lines/ }).textContent()).toBe('Order Lines4')
  await page.getByRole('columnheader', { name: 'Quantity' }).getByRole('button').click()
  await page.getByRole('columnheader', { name: 'Description' }).getByRole('button').click()
  await soon(() => rows.locator('[data-field=name]').allTextContents()).toEqual([
    'Chair',
    'Desk',
    'Extras',
    'Chair',
    'Desk',
  ])
})

test('on a phone a section is a heading with its sum, a note a text', async () => {
  const lines = [
    { display_type: 'section', name: 'Ground floor' },
    DESK,
    { display_type: 'note', name: 'A long note that says how everything is carried up and who opens the door.' },
  ]
  const { page, rows, section } = await openOrder(lines, { viewport: { width: 390, height: 844 } })
  const [heading, amount] = await Promise.all(
    ['title', 'amount'].map((part) => section('Ground floor').locator(`[data-m=${part}]`).boundingBox()),
  )
  expect(amount!.x).toBeGreaterThan(heading!.x + heading!.width - 1)
  expect(amount!.x + amount!.width).toBeLessThanOrEqual(390)
  const note = (await rows.nth(2).locator('[data-m=title]').boundingBox())!
  expect(note.height).toBeGreaterThan(30)
  expect(await findViolations(page)).toEqual([])
})

test('an order that may not change shows them without buttons', async () => {
  const lines = [{ display_type: 'section', name: 'Ground floor' }, DESK]
  const { page, id, section, button } = await openOrder(lines)
  await write('sale.order', id, { state: 'done' })
  await page.reload()
  await soon(() => section('Ground floor').locator('[data-m=amount]').textContent()).toContain('600.00')
  expect(await button('Add section').count()).toBe(0)
})
