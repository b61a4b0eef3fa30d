import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
const soon = expect.poll

let view: SignedIn
let page: Page
/** A quotation with a line, one without, and an order. */
let orders: Readonly<Record<'good' | 'empty' | 'confirmed', number>>

beforeAll(async () => {
  orders = await client.modules().asSystem(async (env) => {
    const [user] = await env.model('core.user').search([['login', '=', 'admin']])
    const [company] = await env.model('core.company').search([], { limit: 1 })
    const [currency] = await env.model('core.currency').search([['name', '=', 'EUR']])
    const partner_id = await env.model('core.partner').create({ name: 'Bulk Buyer' })
    const values = { partner_id, user_id: user!, company_id: company!, currency_id: currency! }
    const line_ids = [[0, 0, { name: 'Chair', quantity: 1, price_unit: 10 }]] as never
    const create = (more: object) => env.model('sale.order').create({ ...values, ...more })
    const confirmed = await create({ name: 'BULK-3', line_ids })
    await env.model('sale.order').call([confirmed], 'action_confirm')
    return { good: await create({ name: 'BULK-1', line_ids }), empty: await create({ name: 'BULK-2' }), confirmed }
  })
  view = await client.signIn()
  page = view.page
  await view.go('/web?model=sale.order&view_type=list&q=BULK-')
  await page.locator('.listview [role=row]').nth(3).waitFor()
  await allLoaded(page)
})

const bar = () => page.getByRole('toolbar', { name: 'Selection' })
const toast = (text: string) => page.locator('.toast').filter({ hasText: text })
const states = () =>
  client.modules().asSystem(async (env) => {
    const rows = await env.model('sale.order').read(Object.values(orders), ['name', 'state'])
    return Object.fromEntries(rows.map(({ name, state }) => [name, state]))
  })

async function selectAll(): Promise<void> {
  await page.getByRole('checkbox', { name: 'Select all' }).first().check()
  await bar().waitFor()
}

test('an action that some records refuse says which and why, is done for the others, and can be taken back', async () => {
  await selectAll()
  await bar().getByRole('button', { name: 'Confirm' }).click()
  const dialog = page.getByRole('dialog', { name: '“Confirm” is possible for 1 of 3 records' })
  await dialog.getByText('An order needs at least one line before it is confirmed.').waitFor()
  await dialog.getByText('BULK-3 is already: Sales Order.').waitFor()
  expect(await dialog.getByText('BULK-3').count()).toBe(1)
  expect(await findViolations(page)).toEqual([])
  expect(await states()).toEqual({ 'BULK-1': 'draft', 'BULK-2': 'draft', 'BULK-3': 'sale' })
  await dialog.getByRole('button', { name: 'Confirm (1)' }).click()
  await toast('BULK-1: Quotation → Sales Order').waitFor()
  await soon(states).toMatchObject({ 'BULK-1': 'sale' })

  const [box, footer] = [await toast('BULK-1: Quotation → Sales Order').boundingBox(), await bar().boundingBox()]
  expect(box!.y + box!.height).toBeLessThanOrEqual(footer!.y)
  await page.keyboard.press('Control+z')
  await toast('Undone').waitFor()
  await soon(states).toEqual({ 'BULK-1': 'draft', 'BULK-2': 'draft', 'BULK-3': 'sale' })
})

test('a deletion that is refused is not said to be done first', async () => {
  await page.keyboard.press('Escape')
  await soon(() => bar().count()).toBe(0)
  await selectAll()
  await bar().getByRole('button', { name: 'Cancel Orders' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel the selected orders (3)?' })
  await question.getByRole('button', { name: 'Go back' }).click()
  await soon(() => question.count()).toBe(0)
  await bar().getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: '“Delete” is possible for 2 of 3 records' })
  await dialog.getByText('BULK-3 is confirmed: cancel it before you delete it.').waitFor()
  expect(await toast('deleted').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await soon(() => dialog.count()).toBe(0)
  expect(Object.keys(await states())).toHaveLength(3)
})

test('a button of a record that changes its state can be taken back; what takes something away is named and red', async () => {
  // Wide enough for all buttons; on a narrow one they are in the menu.
  await page.setViewportSize({ width: 1920, height: 900 })
  await view.follow(`/web?model=sale.order&view_type=form&id=${orders.good}`)
  await allLoaded(page)
  const cancel = page.getByRole('button', { name: 'Cancel Order' })
  await cancel.waitFor()
  expect(await cancel.getAttribute('class')).toContain('warn')
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  await toast('BULK-1: Quotation → Sales Order').getByRole('button', { name: 'Undo' }).click()
  await toast('Undone').waitFor()
  await soon(states).toMatchObject({ 'BULK-1': 'draft' })
  await page.getByRole('button', { name: 'Confirm', exact: true }).waitFor()
})

test('a lock is taken back, too, and its toast covers neither a pointer that rests where it would appear nor the foot of the sidebar', async () => {
  await view.follow(`/web?model=sale.order&view_type=form&id=${orders.confirmed}`)
  await allLoaded(page)
  const lock = page.getByRole('button', { name: 'Lock', exact: true })
  const locked = toast('BULK-3: Sales Order → Locked')
  await page.mouse.move(2, 2)
  // Toasts of earlier tests disappear first.
  await soon(() => page.locator('.toast').count()).toBe(0)
  await lock.press('Enter')
  await locked.waitFor()
  const box = (await locked.boundingBox())!
  await soon(states).toMatchObject({ 'BULK-3': 'done' })
  await page.keyboard.press('Control+z')
  await toast('Undone').waitFor()
  await soon(states).toMatchObject({ 'BULK-3': 'sale' })
  await soon(() => page.locator('.toast').count()).toBe(0)

  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(place.x, place.y)
  await lock.press('Enter')
  await locked.waitFor()
  const isCovered = () =>
    page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('.toast') !== null, place)
  await soon(isCovered).toBe(false)
  // At the other side it covers neither the companies nor the user at the foot of the sidebar.
  const foot = (await page.locator('.side-foot').boundingBox())!
  await soon(async () => ((await locked.boundingBox())?.x ?? 0) >= foot.x + foot.width).toBe(true)
  await page.keyboard.press('Control+z')
  await soon(states).toMatchObject({ 'BULK-3': 'sale' })
  expect(await findViolations(page)).toEqual([])
})

