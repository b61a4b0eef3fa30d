import { afterEach, describe, expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
const opened: SignedIn[] = []

afterEach(async () => {
  for (const signedIn of opened.splice(0)) await signedIn.handOn()
})

async function open(address: string, options: Parameters<typeof client.signIn>[1] = {}) {
  const signedIn = await client.signIn('admin', options)
  opened.push(signedIn)
  const { page } = signedIn
  page.on('dialog', (dialog) => void dialog.accept())
  await signedIn.go(address)
  return {
    ...signedIn,
    field: (label: string) => page.locator('.sheet').getByLabel(label, { exact: true }).first(),
    rows: page.locator('[data-line]'),
    cell: (row: number, field: string) => page.locator('[data-line]').nth(row).locator(`[data-field=${field}]`),
    focused: () => page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset['field']),
    /** Types into a field with suggestions and takes the first. */
    async take(text: string) {
      await page.keyboard.type(text)
      await page
        .getByRole('option')
        .filter({ hasText: new RegExp(text, 'i') })
        .first()
        .waitFor()
      await page.keyboard.press('Enter')
    },
    async save() {
      await page.keyboard.press('Control+s')
      await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    },
  }
}

type Row = Record<string, unknown>

const asSystem = <T>(run: Parameters<ReturnType<typeof client.modules>['asSystem']>[0]) =>
  client.modules().asSystem(run) as Promise<T>

/** What the server has of the newest record that matches. */
const newest = async (model: string, domain: unknown[], fields: string[]): Promise<Row> => {
  const [row] = await asSystem<Row[]>(async (env) => {
    const records = env.model(model as 'core.partner')
    const ids = await records.search(domain as never, { limit: 1, order: 'id desc' })
    return records.read(ids, fields as never)
  })
  if (!row) throw new Error(`no ${model} like ${JSON.stringify(domain)}`)
  return row
}

/** An order that is still edited, with at least three lines. */
const draftOrder = async (): Promise<number> => {
  const rows = await asSystem<Row[]>(async (env) => {
    // The company of those who sign in.
    const [company] = await env.model('core.company').search([], { limit: 1 })
    const orders = env.model('sale.order')
    const ids = await orders.search([
      ['state', '=', 'draft'],
      ['company_id', '=', company!],
    ])
    return orders.read(ids, ['line_ids'])
  })
  const order = rows.find(({ line_ids }) => Array.isArray(line_ids) && line_ids.length > 2)
  if (!order) throw new Error('no draft order with three lines')
  return Number(order['id'])
}

