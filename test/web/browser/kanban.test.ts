import type { Locator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { multiply } from '../../support/multiply.ts'
import { dragOver } from './drag-onto.ts'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
let signedIn: SignedIn
let page: Page

beforeAll(async () => {
  await Promise.all(['crm_lead', 'project_task'].map(keepFew))
  signedIn = await client.signIn()
  page = signedIn.page
})
beforeEach(async () => {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
afterAll(async () => {
  await page?.context().close()
})

const PIPELINE = '/web?model=crm.lead&view_type=kanban'
const TASKS = '/web?model=project.task&view_type=kanban'
const PROJECTS = '/web?model=project.project&view_type=kanban'
const PARTNERS = '/web?model=core.partner&view_type=kanban'

/** Archives all but some records of each column and priority: a board of a hundred cards takes several times as long to draw. */
const keepFew = (table: string) =>
  sql`
    update ${sql.table(table)} set active = false where id in (
      select id from (
        select id, row_number() over (partition by company_id, stage_id, priority order by id) as place from ${sql.table(table)}
      ) as counted where place > 3)`.execute(client.modules().services.db)

async function open(address: string): Promise<void> {
  await signedIn.followAnew(address)
  await page.locator('[data-card]').first().waitFor()
}

const column = (name: string) => page.getByRole('region', { name, exact: true })
const cards = (of: Locator) => of.locator('[data-card]')
const idOf = async (card: Locator) => Number(await card.getAttribute('data-card'))
const idsOf = (of: Locator) => cards(of).evaluateAll((all) => all.map((card) => Number(card.getAttribute('data-card'))))
const countOf = async (of: Locator) => Number(await of.locator('header .count').textContent())
const cardById = (id: number) => page.locator(`[data-card="${id}"]`)
const told = () => page.locator('body > [role=status]').textContent()

const readOne = async (model: string, id: number, field: string): Promise<unknown> => {
  const [row] = await client.modules().asSystem(
    // The names come from the tests, which know the models.
    (env) => env.model(model as 'core.partner').read([id], [field] as never) as Promise<Record<string, unknown>[]>,
  )
  const value = row?.[field]
  return Array.isArray(value) ? value[1] : value
}

const soon = <T>(read: () => T | Promise<T>) => expect.poll(read)

/** Drags a card above the first one of a column, until the page shows that it would go there. */
const drag = (card: Locator, into: Locator, over = into.and(page.locator('.over'))) =>
  dragOver(page, card, cards(into).first(), over, 'top')

/** The next change of a record, which the test answers itself. */
const heldWrite = (): Promise<Route> =>
  new Promise((resolve) => {
    void page.route('**/api/rpc', (route) => {
      const { method } = route.request().postDataJSON() as { method: string }
      return method === 'write' ? resolve(route) : route.fallback()
    })
  })

test('columns have counts, sums and bars; a card is a link to its form', async () => {
  await open(PIPELINE)
  const fresh = column('New')
  await expect.poll(() => countOf(fresh)).toBeGreaterThan(0)
  await expect.poll(() => fresh.locator('.sum').textContent()).toMatch(/€[\d,]+/)
  await expect
    .poll(() => fresh.locator('.barlegend').getAttribute('aria-label'))
    .toMatch(/Next Activity: \d+ Planned, \d+ Today, \d+ Overdue/)
  const first = cards(fresh).first()
  const link = first.getByRole('link').first()
  await expect.poll(() => link.getAttribute('href')).toContain(`view_type=form&id=${await idOf(first)}`)
  await link.click()
  await page.waitForURL(/view_type=form/)
  await page.goBack()
  await cards(column('New')).first().waitFor()
})

test('a bar goes from good to bad, a priority is a sign with a name, and what is won starts folded', async () => {
  await open(PIPELINE)
  const parts = column('New').locator('header .bar > span')
  await expect
    .poll(() => parts.evaluateAll((all) => all.map(({ className }) => className)))
    .toEqual(['success', 'warning', 'danger', 'none'])
  expect(
    await cards(column('New'))
      .getByRole('img', { name: /^Priority: / })
      .count(),
  ).toBeGreaterThan(0)
  await column('Won, folded').waitFor()
})

test('the meaning of the colours of a bar is shown by keyboard and by touch', async () => {
  await open(PIPELINE)
  const bar = column('New').getByRole('button', { name: /^Next Activity: / })
  const legend = page.getByRole('group', { name: 'Next Activity' })
  await bar.focus()
  await page.keyboard.press('Enter')
  await legend.waitFor()
  expect(await legend.getByRole('listitem').allTextContents()).toEqual([
    expect.stringMatching(/^Planned\d+$/),
    expect.stringMatching(/^Today\d+$/),
    expect.stringMatching(/^Overdue\d+$/),
    expect.stringMatching(/^none\d+$/),
  ])
  expect(await findViolations(page, legend)).toEqual([])
  await page.keyboard.press('Escape')
  await soon(() => bar.getAttribute('aria-expanded')).toBe('false')
  await bar.dispatchEvent('click')
  await legend.waitFor()
  await page.keyboard.press('Escape')
})

test('a card is dragged to another column and is there for good', async () => {
  await open(PIPELINE)
  const [from, to] = [column('Qualified'), column('Proposition')]
  const [left, right] = [await countOf(from), await countOf(to)]
  const card = cards(from).nth(1)
  const id = await idOf(card)
  await drag(card, to)
  // Leads have no places of their own: none is shown.
  await expect.poll(() => page.locator('.slot').count()).toBe(0)
  await page.mouse.up()
  await soon(() => idsOf(to)).toContain(id)
  await soon(async () => [await countOf(from), await countOf(to)]).toEqual([left - 1, right + 1])
  await soon(() => readOne('crm.lead', id, 'stage_id')).toBe('Proposition')
  await page.reload()
  await soon(() => idsOf(column('Proposition'))).toContain(id)
})

test('a move that is refused is taken back exactly, with the reason', async () => {
  await open(PIPELINE)
  const [from, to] = [column('Qualified'), column('Proposition')]
  const before = [
    await idsOf(from),
    await idsOf(to),
    await from.locator('header').textContent(),
    await to.locator('header').textContent(),
  ]
  const card = cards(from).first()
  const id = await idOf(card)
  const write = heldWrite()
  await drag(card, to)
  await page.mouse.up()
  await soon(() => idsOf(to)).toContain(id)
  const error = { code: 'ACCESS_DENIED', message: 'This stage is locked.' }
  await (await write).fulfill({ status: 403, json: { ok: false, error } })
  await page.getByText('This stage is locked.').waitFor()
  await soon(async () => [
    await idsOf(from),
    await idsOf(to),
    await from.locator('header').textContent(),
    await to.locator('header').textContent(),
  ]).toEqual(before)
  await page.locator('.toast').getByRole('button', { name: 'Close' }).click()
  signedIn.complaints.splice(0)
})

test('M lifts a card, arrows carry it, Enter puts it down; screen readers are told each step', async () => {
  await open(PIPELINE)
  const card = cards(column('Qualified')).first()
  const id = await idOf(card)
  const name = ((await card.locator('h3').textContent()) ?? '').trim()
  await card.getByRole('link').first().focus()
  await page.keyboard.press('m')
  await soon(told).toContain(`${name} is lifted.`)
  await page.keyboard.press('ArrowRight')
  await soon(told).toBe('Column Proposition')
  await page.keyboard.press('Enter')
  await soon(() => idsOf(column('Proposition'))).toContain(id)
  await soon(told).toContain('is in Proposition now.')
  await soon(() =>
    cardById(id)
      .getByRole('link')
      .first()
      .evaluate((link) => link === document.activeElement),
  ).toBe(true)
  await soon(() => readOne('crm.lead', id, 'stage_id')).toBe('Proposition')
})

test('Escape puts a lifted card back; arrows go from card to card', async () => {
  await open(TASKS)
  const inbox = column('Inbox')
  const before = await idsOf(inbox)
  await cards(inbox).first().getByRole('link').first().focus()
  await page.keyboard.press('Space')
  await soon(told).toContain('is lifted.')
  await page.keyboard.press('ArrowRight')
  await page.locator('.col.over').waitFor()
  await page.keyboard.press('Escape')
  await soon(() => page.locator('.col.over').count()).toBe(0)
  await soon(told).toContain('stays where it was.')
  await expect.poll(() => idsOf(inbox)).toEqual(before)
  await page.keyboard.press('ArrowDown')
  const focused = () =>
    page.evaluate(() => Number(document.activeElement?.closest('[data-card]')?.getAttribute('data-card')))
  await expect.poll(() => focused()).toBe(before[1])
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => focused()).toBe((await idsOf(column('Planned')))[1])
  await page.keyboard.press('Home')
  await expect.poll(() => focused()).toBe((await idsOf(column('Planned')))[0])
})

test('a task goes to another stage by the menu of its card', async () => {
  await open(TASKS)
  const card = cards(column('Inbox')).first()
  const id = await idOf(card)
  await card.hover()
  await card.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'In Progress' }).click()
  await soon(() => idsOf(column('In Progress'))).toContain(id)
  await soon(() => readOne('project.task', id, 'stage_id')).toBe('In Progress')
})

