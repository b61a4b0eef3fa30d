import { afterEach, describe, expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
const opened: SignedIn[] = []

afterEach(async () => {
  for (const signedIn of opened.splice(0)) await signedIn.handOn()
  // Columns are arranged for the user, in every browser.
  await client.modules().asSystem(async (env) => {
    const preferences = env.model('sys.preference')
    await preferences.unlink(await preferences.search([]))
  })
})

const arrangements = () =>
  client.modules().asSystem((env) => env.model('sys.preference').searchRead([], ['key', 'value']))

async function open(query: string, options = {}) {
  const signedIn = await client.signIn('admin', options)
  opened.push(signedIn)
  const { page } = signedIn
  await signedIn.go(`/web?view_type=list&${query}`)
  const rows = page.locator('.gb > .gr[data-id]')
  const row = (at: number) => page.locator(`.gb > .gr[data-line="${at}"]`)
  const head = (name: string) => page.getByRole('columnheader', { name, exact: true })
  const columnOf = async (name: string) => (await head(name).getAttribute('data-col')) ?? ''
  return {
    ...signedIn,
    rows,
    row,
    head,
    cell: async (at: number, column: string) => row(at).locator(`[data-col="${await columnOf(column)}"]`),
    values: async (column: string) =>
      page.locator(`.gb .gr[data-id] [data-col="${await columnOf(column)}"]`).allTextContents(),
    foot: page.locator('.gf'),
    bar: page.getByRole('toolbar', { name: 'Selection' }),
    button: (name: string | RegExp) => page.getByRole('button', { name, exact: true }),
    press: async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    },
    /** Line and column of the cell with the focus. */
    place: () =>
      page.evaluate(() => {
        const cell = document.activeElement?.closest<HTMLElement>('[data-col]')
        return [cell?.closest<HTMLElement>('[data-line]')?.dataset['line'], cell?.dataset['col']].map(Number)
      }),
  }
}

/** Records of a model that has few rules of its own. */
const createTags = (names: readonly string[]) =>
  client.modules().asSystem(async (env) => {
    for (const name of names) await env.model('crm.tag' as 'core.tag').create({ name })
  })

const countTags = (name: string) =>
  client.modules().asSystem((env) => env.model('crm.tag' as 'core.tag').search([['name', '=', name]]))