test('what none of the selected records can do is not offered, nor by the menu of one of them', async () => {
  await view.follow('/web?model=sale.order&view_type=list&q=BULK-3')
  await selectAll()
  await bar().getByRole('button', { name: 'Cancel Orders' }).waitFor()
  for (const name of ['Confirm', 'Delete']) expect(await bar().getByRole('button', { name }).count(), name).toBe(0)
  const offered = async (id: number) => {
    await view.follow(`/web?model=sale.order&view_type=form&id=${id}`)
    await allLoaded(page)
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Save as PDF' }).waitFor()
    const isOffered = (await page.getByRole('menuitem', { name: 'Delete' }).count()) > 0
    await page.keyboard.press('Escape')
    return isOffered
  }
  expect([await offered(orders.empty), await offered(orders.confirmed)]).toEqual([true, false])
})

test('one record that refuses says so in a sentence with its name', async () => {
  await view.follow(`/web?model=sale.order&view_type=form&id=${orders.empty}`)
  await allLoaded(page)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  const reason = toast('BULK-2: An order needs at least one line before it is confirmed.')
  await reason.waitFor()
  expect(await reason.textContent()).not.toContain('Request')
  expect(await findViolations(page)).toEqual([])
})

test('a user who may not unlock an order is not offered to lock it', async () => {
  await client.modules().asSystem(async (env) => {
    const [user] = await env.model('core.user').search([['login', '=', 'seller']])
    await env.model('sale.order').write([orders.confirmed], { user_id: user! })
  })
  const seller = await client.signIn('seller')
  await seller.page.setViewportSize({ width: 1920, height: 900 })
  await seller.go(`/web?model=sale.order&view_type=form&id=${orders.confirmed}`)
  await seller.page.getByRole('button', { name: 'Cancel Order', exact: true }).waitFor()
  expect(await seller.page.getByRole('button', { name: 'Lock', exact: true }).count()).toBe(0)
  expect(seller.complaints).toEqual([])
})

test('orders that leave the list leave the selection; the focus is in the rows then, and after Undo as well', async () => {
  const action = await client.modules().asSystem(async (env) => {
    const sales = env.model('sale.order')
    const [known] = await sales.read([orders.confirmed], ['partner_id', 'user_id', 'company_id', 'currency_id'])
    const { id: _, ...values } = known!
    const line_ids = [[0, 0, { name: 'Table', quantity: 1, price_unit: 20 }]] as never
    for (const name of ['LEAVE-1', 'LEAVE-2', 'LEAVE-3'])
      await sales.call([await sales.create({ ...values, name, line_ids })], 'action_confirm')
    return (await env.views()).actionIdByXmlid.get('sale.action_orders')
  })
  await view.follow(`/web?action=${action}&q=LEAVE-`)
  const foot = page.locator('.listview .gf')
  const focused = () => page.evaluate(() => document.activeElement?.closest('.listview [role=gridcell]') !== null)
  await foot.getByText('3 Sales Orders').waitFor()
  for (const name of ['LEAVE-1', 'LEAVE-2']) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await foot.getByText('2 selected').waitFor()
  await bar().getByRole('button', { name: 'Cancel Orders' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel the selected orders (2)?' })
  await question.getByRole('button', { name: 'Cancel Orders' }).click()
  await foot.getByText('1 Sales Order').waitFor()
  await soon(() => bar().count()).toBe(0)
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0)
  await soon(focused).toBe(true)
  await soon(() => page.locator('.chip.updates').count()).toBe(0)

  await toast('2 sales orders: Sales Order → Cancelled').getByRole('button', { name: 'Undo' }).press('Enter')
  await toast('Undone').waitFor()
  await foot.getByText('3 Sales Orders').waitFor()
  await soon(focused).toBe(true)
  await soon(() => page.locator('.chip.updates').count()).toBe(0)
})

test('a lost deal is asked for its reason', async () => {
  const lead = await client.modules().asSystem(async (env) => {
    const [user] = await env.model('core.user').search([['login', '=', 'admin']])
    const [currency] = await env.model('core.currency').search([['name', '=', 'EUR']])
    const values = { name: 'Slipping away', type: 'opportunity', user_id: user!, currency_id: currency! } as const
    return env.model('crm.lead').create(values)
  })
  await view.follow(`/web?model=crm.lead&view_type=form&id=${lead}`)
  await allLoaded(page)
  await page.getByRole('button', { name: 'Mark as Lost' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as Lost' })
  await dialog.getByLabel('Why was it lost?').fill('Too expensive')
  await page.keyboard.press('Enter')
  await toast('Slipping away: “Mark as Lost” is done').waitFor()
  const reason = await client.modules().asSystem(async (env) => {
    const [row] = await env.model('crm.lead').read([lead], ['lost_reason', 'active'])
    return row
  })
  expect(reason).toMatchObject({ lost_reason: 'Too expensive', active: false })
  expect(view.complaints).toEqual([])
})