test('new cards are written in their column, one after the other; Escape leaves the field, then the card', async () => {
  await open(PIPELINE)
  const to = column('Qualified')
  const count = await countOf(to)
  await to.getByRole('button', { name: 'New in Qualified' }).click()
  const form = page.getByRole('form', { name: 'New card in Qualified' })
  await form.getByLabel('Subject').fill('Canteen refit')
  await page.keyboard.press('Enter')
  await soon(() => countOf(to)).toBe(count + 1)
  await soon(() => form.getByLabel('Subject').inputValue()).toBe('')
  await expect.poll(() => form.getByLabel('Subject').evaluate((input) => input === document.activeElement)).toBe(true)
  const id = await idOf(cards(to).first())
  await expect.poll(() => readOne('crm.lead', id, 'name')).toBe('Canteen refit')
  await expect.poll(() => readOne('crm.lead', id, 'stage_id')).toBe('Qualified')
  await page.keyboard.press('Enter')
  await form.getByText('Subject is required.').waitFor()
  await form.getByLabel('Subject').fill('Half a sentence')
  await soon(() => form.getByRole('alert').count()).toBe(0)
  await page.keyboard.press('Escape')
  await soon(() => form.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await form.getByLabel('Subject').inputValue()).toBe('Half a sentence')
  await page.keyboard.press('Escape')
  await soon(() => form.count()).toBe(0)
  await page.locator('#main').focus()
  await page.keyboard.press('n')
  await page.getByRole('form', { name: 'New card in New' }).waitFor()
})