describe('a list', () => {
  test('shows rows, a head and totals that stay, and real links to the records', async () => {
    const { page, rows, foot, values, complaints } = await open('model=sale.order')
    const before = await page.locator('.gh').boundingBox()
    await expect.poll(() => page.locator('.gf').textContent()).toMatch(/\d+ sales orders[\s\S]*€[\d,.]+/i)
    for (const day of await values('Order Date')) expect(day).toMatch(/^\d+ \w+( \d{4})?$/)
    await page.locator('.scroll.list').evaluate((list) => list.scrollBy(0, 1_500))
    await expect.poll(() => rows.first().getAttribute('data-line').then(Number)).toBeGreaterThan(20)
    expect((await page.locator('.gh').boundingBox())?.y).toBe(before?.y)
    await expect.poll(() => foot.isVisible()).toBe(true)
    const link = rows.nth(8).locator('a.main')
    await expect.poll(() => link.getAttribute('href')).toMatch(/^\/web\?.*view_type=form.*&id=\d+$/)
    const [other] = await Promise.all([page.context().waitForEvent('page'), link.click({ button: 'middle' })])
    await expect.poll(() => other.url()).toContain('view_type=form')
    expect(complaints).toEqual([])
  })

  test('leaves the focus and the rows where they are when its switches arrive', async () => {
    const { page } = await open('model=core.currency')
    await page.getByRole('switch').first().waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
    await expect.poll(() => page.locator('.scroll.list').evaluate((list) => list.scrollTop)).toBe(0)
  })

  test('sorts by its heads, up, down and back, in the address', async () => {
    const { page, head, values } = await open('model=sale.order')
    const sort = head('Customer').getByRole('button')
    await sort.click()
    await page.waitForURL(/sort=partner_id/)
    await expect.poll(() => head('Customer').getAttribute('aria-sort')).toBe('ascending')
    const up = await values('Customer')
    expect(up).toEqual(up.toSorted((a, b) => a.localeCompare(b)))
    await sort.click()
    await page.waitForURL(/sort=-partner_id/)
    await expect.poll(async () => (await values('Customer'))[0]?.localeCompare(up[0] ?? '')).toBe(1)
    await sort.click()
    await page.waitForURL((url) => !url.searchParams.has('sort'))
  })

  test('of very many records stays as it is when they cannot be sorted by a column', async () => {
    const sentence = 'More than 200,000 records cannot be sorted by Customer. Filter them first.'
    const signedIn = await client.signIn('admin')
    opened.push(signedIn)
    const { page, complaints } = signedIn
    await page.route('**/web/wc/workspace?*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), listTotalExact: false } })
    })
    await page.route('**/api/rpc', async (route) => {
      const { kwargs } = route.request().postDataJSON()
      if (kwargs?.order !== 'partner_id') return route.continue()
      const details = { reason: 'order_too_costly' }
      await route.fulfill({
        status: 400,
        json: { ok: false, error: { code: 'BAD_REQUEST', message: sentence, details } },
      })
    })
    await signedIn.go('/web?view_type=list&model=sale.order')
    const head = page.getByRole('columnheader', { name: 'Customer', exact: true })
    await head.getByRole('button').click()
    await page.getByText(sentence).waitFor()
    expect(page.url()).not.toContain('sort=')
    await expect.poll(() => page.locator('.gb > .gr[data-id]').count()).toBeGreaterThan(5)
    await expect.poll(() => head.getAttribute('aria-sort')).toBe(null)
    await page.getByRole('columnheader', { name: 'Order Date', exact: true }).getByRole('button').click()
    await page.waitForURL(/sort=date_order/)
    expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
  })

  test('is walked by keyboard: cells, pages, ends, and the record under the cursor', async () => {
    const { page, press, place } = await open('model=sale.order')
    await press('ArrowDown')
    await expect.poll(() => place()).toEqual([0, 1])
    await press('ArrowDown', 'ArrowDown', 'ArrowRight')
    await expect.poll(() => place()).toEqual([2, 2])
    await press('Home')
    await expect.poll(() => place()).toEqual([2, 0])
    await press('End')
    await expect.poll(async () => (await place())[1]).toBeGreaterThan(4)
    await press('PageDown')
    await expect.poll(async () => (await place())[0]).toBeGreaterThan(12)
    await press('Control+Home', 'ArrowUp')
    await expect.poll(async () => (await place())[0]).toBe(-1)
    await press('ArrowDown', 'Enter')
    await page.waitForURL(/view_type=form.*&id=\d+/)
    await page.goBack()
    await page.locator('.gb a.main').first().waitFor()
    // One cell can be tabbed to.
    await expect.poll(() => page.locator('.gb [role=gridcell][tabindex="0"]').count()).toBe(1)
  })
})

describe('the selection', () => {
  test('grows by keyboard and by ranges, sums itself up and is let go with Escape', async () => {
    const { press, row, bar, foot, page } = await open('model=sale.order')
    await press('ArrowDown', 'Space', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown')
    await expect.poll(() => bar.textContent()).toContain('3 selected')
    await expect.poll(() => foot.textContent()).toContain('3 selected')
    await row(6).getByRole('checkbox').click()
    await row(9)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] })
    await expect.poll(() => bar.textContent()).toContain('7 selected')
    await page.getByRole('button', { name: /^Select all \d+/ }).click()
    await expect.poll(() => bar.textContent()).toMatch(/1\d\d selected/)
    await press('Escape')
    await expect.poll(() => bar.count()).toBe(0)
  })

  test('is deleted at once, for five seconds only on the screen', async () => {
    await createTags(['Doomed A', 'Doomed B'])
    const { page, foot, button } = await open('model=crm.tag&sort=name')
    const before = await foot.textContent()
    const choose = async () => {
      await page.getByRole('checkbox', { name: 'Select Doomed A' }).click()
      await page.getByRole('checkbox', { name: 'Select Doomed B' }).click()
      await button('Delete').click()
    }
    await choose()
    await expect.poll(() => page.getByText('Doomed A').count()).toBe(0)
    await page.locator('.toast .bar').waitFor()
    await button('Undo').click()
    await expect.poll(() => foot.textContent()).toBe(before)
    await expect.poll(() => countTags('Doomed A')).toHaveLength(1)
    await choose()
    await page.locator('.toast').getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => countTags('Doomed A')).toHaveLength(0)
    await expect.poll(() => page.getByText('Doomed B').count()).toBe(0)
  })

  test('is archived and brought back, and runs the actions of the header', async () => {
    const { row, foot, button, bar, page } = await open('model=core.partner')
    const before = await foot.textContent()
    await row(3).getByRole('checkbox').click()
    await button('Archive').click()
    await expect.poll(() => foot.textContent()).not.toBe(before)
    await button('Undo').click()
    await expect.poll(() => foot.textContent()).toBe(before)
    await page.goto('/web?view_type=list&model=crm.activity&sort=-date_deadline')
    await page.locator('.gr:not(.off)[data-id] .check').first().click()
    await bar.getByRole('button', { name: 'Done' }).click()
    await expect.poll(() => page.locator('.toasts').textContent()).toContain(' → Done')
  })
})

