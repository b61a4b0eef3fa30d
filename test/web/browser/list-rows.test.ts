import { afterEach, describe, expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { allLoaded } from '../../support/browser.ts'
import { withoutTimeLimit } from '../../support/without-time-limit.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
const opened: SignedIn[] = []

afterEach(async () => {
  for (const signedIn of opened.splice(0)) await signedIn.handOn()
})

async function open(query: string, options = {}) {
  const signedIn = await client.signIn('admin', options)
  opened.push(signedIn)
  const { page } = signedIn
  await signedIn.go(`/web?view_type=list&${query}`)
  const cell = async (line: number, name: string) => {
    const head = page.getByRole('columnheader', { name, exact: true })
    return page.locator(`.gb [data-line="${line}"] [data-col="${await head.getAttribute('data-col')}"]`)
  }
  const sent: string[] = []
  page.on('request', (request) => {
    const body = request.postData() ?? ''
    if (/"method":"(create|write)"/.test(body)) sent.push(body)
  })
  return {
    ...signedIn,
    cell,
    sent,
    press: async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    },
    /** Line and column of what has the focus. */
    place: () =>
      page.evaluate(() => {
        const cell = document.activeElement?.closest<HTMLElement>('[data-col]')
        return [cell?.closest<HTMLElement>('[data-line]')?.dataset['line'], cell?.dataset['col']].map(Number)
      }),
  }
}

describe('a row', () => {
  test('opens its record wherever it is clicked, beside with Ctrl and the middle button, and not by dragging', async () => {
    const { page, cell, place } = await open('model=sale.order')
    const customer = await cell(4, 'Customer')
    const box = await customer.boundingBox()
    await page.mouse.move(box!.x + 10, box!.y + 10)
    await page.mouse.down()
    await page.mouse.move(box!.x + 70, box!.y + 10, { steps: 4 })
    await page.mouse.up()
    await expect.poll(() => page.evaluate(() => String(getSelection()))).not.toBe('')
    for (const click of [{ button: 'middle' }, { modifiers: ['Control'] }] as const) {
      const [other] = await Promise.all([page.context().waitForEvent('page'), customer.click(click as object)])
      await expect.poll(() => other.url()).toContain('view_type=form')
    }
    await expect.poll(() => page.url()).toContain('view_type=list')
    await customer.click()
    await page.waitForURL(/view_type=form/)
    await page.goBack()
    await expect.poll(place).toEqual([4, expect.any(Number)])
  })

  test('far down has the focus again when one comes back', async () => {
    const { page, place } = await open('model=sale.order')
    await page.locator('.scroll.list').evaluate((list) => list.scrollBy(0, 2_500))
    const row = page.locator('.gb > .gr[data-line="85"]')
    await row.locator('a.main').click()
    await page.waitForURL(/view_type=form/)
    await page.locator('.formview').waitFor()
    await page.goBack()
    await expect.poll(place).toEqual([85, expect.any(Number)])
  })

  test('on a phone is a card that opens wherever it is tapped', async () => {
    const { page } = await open('model=sale.order', { viewport: { width: 390, height: 844 } })
    for (const part of ['sub', 'side', 'amount', 'meta']) {
      const card = page
        .locator('.gb > .gr[data-id]')
        .filter({ has: page.locator(`[data-m=${part}]`) })
        .first()
      const within = await card.evaluate((row, selector) => {
        const [outer, inner] = [row, row.querySelector(selector)!].map((element) => element.getBoundingClientRect())
        return { x: inner!.x - outer!.x + 10, y: inner!.y - outer!.y + inner!.height / 2 }
      }, `[data-m=${part}]`)
      await card.click({ position: within })
      await page.waitForURL(/view_type=form/)
      await page.goBack()
      await page.locator('.gb a.main').first().waitFor()
    }
  })

  test('stands where it was drawn first', async () => {
    const { page } = await open('model=sale.order', { viewport: { width: 390, height: 844 } })
    await page.locator('.gb a.main').first().click()
    await page.waitForURL(/view_type=form/)
    await page.locator('.formview').waitFor()
    const moved = await page.evaluateHandle(() => {
      const seen: string[] = []
      new MutationObserver((changes) => {
        for (const { target, oldValue } of changes)
          if (target instanceof HTMLElement && target.matches('.gb > .gr[data-id]'))
            seen.push(`${oldValue} -> ${target.getAttribute('style')}`)
      }).observe(document.body, { subtree: true, attributeFilter: ['style'], attributeOldValue: true })
      return seen
    })
    await page.goBack()
    await page.locator('.gb a.main').first().waitFor()
    await allLoaded(page)
    expect(await moved.jsonValue()).toEqual([])
  })

  test('of a group opens it', async () => {
    const { page } = await open('model=sale.order#group=partner_id')
    const group = page.locator('.gb > .group').first()
    const before = await group.getAttribute('aria-expanded')
    await group.click({ position: { x: 600, y: 8 } })
    await expect.poll(() => group.getAttribute('aria-expanded')).not.toBe(before)
  })
})

