import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { RESTING_VIEW, type SignedIn, useClient } from './fixture.ts'
import { callAs, fieldOf } from './two-people.ts'

/** A form that `seller` works in while `admin` changes, takes away or deletes the record. */
const client = useClient()
let admin: SignedIn
let seller: SignedIn
let page: Page

beforeAll(async () => {
  admin = await client.signIn()
  seller = await client.signIn('seller')
  page = seller.page
  await admin.go(RESTING_VIEW)
  await seller.go(RESTING_VIEW)
})
afterAll(async () => {
  expect([...admin.complaints, ...seller.complaints]).toEqual([])
  await admin?.page.context().close()
  await seller?.page.context().close()
})

const byAdmin = <T = true>(model: string, method: string, args: readonly unknown[]): Promise<T> =>
  callAs(admin, model, method, args)
const formOf = (model: string, id: number) => `/web?model=${model}&view_type=form&id=${id}`

/** The first record that matches. */
const first = async (model: string, domain: unknown[] = []): Promise<number> => {
  const [id] = await client
    .modules()
    .asSystem((env) => env.model(model as 'core.partner').search(domain as never, { limit: 1 }))
  return Number(id)
}
const userOf = (login: string) => first('core.user', [['login', '=', login]])

/** A quotation of the seller with a line. */
async function createOrder(values: object = {}): Promise<number> {
  const line = {
    product_id: await first('product.product', [['company_id', '=', null]]),
    quantity: 3,
    price_unit: 12.5,
  }
  return callAs(seller, 'sale.order', 'create', [
    { partner_id: await first('core.partner', [['company_id', '=', null]]), line_ids: [[0, 0, line]], ...values },
  ])
}

const createPartner = (values: object) => callAs<number>(seller, 'core.partner', 'create', [values])
const notice = () => page.locator('.note.deleted')
const button = (name: string) => page.getByRole('button', { name, exact: true })

/** Opens the form of a record, as a link does, and waits until others are followed. */
async function open(model: string, id: number): Promise<void> {
  await seller.followAnew(formOf(model, id))
  await page.locator('.present').waitFor({ state: 'attached' })
  await allLoaded(page)
}

/** Leaves a form without saving. */
async function leave(): Promise<void> {
  await page.locator('.note.deleted').getByText('Go back').click()
  await page.waitForURL(`**${RESTING_VIEW}`)
}

/** What has the focus, as a text. */
const focused = () =>
  page.evaluate(() => {
    const { activeElement } = document
    return activeElement?.closest<HTMLElement>('[data-field]')?.dataset['field'] ?? activeElement?.tagName
  })

describe('a record that another user deletes', () => {
  test('becomes a new one with all that was typed and shown, also what a copy would not have', async () => {
    const id = await createOrder({ client_ref: 'PO 17', validity_date: '2031-03-04' })
    await open('sale.order', id)
    await fieldOf(page, 'Promised Delivery').fill('06/05/2031')
    await fieldOf(page, 'Customer Reference').fill('PO 17, changed')
    await allLoaded(page)
    await byAdmin('sale.order', 'unlink', [[id]])
    await notice().getByRole('button', { name: 'Save as new' }).click()
    await page.waitForURL((url) => !url.searchParams.has('id'))
    await allLoaded(page)
    await page.keyboard.press('Control+s')
    await page.waitForURL((url) => url.searchParams.has('id'))
    const saved = Number(new URL(page.url()).searchParams.get('id'))
    expect(saved).not.toBe(id)
    const names = ['client_ref', 'commitment_date', 'validity_date', 'line_ids']
    const [order] = await callAs<[{ line_ids: number[] }]>(seller, 'sale.order', 'read', [[saved], names])
    expect(order).toMatchObject({
      ...{ client_ref: 'PO 17, changed', validity_date: '2031-03-04' },
      commitment_date: expect.stringMatching(/^2031-0[56]-0[56]$/),
    })
    const lines = await callAs<object[]>(seller, 'sale.order.line', 'read', [order.line_ids, ['quantity']])
    expect(lines).toMatchObject([{ quantity: 3 }])
  })

  test('offers neither its buttons nor to save, and who deleted it stays known', async () => {
    const id = await createOrder()
    await open('sale.order', id)
    await fieldOf(page, 'Customer Reference').fill('Typed')
    await allLoaded(page)
    await button('Confirm').waitFor()
    await byAdmin('sale.order', 'unlink', [[id]])
    await notice().getByText('admin deleted this record.').waitFor()
    expect(
      await Promise.all(['Confirm', 'Save', 'Discard', 'More actions'].map((name) => button(name).count())),
    ).toEqual([0, 0, 0, 0])
    await page.keyboard.press('Control+s')
    await notice().getByText('admin deleted this record.').waitFor()
    expect(await fieldOf(page, 'Customer Reference').inputValue()).toBe('Typed')
    expect(await findViolations(page)).toEqual([])
    await leave()
  })
})