describe('cells', () => {
  test('are typed in, saved with Enter and given up with Escape', async () => {
    await createTags(['Typed over'])
    const { page, press } = await open('model=crm.tag&q=Typed+over')
    await press('ArrowDown', 'e')
    const input = page.getByRole('textbox', { name: 'Name' })
    await input.fill('Given up')
    await press('Escape')
    await expect.poll(() => page.locator('.gb a.main').textContent()).toBe('Typed over')
    await press('e')
    await input.fill('Typed anew')
    await press('Enter')
    await expect.poll(() => countTags('Typed anew')).toHaveLength(1)
    await expect.poll(() => page.locator('.gb a.main').textContent()).toBe('Typed anew')
  })

  test('of a new row are asked for before anything is sent', async () => {
    const { page, button, press, complaints } = await open('model=crm.tag')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.postData()?.includes('"create"')) sent.push(request.url())
    })
    await button('New').click()
    await press('Tab', 'Enter')
    await expect.poll(() => page.getByText('Name is required.').count()).toBe(1)
    expect(sent).toEqual([])
    await page.getByRole('textbox', { name: 'Name' }).fill('Entered here')
    await press('Enter')
    await expect.poll(() => countTags('Entered here')).toHaveLength(1)
    // Another new row opens, and Escape closes it.
    await expect.poll(() => page.locator('.gr.new').count()).toBe(1)
    await press('Escape')
    await expect.poll(() => page.locator('.gr.new').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('of several rows change together, after a question that names how many', async () => {
    const { page, row, cell, press, values } = await open('model=core.partner&sort=name')
    for (const at of [1, 2, 4]) await row(at).getByRole('checkbox').click()
    await (await cell(2, 'City')).click()
    await page.getByRole('textbox', { name: 'City' }).fill('Porto')
    await press('Enter')
    await page.getByRole('dialog').getByText('City: Porto').waitFor()
    await page.getByRole('button', { name: 'Change 3 records' }).click()
    await expect.poll(async () => (await values('City')).slice(0, 5).filter((city) => city === 'Porto')).toHaveLength(3)
    expect((await values('City'))[3]).not.toBe('Porto')
  })

  test('that another user changed meanwhile show both values', async () => {
    await createTags(['Contested'])
    const { page, press } = await open('model=crm.tag&q=Contested')
    await press('ArrowDown', 'e')
    const [id] = await countTags('Contested')
    await client.modules().asSystem((env) => env.model('crm.tag' as 'core.tag').write([id!], { name: 'Theirs' }))
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
    await press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Theirs', { exact: true }).last().waitFor()
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await expect.poll(() => countTags('Mine')).toHaveLength(1)
  })
})

describe('groups', () => {
  test('open, close, nest and sum up; by mouse and by keyboard', async () => {
    const { page, press, place } = await open('model=sale.order#group=state,date_order:month')
    const groups = page.locator('.gb .group')
    await groups.first().waitFor()
    await expect.poll(() => groups.first().textContent()).toMatch(/Quotation\s*\d+\s*€/)
    await expect.poll(() => groups.nth(1).getAttribute('aria-level')).toBe('2')
    await groups.first().getByRole('button').click()
    await expect.poll(() => groups.first().getAttribute('aria-expanded')).toBe('false')
    await expect.poll(() => groups.nth(1).getAttribute('aria-level')).toBe('1')
    await press('ArrowRight')
    await expect.poll(() => groups.first().getAttribute('aria-expanded')).toBe('true')
    await press('ArrowDown', 'ArrowRight')
    await expect.poll(() => page.locator('.gb .gr[data-id]').count()).toBeGreaterThan(0)
    await press('ArrowDown')
    await expect.poll(async () => (await place())[0]).toBe(2)
    await page.getByRole('button', { name: 'Fold all groups' }).click()
    await expect.poll(() => page.locator('.gb .gr[data-id]').count()).toBe(0)
    await expect.poll(() => groups.evaluateAll((all) => all.every((each) => each.ariaExpanded === 'false'))).toBe(true)
  })
})