describe('what is typed into a cell', () => {
  test('is all that is sent of the row', async () => {
    const { page, cell, press, sent } = await open('model=project.timesheet')
    await (await cell(1, 'Hours')).click()
    await page.getByRole('textbox', { name: 'Hours' }).fill('9')
    await press('Enter')
    await expect.poll(() => sent.length).toBe(1)
    expect(JSON.parse(sent[0] ?? '{}').args[1]).toEqual({ hours: 9 })
  })

  test('stays there while it is no value, whatever one does', async () => {
    const { page, cell, press, place, sent } = await open('model=project.timesheet')
    await (await cell(1, 'Hours')).click()
    const input = page.getByRole('textbox', { name: 'Hours' })
    const at = await place()
    await input.fill('abc')
    for (const leave of [() => press('Enter'), () => press('Tab'), async () => (await cell(3, 'Hours')).click()]) {
      await leave()
      await expect.poll(() => input.getAttribute('aria-invalid')).toBe('true')
      await expect.poll(async () => [await input.inputValue(), await place()]).toEqual(['abc', at])
    }
    await press('Escape')
    await expect.poll(() => page.locator('.editor').count()).toBe(0)
    expect(sent).toEqual([])
  })

  test('leaves the focus in the grid: after a suggestion, and after a new row is given up', async () => {
    const { page, cell, press, place } = await open('model=project.task')
    await (await cell(2, 'Project')).click()
    await page.getByRole('combobox', { name: 'Project' }).fill('Web')
    await page.getByRole('option', { name: /Web/ }).first().waitFor()
    await press('Tab')
    await expect.poll(place).toEqual([2, 4])
    await press('Escape')
    await expect.poll(place).toEqual([2, 4])
    await page.getByRole('button', { name: 'New', exact: true }).click()
    await press('Tab', 'Enter')
    await page.getByText('Name is required.').waitFor()
    await press('Escape')
    await expect.poll(async () => (await place())[0]).toBeGreaterThanOrEqual(0)
  })

  test('is saved when one goes elsewhere, without a question', async () => {
    const { page, press, sent } = await open('model=crm.tag')
    await press('ArrowDown', 'e')
    await page.getByRole('textbox', { name: 'Name' }).fill('Renamed on the way out')
    await page.locator('nav a[href*="action="]').nth(2).click()
    await page.waitForURL((url) => url.searchParams.get('model') !== 'crm.tag')
    expect(sent).toHaveLength(1)
  })

  test('is not needed for a star: a click writes it', async () => {
    const { page, cell, sent } = await open('model=project.task')
    await (await cell(1, 'Priority')).locator('.stars svg').first().click()
    await expect.poll(() => sent.length).toBe(1)
    expect(Object.keys(JSON.parse(sent[0] ?? '{}').args[1])).toEqual(['priority'])
    await expect.poll(() => page.locator('.editor').count()).toBe(0)
  })
})

describe('a column', () => {
  test('that is fitted twice stays as it is, and shrinks again', async () => {
    const { page } = await open('model=sale.order')
    const head = page.getByRole('columnheader', { name: 'Customer', exact: true })
    const width = async () => Math.round((await head.boundingBox())?.width ?? 0)
    const fitToContent = async () => {
      const box = await head.boundingBox()
      await page.mouse.dblclick(box!.x + box!.width, box!.y + 12)
    }
    const before = await width()
    await fitToContent()
    await expect.poll(width).toBeLessThan(before)
    const fitted = await width()
    await fitToContent()
    await expect.poll(() => width()).toBe(fitted)
  })
})

describe('all rows', () => {
  test('are selected by the heading also where none is loaded', async () => {
    const { page } = await open('model=sale.order#group=partner_id')
    await page.locator('.gb .group').first().waitFor()
    const fold = page.getByRole('button', { name: 'Fold all groups' })
    if ((await fold.count()) > 0) await fold.click()
    await page.getByRole('checkbox', { name: 'Select all rows' }).click()
    await expect.poll(() => page.getByRole('toolbar', { name: 'Selection' }).textContent()).toMatch(/1\d\d selected/)
  })

  test('are selected by keyboard from the bar of those on screen, and the keys lead on to its actions', async () => {
    const { page } = await open('model=sale.order')
    const bar = page.getByRole('toolbar', { name: 'Selection' })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: /^Select all \d+/ }).press('Enter')
    await expect.poll(() => bar.textContent()).toMatch(/1\d\d selected/)
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Confirm')
    await page.keyboard.press('Escape')
    await expect.poll(() => bar.count()).toBe(0)
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=grid]') !== null)).toBe(true)
  })
})