test('a column is folded, and still is after a reload', async () => {
  await open(TASKS)
  const planned = column('Planned')
  await planned.hover()
  await planned.getByRole('button', { name: 'Column Planned' }).click()
  await page.getByRole('menuitem', { name: 'Fold' }).click()
  await column('Planned, folded').waitFor()
  await page.reload()
  await column('Planned, folded').getByRole('button', { name: 'Unfold Planned' }).click()
  await cards(column('Planned')).first().waitFor()
})

test('further cards of a long column come when asked for, and the focus goes on to the first of them', async () => {
  await open(PIPELINE)
  const fresh = column('New')
  const { services } = client.modules()
  const copies = await multiply(services, 'crm_lead', await idOf(cards(fresh).first()), 40)
  await page.reload()
  await expect.poll(() => cards(fresh).count()).toBe(40)
  const total = await countOf(fresh)
  await fresh.getByRole('button', { name: `${total - 40} more` }).press('Enter')
  await soon(() => cards(fresh).count()).toBe(total)
  await soon(() => cards(fresh).nth(40).locator('h3 a:focus').count()).toBe(1)
  await sql`delete from crm_lead where id = any(${copies})`.execute(services.db)
})

test('a board has columns of any field; cards move where its value can be given', async () => {
  await open(`${PIPELINE}#group=priority`)
  await expect.poll(() => page.locator('.col h2').allTextContents()).toEqual(['Low', 'Medium', 'High', 'Very High'])
  const card = cards(column('Low')).first()
  const id = await idOf(card)
  await drag(card, column('High'))
  await page.mouse.up()
  await soon(() => readOne('crm.lead', id, 'priority')).toBe('2')
})