describe('columns', () => {
  test('are chosen, resized, fitted, moved and remembered in every browser of the user', async () => {
    const { page, head, button } = await open('model=sale.order')
    await button('Choose columns').click()
    await page.getByRole('checkbox', { name: 'Untaxed Amount' }).check()
    await page.keyboard.press('Escape')
    await head('Untaxed Amount').waitFor()
    const width = async () => (await head('Customer').boundingBox())?.width ?? 0
    const edge = async () => {
      const box = await head('Customer').boundingBox()
      return [box!.x + box!.width, box!.y + 12] as const
    }
    const before = await width()
    const [x, y] = await edge()
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x - 90, y, { steps: 5 })
    await page.mouse.up()
    await expect.poll(width).toBeCloseTo(before - 90, -1)
    await page.mouse.dblclick(...(await edge()))
    await expect.poll(width).toBeGreaterThan(before - 85)
    const fitted = await width()
    await head('Total').dragTo(head('Customer'))
    const order = () => page.locator('.head [role=columnheader] .sort').allTextContents()
    await expect.poll(async () => (await order()).indexOf('Total')).toBeLessThan((await order()).indexOf('Customer'))
    await expect
      .poll(async () => JSON.stringify(await arrangements()))
      .toMatch(/"order":\[.*"amount_total".*"partner_id"/)
    const other = await open('model=sale.order')
    await other.head('Untaxed Amount').waitFor()
    const titles = await other.page.locator('.head [role=columnheader] .sort').allTextContents()
    expect(titles.indexOf('Total')).toBeLessThan(titles.indexOf('Customer'))
    expect((await other.head('Customer').boundingBox())?.width).toBe(fitted)
    await other.button('Choose columns').click()
    await other.button('Reset columns').click()
    await expect.poll(() => other.head('Untaxed Amount').count()).toBe(0)
    await expect.poll(arrangements).toEqual([])
  })

  test('move and resize by keyboard', async () => {
    const { page, press, head } = await open('model=sale.order')
    await press('ArrowDown', 'ArrowUp', 'ArrowRight')
    const width = async () => (await head('Order Date').boundingBox())?.width ?? 0
    const before = await width()
    await press('Shift+ArrowRight')
    await expect.poll(width).toBe(Math.round(before) + 16)
    await press('Alt+ArrowLeft')
    await expect.poll(async () => (await page.locator('.head .sort').allTextContents())[0]).toBe('Order Date')
  })
})

describe('rows in an order of their own', () => {
  test('move with Alt and an arrow, and by their grip', async () => {
    const { page, press, values, row } = await open('model=crm.stage')
    const before = await values('Name')
    await press('ArrowDown', 'Alt+ArrowDown')
    await expect.poll(async () => (await values('Name')).slice(0, 2)).toEqual([before[1], before[0]])
    const grip = await row(2).locator('.grip-cell').boundingBox()
    const target = await row(0).boundingBox()
    await page.mouse.move(grip!.x + 8, grip!.y + 8)
    await page.mouse.down()
    await page.mouse.move(grip!.x + 8, target!.y + 10, { steps: 6 })
    await page.mouse.up()
    await expect.poll(async () => (await values('Name'))[0]).toBe(before[2])
    const kept = () =>
      client
        .modules()
        .asSystem(async (env) => (await env.model('crm.stage').searchRead([], ['name'])).map(({ name }) => name))
    await expect.poll(async () => (await kept()).slice(0, 3)).toEqual([before[2], before[1], before[0]])
    await page.reload()
    await expect.poll(async () => (await values('Name')).slice(0, 3)).toEqual([before[2], before[1], before[0]])
  })
})

describe('nothing', () => {
  test('is explained: no match with a way out', async () => {
    const { page, button } = await open('model=sale.order&q=nosuchthing')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await button('Show all').click()
    await page.locator('.gb a.main').first().waitFor()
  })
})

describe('every user', () => {
  test('can use it: axe finds nothing while a row is selected', async () => {
    const { page, row, complaints } = await open('model=sale.order')
    await row(1).getByRole('checkbox').click()
    expect(await findViolations(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('sees cards on a phone', async () => {
    const { page, rows, bar } = await open('model=sale.order', { viewport: { width: 390, height: 844 } })
    const card = await rows.first().boundingBox()
    expect(card?.width).toBeLessThanOrEqual(390)
    expect(card?.height).toBeGreaterThan(60)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await rows.first().getByRole('checkbox').click()
    await expect.poll(() => bar.isVisible()).toBe(true)
    // The buttons of the bar have texts, and the bar does not cover the total of the selection.
    const [words, all, total] = await Promise.all(
      [bar.getByText('Export'), bar, page.locator('.gr.total')].map((each) => each.boundingBox()),
    )
    expect(words!.width).toBeGreaterThan(20)
    expect(all!.y + all!.height).toBeLessThanOrEqual(total!.y)
    expect(await findViolations(page)).toEqual([])
  })
})