describe('a record that a user may no longer see', () => {
  const hide = async (id: number) => {
    await byAdmin('sale.order', 'write', [[id], { user_id: await userOf('admin') }])
  }

  test('leaves the list: at once while the user is not working in it, otherwise with a notice', async () => {
    const [one, two] = [await createOrder(), await createOrder()]
    await page.mouse.move(2, 2)
    await seller.follow('/web?model=sale.order&view_type=list')
    const row = (id: number) => page.locator(`.gr[data-id="${id}"]`)
    await row(two).waitFor()
    await allLoaded(page)
    await hide(one)
    await row(one).waitFor({ state: 'detached' })
    await row(two).hover()
    await hide(two)
    await row(two).getByText('No longer visible to you').waitFor({ state: 'attached' })
    await page.locator('.chip.updates').click()
    await page.getByRole('listitem').getByText('is no longer visible to you').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('says so in its form, keeps what was typed, and shows the record again when it may be seen', async () => {
    const id = await createOrder()
    await open('sale.order', id)
    await fieldOf(page, 'Customer Reference').fill('Typed')
    await allLoaded(page)
    await hide(id)
    await notice().getByText('You can no longer see this record.').waitFor()
    await notice().getByText('it is kept here until you leave').waitFor()
    expect(await button('Confirm').count()).toBe(0)
    await byAdmin('sale.order', 'write', [[id], { user_id: await userOf('seller') }])
    await notice().waitFor({ state: 'detached' })
    await button('Confirm').waitFor()
    expect(await fieldOf(page, 'Customer Reference').inputValue()).toBe('Typed')
    await hide(id)
    await leave()
  })

  test('has a way back from its address', async () => {
    const id = await createOrder()
    await hide(id)
    await seller.follow('/web?model=sale.order&view_type=list')
    await page.evaluate(
      (href) => {
        const link = document.body.appendChild(Object.assign(document.createElement('a'), { href }))
        link.click()
        link.remove()
      },
      formOf('sale.order', id),
    )
    await page.getByRole('heading', { name: 'You are not allowed to do this' }).waitFor()
    await page.getByRole('link', { name: 'Go back' }).click()
    await page.waitForURL((url) => url.searchParams.get('view_type') === 'list')
    await page.locator('.gb .gr').first().waitFor()
    seller.complaints.length = 0
  })
})

describe('a form in which the user types', () => {
  test('does not move when another user saves or deletes the record', async () => {
    const id = await createPartner({ name: 'Sundew', city: 'Leeds' })
    await open('core.partner', id)
    await fieldOf(page, 'Street').fill('My Road 2')
    await allLoaded(page)
    const top = () => fieldOf(page, 'Street').evaluate((box) => box.getBoundingClientRect().top)
    const before = await top()
    await byAdmin('core.partner', 'write', [[id], { city: 'Porto' }])
    await page.getByText('admin saved this meanwhile.').waitFor()
    expect(await top()).toBe(before)
    expect(await findViolations(page)).toEqual([])
    await byAdmin('core.partner', 'unlink', [[id]])
    await notice().waitFor()
    expect(await top()).toBe(before)
    await leave()
  })

  test('saves a decided conflict with Ctrl and Enter, and keeps the focus where it was', async () => {
    const id = await createPartner({ name: 'Teasel', street: 'Old Road 1' })
    await open('core.partner', id)
    await fieldOf(page, 'Street').fill('My Road 2')
    await allLoaded(page)
    await byAdmin('core.partner', 'write', [[id], { street: 'Their Road 3' }])
    await page.getByText('Also changed there: Street.').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog', { name: 'admin saved this meanwhile' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await button('Save').waitFor({ state: 'detached' })
    const [saved] = await callAs<[object]>(seller, 'core.partner', 'read', [[id], ['street']])
    expect(saved).toMatchObject({ street: 'My Road 2' })
    expect(await focused()).toBe('street')
    // The complaint about the first save, which was refused.
    seller.complaints.length = 0
  })

  test('keeps the focus in the field when its changes are discarded', async () => {
    const id = await createPartner({ name: 'Weld', street: 'Old Road 1' })
    await open('core.partner', id)
    await fieldOf(page, 'Street').fill('My Road 2')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect.poll(() => fieldOf(page, 'Street').inputValue()).toBe('Old Road 1')
    await button('Save').waitFor({ state: 'detached' })
    expect(await focused()).toBe('street')
  })
})

test('updates that are shown from their button give the focus back to where it was', async () => {
  const id = await createPartner({ name: 'Anise One' })
  await seller.follow('/web?model=core.partner&view_type=list&q=Anise')
  const cell = page.locator(`.gr[data-id="${id}"] [role=gridcell][tabindex]`).first()
  await cell.hover()
  await cell.focus()
  await byAdmin('core.partner', 'create', [{ name: 'Anise Two' }])
  await page.locator('.chip.updates').focus()
  await page.keyboard.press('r')
  await page.locator('.chip.updates').waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true)
})