test('cards move between tags, and between months', async () => {
  await open(`${PIPELINE}#group=tag_ids`)
  await page.locator('.col h2').nth(1).waitFor()
  const [one = '', two = ''] = await page.locator('.col h2').allTextContents()
  const card = cards(column(one)).first()
  const id = await idOf(card)
  await drag(card, column(two))
  const saved = page.waitForResponse((response) => response.request().postData()?.includes('"write"') ?? false)
  await page.mouse.up()
  await soon(() => idsOf(column(two))).toContain(id)
  await saved
  await page.reload()
  await soon(() => idsOf(column(two))).toContain(id)
  await expect.poll(() => idsOf(column(one))).not.toContain(id)
  await open(`${PIPELINE}#group=date_deadline:month`)
  await expect.poll(() => page.locator('.col h2').allTextContents()).toContain('December 2026')
  await page.locator('.card.movable').first().waitFor()
})

test('projects keep the order one gives them', async () => {
  await open(PROJECTS)
  const running = column('Running')
  const [first, second] = await idsOf(running)
  await drag(cards(running).nth(1), running, page.locator('.slot'))
  await page.mouse.up()
  await soon(() => idsOf(running).then((ids) => ids.slice(0, 2))).toEqual([second, first])
  await soon(async () => {
    const [one, two] = await Promise.all([first!, second!].map((id) => readOne('project.project', id, 'sequence')))
    return Number(two) < Number(one)
  }).toBe(true)
  await page.reload()
  await soon(() => idsOf(column('Running')).then((ids) => ids.slice(0, 2))).toEqual([second, first])
})

test('an archived card can be brought back', async () => {
  await open(PIPELINE)
  const card = cards(column('Qualified')).first()
  const id = await idOf(card)
  await card.hover()
  await card.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await soon(() => cardById(id).count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await soon(() => cardById(id).count()).toBe(1)
  await soon(() => readOne('crm.lead', id, 'active')).toBe(true)
})

test('a column is added by those who may', async () => {
  await open(PIPELINE)
  await page.getByRole('button', { name: 'Add a column' }).click()
  await page.getByLabel('Name of the column').fill('On hold')
  await page.keyboard.press('Enter')
  await column('On hold').waitFor()
  await page.reload()
  await column('On hold').waitFor()
  await expect.poll(() => page.locator('.col h2').last().textContent()).toBe('On hold')
  const seller = await client.signIn('seller')
  await seller.go(PIPELINE)
  await seller.page.locator('.board').waitFor()
  await expect.poll(() => seller.page.getByRole('button', { name: 'Add a column' }).count()).toBe(0)
  await seller.page.context().close()
})

test('cards without columns are a grid one walks with arrows', async () => {
  await open(PARTNERS)
  await expect.poll(() => page.locator('.col').count()).toBe(0)
  const ids = await idsOf(page.locator('.cardgrid'))
  await cardById(ids[0]!).getByRole('link').first().focus()
  await page.keyboard.press('ArrowRight')
  expect(
    await cardById(ids[1]!)
      .getByRole('link')
      .first()
      .evaluate((link) => link === document.activeElement),
  ).toBe(true)
})

test('a search that finds nothing says so and can be cleared', async () => {
  await signedIn.go(`${PIPELINE}&q=nothing-like-this`)
  await page.getByRole('button', { name: 'Show all' }).click()
  await page.locator('[data-card]').first().waitFor()
})

test('on a phone columns snap, and the page does not scroll sideways', async () => {
  const phone = await client.signIn('admin', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await phone.go(PIPELINE)
  await phone.page.locator('[data-card]').first().waitFor()
  await expect
    .poll(() => phone.page.locator('.board').evaluate((board) => getComputedStyle(board).scrollSnapType))
    .toContain('x')
  await expect.poll(() => phone.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(phone.complaints).toEqual([])
  await phone.page.context().close()
})

test('nothing is wrong for assistive technology while a card is written', async () => {
  await open(PIPELINE)
  await column('Qualified').getByRole('button', { name: 'New in Qualified' }).click()
  await page.getByRole('form', { name: 'New card in Qualified' }).waitFor()
  expect(await findViolations(page)).toEqual([])
})

test('the pages of these tests report no errors in the console', () => {
  expect(signedIn.complaints).toEqual([])
})