describe('lines of an order', () => {
  test('are written by keyboard alone: customer, product, quantity, the next line, saved', async () => {
    const { page, field, rows, cell, take, save, focused, complaints } = await open(
      '/web?model=sale.order&view_type=form',
    )
    await field('Customer').click()
    await take('tortona')
    await page.getByRole('button', { name: 'Add line' }).press('Enter')
    await expect.poll(focused).toBe('product_id')
    await take('lamp')
    // The product brings its description, price and taxes, and what is typed meanwhile stays.
    await cell(0, 'quantity').locator('input').focus()
    await page.keyboard.type('3')
    await expect.poll(() => cell(0, 'name').locator('textarea, input').inputValue()).toMatch(/lamp/i)
    await expect.poll(() => cell(0, 'subtotal').textContent()).toMatch(/297\.00/)
    await expect.poll(() => page.locator('[data-field=amount_untaxed]').textContent()).toMatch(/297\.00/)
    await page.keyboard.press('Enter')
    await expect.poll(() => rows.count()).toBe(2)
    await expect.poll(focused).toBe('product_id')
    // A line nobody typed into goes with Escape, and the form stays.
    await page.keyboard.press('Escape')
    await expect.poll(() => rows.count()).toBe(1)
    await save()
    const order = await newest('sale.order', [], ['line_ids', 'amount_untaxed'])
    expect(order).toMatchObject({ amount_untaxed: 297 })
    expect(await newest('sale.order.line', [['id', 'in', order['line_ids']]], ['quantity'])).toMatchObject({
      quantity: 3,
    })
    expect(complaints).toEqual([])
  })

  test('are put in order by their handle and removed, and stay so', async () => {
    const id = await draftOrder()
    const { page, rows, cell, save } = await open(`/web?model=sale.order&view_type=form&id=${id}`)
    await expect.poll(() => rows.count()).toBeGreaterThan(2)
    const names = () => Promise.all([0, 1].map((row) => cell(row, 'product_id').textContent()))
    await expect.poll(names).not.toContain('')
    const [first, second] = await names()
    await rows.nth(1).getByRole('button', { name: /^Move/ }).focus()
    await page.keyboard.press('ArrowUp')
    await expect.poll(names).toEqual([second, first])
    await rows.nth(0).hover()
    await rows
      .nth(0)
      .getByRole('button', { name: /^Remove/ })
      .click()
    await expect.poll(async () => (await names())[0]).toBe(first)
    await save()
    await page.reload()
    await expect.poll(async () => (await names())[0]).toBe(first)
  })

  test('that another user changed meanwhile ask which values to keep', async () => {
    const id = await draftOrder()
    const { page, cell, save } = await open(`/web?model=sale.order&view_type=form&id=${id}`)
    await cell(0, 'quantity').click()
    await cell(0, 'quantity').getByRole('textbox').fill('7')
    const line = Number(await page.locator('[data-line]').first().getAttribute('data-line'))
    await asSystem((env) => env.model('sale.order.line' as 'core.partner').write([line], { quantity: 5 } as never))
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'saved this meanwhile' })
    await dialog.getByLabel('Theirs: 5').check()
    await dialog.getByLabel('Mine: 7').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await save()
    await expect.poll(() => newest('sale.order.line', [['id', '=', line]], ['quantity'])).toMatchObject({ quantity: 7 })
  })

  test('choose their columns in every browser of the user, and pass axe while they are edited', async () => {
    const id = await draftOrder()
    const discount = 'Disc. (%)'
    const { page } = await open(`/web?model=sale.order&view_type=form&id=${id}`)
    await page.getByRole('columnheader', { name: discount }).waitFor()
    const saved = page.waitForResponse((answer) => answer.request().postData()?.includes('sys.preference') === true)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: discount }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('columnheader', { name: discount }).count()).toBe(0)
    await saved
    const other = await open(`/web?model=sale.order&view_type=form&id=${id}`)
    await other.cell(0, 'quantity').click()
    await other.cell(0, 'quantity').locator('input').waitFor()
    await expect.poll(() => other.page.getByRole('columnheader', { name: discount }).count()).toBe(0)
    expect(await findViolations(other.page)).toEqual([])
  })
})