test('columns are as wide as what another search finds in them', async () => {
  await client.modules().asSystem((env) =>
    env.model('core.partner').createMany([
      { name: 'Fennel short', city: 'Ub' },
      { name: 'Fennel long', city: 'Wolverhampton' },
    ]),
  )
  const { page, cell } = await open('model=core.partner&q=Fennel short')
  await (await cell(0, 'City')).getByText('Ub').waitFor()
  await page.evaluate(() => {
    const href = '/web?view_type=list&model=core.partner&q=Fennel'
    document.body.appendChild(Object.assign(document.createElement('a'), { href })).click()
  })
  const city = page.locator('.gb .gc', { hasText: 'Wolverhampton' })
  await city.waitFor()
  await expect.poll(() => city.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true)
})

test('on paper are all rows that are loaded, over the whole height, and nothing that leads elsewhere', async () => {
  const { page } = await open('model=core.partner')
  const rows = page.locator('.gb > .gr[data-id]')
  await allLoaded(page)
  const drawn = await rows.count()
  const print = (event: string) => page.evaluate((type) => dispatchEvent(new Event(type)), event)
  await page.emulateMedia({ media: 'print' })
  await print('beforeprint')
  await expect.poll(() => rows.count()).toBe(80)
  expect(drawn).toBeLessThan(60)
  const room = await page.evaluate(() => ({ page: document.documentElement.scrollHeight, window: innerHeight }))
  expect(room.page).toBeGreaterThan(room.window * 2)
  expect(await page.locator('.sidebar, .topbar, .ctlbar').filter({ visible: true }).count()).toBe(0)
  await print('afterprint')
  await page.emulateMedia({ media: 'screen' })
  await expect.poll(() => rows.count()).toBe(drawn)
})

test('tags that do not fit into their cell are counted, and none is cut', async () => {
  const { page } = await open('model=core.partner')
  const told = () =>
    page.locator('.gb .taglist').evaluateAll((lists) =>
      lists.map((list) => {
        const tags = [...list.children].map((tag) => tag.getBoundingClientRect())
        const room = list.getBoundingClientRect()
        const shown = tags.filter(({ top, right }) => top < room.bottom - 2 && right <= room.right + 1)
        return { tags: tags.length, shown: shown.length, more: list.getAttribute('data-more') ?? '' }
      }),
    )
  await expect.poll(async () => (await told()).filter(({ more }) => more !== '').length).toBeGreaterThan(3)
  await expect
    .poll(async () => (await told()).filter(({ tags, shown, more }) => Number(more || 0) !== tags - shown))
    .toEqual([])
})

test('a list of 100,000 rows has few of them, wherever one scrolls to', async () => {
  const { page, press, place } = await open('model=core.partner')
  const rows = page.locator('.gb > .gr[data-id]')
  await withoutTimeLimit(
    client.modules().services.db,
    sql`insert into crm_tag (name, color, active)
    select 'Bulk ' || lpad(n::text, 6, '0'), 1, true from generate_series(1, 100000) n`,
  )
  try {
    await page.goto('/web?view_type=list&model=crm.tag')
    await rows.first().waitFor()
    await expect.poll(() => page.locator('[role=grid]').getAttribute('aria-rowcount')).toMatch(/^100\d\d\d$/)
    const list = page.locator('.scroll.list')
    for (const top of [50_000, 1_600_000, 3_000_000]) {
      await list.evaluate((element, to) => element.scrollTo(0, to), top)
      await expect.poll(() => rows.first().locator('a.main').textContent()).toMatch(/\w/)
      await expect.poll(() => page.locator('.gb > .gr').count()).toBeLessThanOrEqual(60)
    }
    // Rows that come meanwhile move the others on, so the link is clicked by its name.
    await allLoaded(page)
    const name = await rows.nth(10).locator('a.main').textContent()
    await rows.getByRole('link', { name: name!, exact: true }).click()
    await expect.poll(() => page.locator('h1').textContent()).toBe(name)
    // On the way back the list is drawn before it is counted.
    let count = () => {}
    const isDrawn = new Promise<void>((resolve) => {
      count = resolve
    })
    await page.route('**/api/rpc', async (route) => {
      if (route.request().postData()?.includes('search_count')) await isDrawn
      await route.continue()
    })
    await page.goBack()
    await rows.first().waitFor()
    await page.locator('[role=grid]:focus-within').waitFor()
    count()
    await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBe(3_000_000)
    await rows.getByRole('link', { name: name!, exact: true }).waitFor()
    await expect.poll(async () => (await place())[0]).toBeGreaterThan(93_000)
    await page.unroute('**/api/rpc')
    const cell = rows.nth(10).locator('[data-col="0"]')
    await cell.click({ position: { x: 2, y: 2 } })
    await cell.focus()
    await press('Control+End')
    await expect.poll(place).toEqual([expect.any(Number), 0])
    await expect.poll(async () => (await place())[0]).toBeGreaterThan(99_000)
    await expect.poll(() => page.locator('.gb > .gr').count()).toBeLessThanOrEqual(60)
  } finally {
    await withoutTimeLimit(client.modules().services.db, sql`delete from crm_tag where name like 'Bulk %'`)
  }
})