describe('fields', () => {
  test('of dates take words and steps, and say what is no date before anything is sent', async () => {
    const { page, field, save, complaints } = await open('/web?model=crm.lead&view_type=form')
    await field('Subject').fill('Dates')
    const deadline = field('Expected Closing')
    await deadline.fill('next week or so')
    await page.keyboard.press('Tab')
    await expect.poll(() => deadline.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => page.getByText('This is not a date.').count()).toBeGreaterThan(0)
    await page.keyboard.press('Control+s')
    await deadline.fill('+3d')
    await page.keyboard.press('Tab')
    await expect.poll(() => deadline.getAttribute('aria-invalid')).toBe(null)
    await save()
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    await expect
      .poll(() => newest('crm.lead', [['name', '=', 'Dates']], ['date_deadline']))
      .toMatchObject({ date_deadline: day })
    expect(complaints).toEqual([])
  })

  test('of links and tags make what is missing', async () => {
    const { page, field, save } = await open('/web?model=crm.lead&view_type=form')
    await field('Subject').fill('Links')
    await field('Tags').click()
    await page.keyboard.type('Brand new tag')
    await page.getByRole('option', { name: 'Create “Brand new tag”' }).click()
    await page.locator('.tag', { hasText: 'Brand new tag' }).waitFor()
    // Backspace takes the last tag back, and it is found again.
    await field('Tags').press('Backspace')
    await expect.poll(() => page.locator('.tag', { hasText: 'Brand new tag' }).count()).toBe(0)
    await field('Tags').click()
    await page.keyboard.type('brand new')
    await page.getByRole('option', { name: 'Brand new tag', exact: true }).click()
    await save()
    const tag = await newest('crm.tag', [['name', '=', 'Brand new tag']], ['id'])
    await expect
      .poll(() => newest('crm.lead', [['name', '=', 'Links']], ['tag_ids']))
      .toMatchObject({ tag_ids: [tag['id']] })
  })

  test('of stars, switches and colours answer to keys', async () => {
    const { page, field, save } = await open('/web?model=crm.lead&view_type=form')
    await field('Subject').fill('Stars')
    const stars = page.getByRole('slider', { name: 'Priority' })
    await stars.focus()
    const before = Number(await stars.getAttribute('aria-valuenow'))
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => stars.getAttribute('aria-valuenow')).toBe(String(before + 1))
    await save()
    const lead = await newest('crm.lead', [['name', '=', 'Stars']], ['priority'])
    expect(lead['priority']).not.toBe(null)
  })

  test('of rich text are marked, undone, cleaned and kept', async () => {
    const { page, save, field, complaints } = await open('/web?model=crm.lead&view_type=form')
    await field('Subject').fill('Rich')
    await page.getByRole('tab', { name: 'Notes' }).click()
    const text = page.getByRole('textbox', { name: 'Notes' })
    await text.click()
    await page.keyboard.type('Pay in ')
    await page.keyboard.press('Control+b')
    await page.keyboard.type('30 days')
    await page.keyboard.press('Control+b')
    await page.keyboard.press('Enter')
    await page.keyboard.type('oops')
    await page.keyboard.press('Control+z')
    await expect.poll(() => text.textContent()).not.toMatch(/oops/)
    await save()
    const { description } = await newest('crm.lead', [['name', '=', 'Rich']], ['description'])
    expect(String(description)).toMatch(/<p>Pay in\s<b>30 days/)
    expect(complaints).toEqual([])
  })

  test('of pictures show what was chosen and refuse what is none', async () => {
    const { page, field, save, complaints } = await open('/web?model=core.partner&view_type=form')
    await field('Name').fill('Pictured')
    const input = page.locator('.imagefield input[type=file]')
    await input.setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    await expect.poll(() => page.getByText('This is not a picture.').count()).toBeGreaterThan(0)
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    await input.setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') })
    await page.locator('.imagefield img').waitFor()
    await save()
    await expect
      .poll(() => newest('core.partner', [['name', '=', 'Pictured']], ['image']))
      .toMatchObject({ image: pixel })
    expect(complaints).toEqual([])
  })

  test('of pictures make large ones smaller, to kinds that a letter can show', async () => {
    const { id } = await newest('core.company', [], ['id'])
    const { page, save, complaints } = await open(`/web?model=core.company&view_type=form&id=${id}`)
    const input = page.locator('.imagefield input[type=file]')
    const image = page.locator('.imagefield img')
    const shown = () =>
      image.evaluate(({ src, naturalWidth }: HTMLImageElement) => `${src.slice(0, 20)} ${naturalWidth}`)
    for (const [type, start] of [
      ['png', 'iVBORw0KGgo'],
      ['jpeg', '/9j/'],
    ] as const) {
      await input.setInputFiles({ name: 'x', mimeType: `image/${type}`, buffer: await page.screenshot({ type }) })
      await expect.poll(shown).toMatch(new RegExp(`^data:image/${type}.* 1024$`))
      await save()
      await expect
        .poll(() => newest('core.company', [], ['logo']))
        .toMatchObject({ logo: expect.stringMatching(new RegExp(`^${start}`)) })
    }
    expect(complaints).toEqual([])
  })

  test('of JSON say where it is wrong', async () => {
    const { page, field } = await open('/web?model=sys.filter&view_type=form')
    await field('Domain').fill('{a')
    await page.keyboard.press('Tab')
    await expect.poll(() => field('Domain').getAttribute('aria-invalid')).toBe('true')
    await field('Domain').fill('[["name", "=", "x"]]')
    await page.keyboard.press('Tab')
    await expect.poll(() => field('Domain').getAttribute('aria-invalid')).toBe(null)
  })
})
