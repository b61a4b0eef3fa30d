import { describe, expect, test } from 'vitest'
import { createPartner, find, open, partnerForm, read, useForms } from './form-page.ts'

useForms()

describe('an order', () => {
  test('follows its customer and its lines by keyboard, and adds up', async () => {
    const { page, field, sent } = await open('/web?model=sale.order&view_type=form')
    await field('Customer').fill('Omotesando')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => field('Price List').inputValue()).not.toBe('')
    await page.getByRole('button', { name: 'Add line' }).press('Enter')
    await page.keyboard.type('Desk Lamp')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    const total = page.locator('.totals .grand')
    await expect.poll(() => total.textContent()).not.toContain('0.00')
    await page.keyboard.press('Control+s')
    await page.waitForURL(/[?&]id=\d+/)
    const created = sent.find(({ method }) => method === 'create')?.args[0] as Record<string, unknown>
    expect(created).not.toHaveProperty('amount_total')
    expect(JSON.stringify(created['line_ids'])).not.toContain('subtotal')
  })

  test('is saved with the price of a line that is still being asked for', async () => {
    const id = await find('sale.order', [
      ['state', '=', 'draft'],
      ['company_id', '=', 1],
    ])
    const { page, saveBar } = await open(`/web?model=sale.order&view_type=form&id=${id}`)
    let letAnswer = () => {}
    const mayAnswer = new Promise<void>((resolve) => {
      letAnswer = resolve
    })
    await page.route('**/api/rpc', async (route) => {
      const { model, method } = route.request().postDataJSON()
      if (model === 'sale.order.line' && method === 'onchange') await mayAnswer
      await route.fallback()
    })
    await page.getByRole('button', { name: 'Add line' }).press('Enter')
    await page.keyboard.type('Desk Lamp')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+s')
    letAnswer()
    await saveBar.waitFor({ state: 'detached' })
    const { line_ids } = await read('sale.order', id, ['line_ids'])
    const line = await read('sale.order.line', (line_ids as number[]).at(-1)!, ['name', 'price_unit', 'quantity'])
    expect(line).toMatchObject({ name: expect.stringContaining('Desk Lamp'), quantity: 1 })
    expect(Number(line['price_unit'])).toBeGreaterThan(0)
    await page.unroute('**/api/rpc')
  })

  test('is saved without the line that was opened and never filled, also the one Enter opened behind a filled one', async () => {
    const id = await find('sale.order', [
      ['state', '=', 'draft'],
      ['company_id', '=', 1],
    ])
    const countLines = async () => ((await read('sale.order', id, ['line_ids']))['line_ids'] as number[]).length
    const before = await countLines()
    const { page, field, saveBar, writes } = await open(`/web?model=sale.order&view_type=form&id=${id}`)
    const rows = page.locator('.sheet [data-line]')
    await expect.poll(() => rows.count()).toBe(before)
    await page.getByRole('button', { name: 'Add line' }).press('Enter')
    await expect.poll(() => rows.count()).toBe(before + 1)
    await field('Customer Reference').evaluate((each: HTMLInputElement) => {
      each.value = 'PO 12'
      each.dispatchEvent(new InputEvent('input', { bubbles: true }))
      each.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await saveBar.waitFor()
    await page.keyboard.press('Control+s')
    await saveBar.waitFor({ state: 'detached' })
    expect(JSON.stringify(writes().map(({ args }) => args))).not.toContain('line_ids')
    await expect.poll(() => rows.count()).toBe(before)
    await page.getByRole('button', { name: 'Add line' }).press('Enter')
    await page.keyboard.type('Desk Lamp')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect.poll(() => rows.count()).toBe(before + 2)
    await page.keyboard.press('Control+s')
    await saveBar.waitFor({ state: 'detached' })
    await expect.poll(() => rows.count()).toBe(before + 1)
    expect(await countLines()).toBe(before + 1)
  })

  test('is confirmed by its button, after its changes are saved', async () => {
    const id = await find('sale.order', [
      ['state', '=', 'draft'],
      ['company_id', '=', 1],
    ])
    const { page, field, button, writes } = await open(`/web?model=sale.order&view_type=form&id=${id}`)
    await field('Customer Reference').fill('PO 4711')
    await button('Confirm').press('Enter')
    await page.locator('[aria-current=step]', { hasText: 'Sales Order' }).waitFor()
    expect(writes().map(({ method }) => method)).toEqual(['write'])
    expect(await read('sale.order', id, ['client_ref', 'state'])).toMatchObject({
      client_ref: 'PO 4711',
      state: 'sale',
    })
    await expect.poll(() => button('Confirm').count()).toBe(0)
    // The pressed button is gone; the focus stays beside it, and at a button that remains.
    const hasFocus = (name: string) => button(name).evaluate((each) => each === document.activeElement)
    await expect.poll(() => hasFocus('More actions')).toBe(true)
    await page.getByLabel('Message', { exact: true }).fill('By phone')
    await button('Log note').press('Enter')
    await page.locator('.chatter').getByText('By phone').last().waitFor()
    await expect.poll(() => page.getByLabel('Message', { exact: true }).inputValue()).toBe('')
    expect(await hasFocus('Log note')).toBe(true)
  })

  test('shows products over the room of descriptions they do not have, and counts the taxes that do not fit', async () => {
    const orderOf = async (condition: readonly [string, string, string]) => {
      const line = await find('sale.order.line', [condition, ['order_id.company_id', '=', 1]])
      return ((await read('sale.order.line', line, ['order_id']))['order_id'] as [number, string])[0]
    }
    const { page, follow } = await open(
      `/web?model=sale.order&view_type=form&id=${await orderOf(['name', 'ilike', 'Electric, '])}`,
    )
    await page.getByRole('columnheader', { name: 'Description' }).waitFor()
    const plain = page.locator('.lines .gr:has(> .gc[data-m=sub]:empty) > .gc[data-m=title]')
    const isCut = (cells: readonly Element[]) => cells.some((cell) => cell.scrollWidth > cell.clientWidth)
    await expect.poll(() => plain.count()).toBeGreaterThan(0)
    expect(await plain.evaluateAll(isCut)).toBe(false)
    await follow(`/web?model=sale.order&view_type=form&id=${await orderOf(['tax_ids.name', 'ilike', 'Recycling'])}`)
    await page.locator('.lines .taglist[data-more="+1"]').first().waitFor()
  })

  test('asks before it is cancelled, and goes where an action sends', async () => {
    const id = await find('sale.order', [
      ['state', '=', 'sent'],
      ['company_id', '=', 1],
    ])
    const { page, button, more, writes } = await open(`/web?model=sale.order&view_type=form&id=${id}`)
    await button('Cancel Order').click()
    const dialog = page.getByRole('dialog', { name: 'Cancel this order?' })
    await dialog.getByRole('button', { name: 'Go back' }).click()
    expect(writes()).toEqual([])
    if ((await button('Duplicate').count()) > 0) await button('Duplicate').click()
    else await more('Duplicate')
    await page.waitForURL((url) => Number(url.searchParams.get('id')) > 0 && Number(url.searchParams.get('id')) !== id)
  })

  test('shows what may not be changed any more as text', async () => {
    const id = await find('sale.order', [
      ['state', '=', 'done'],
      ['company_id', '=', 1],
    ])
    const { page } = await open(`/web?model=sale.order&view_type=form&id=${id}`)
    await expect.poll(() => page.locator('[data-field=partner_id] input').count()).toBe(0)
    await expect.poll(() => page.locator('[data-field=client_ref] input').count()).toBe(0)
    await page.getByRole('tab', { name: 'Other Information' }).click()
    await expect.poll(() => page.locator('[data-field=user_id] input').count()).toBe(1)
  })
})

describe('a lead', () => {
  test('shows fields, pages and buttons by its own values', async () => {
    const id = await find('crm.lead', [
      ['type', '=', 'lead'],
      ['active', '=', true],
    ])
    const { page, button } = await open(`/web?model=crm.lead&view_type=form&id=${id}`)
    await button('Convert to Opportunity').waitFor()
    await expect.poll(() => page.getByRole('tab', { name: 'Quotations and Orders' }).count()).toBe(0)
    await button('Convert to Opportunity').click()
    await page.getByRole('tab', { name: 'Quotations and Orders' }).waitFor()
    await button('New Quotation').waitFor()
  })

  test('that is put into another stage by keyboard leaves the focus on that stage', async () => {
    const id = await find('crm.lead', [
      ['stage_id.name', '=', 'New'],
      ['type', '=', 'opportunity'],
    ])
    const { page } = await open(`/web?model=crm.lead&view_type=form&id=${id}`)
    const stage = page.locator('.status').getByRole('button', { name: 'Qualified' })
    await stage.press('Enter')
    await expect.poll(() => stage.getAttribute('aria-current')).toBe('step')
    expect(await stage.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  test('opens what its smart button counts', async () => {
    const id = await find('crm.lead', [
      ['order_ids', '!=', null],
      ['active', '=', true],
    ])
    const { page } = await open(`/web?model=crm.lead&view_type=form&id=${id}`)
    await page.getByRole('navigation', { name: 'Related records' }).getByRole('button').first().click()
    await page.waitForURL((url) => url.searchParams.get('id') !== String(id))
  })

  test('changes its pages by arrow keys and keeps the page for the next record', async () => {
    const id = await find('crm.lead', [
      ['type', '=', 'opportunity'],
      ['active', '=', true],
    ])
    const { page } = await open(`/web?model=crm.lead&view_type=form&id=${id}`)
    await page.getByRole('tab', { name: 'Activities' }).focus()
    await page.keyboard.press('ArrowRight')
    const second = page.getByRole('tab', { selected: true })
    await expect.poll(() => second.textContent()).toContain('Quotations')
    await page
      .getByRole('link', { name: /(Next|Previous) record/ })
      .first()
      .click()
    await page.waitForURL((url) => url.searchParams.get('id') !== String(id))
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toContain('Quotations')
  })
})

describe('records side by side', () => {
  test('are walked through in the order of their list, by links and by keys', async () => {
    const { page } = await open('/web?model=core.partner&view_type=list&sort=-name')
    const rows = page.getByRole('row').getByRole('link')
    await rows.nth(1).waitFor()
    const [first = '', second = ''] = await rows.allTextContents()
    await rows.nth(0).click()
    await page.getByRole('heading', { level: 1, name: first }).waitFor()
    await page.getByRole('link', { name: 'Next record' }).click()
    await page.getByRole('heading', { level: 1, name: second }).waitFor()
    await page.getByText(/^2 of /).waitFor()
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByRole('heading', { level: 1, name: first }).waitFor()
    // Going to the next record leaves the breadcrumbs as they were.
    await expect.poll(() => page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').count()).toBe(3)
  })

  test('a record is duplicated as a draft, which nothing is created of until it is saved', async () => {
    const id = await createPartner({ name: 'Twice Told', city: 'Leeds', ref: 'TT-1' })
    const { page, field, more, writes, saveBar } = await open(partnerForm(id))
    await more('Duplicate')
    await page.waitForURL((url) => !url.searchParams.has('id'))
    // The form of the original has the same values, and stays until the new one is there.
    await saveBar.waitFor()
    await expect.poll(() => field('Name').inputValue()).toBe('Twice Told')
    await expect.poll(() => field('City').inputValue()).toBe('Leeds')
    expect(writes()).toEqual([])
    await page.keyboard.press('Control+s')
    await page.waitForURL(/[?&]id=\d+/)
  })

  test('a record is archived and brought back', async () => {
    const id = await createPartner({ name: 'Off the Shelf' })
    const { page, more } = await open(partnerForm(id))
    await more('Archive')
    await page.locator('.topbar, .actbar').getByText('Archived').waitFor()
    await expect.poll(() => read('core.partner', id, ['active'])).toMatchObject({ active: false })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await read('core.partner', id, ['active']))['active']).toBe(true)
  })

  test('a deleted record comes back by Undo, and is gone after five seconds without it', async () => {
    const id = await createPartner({ name: 'Short Lived' })
    const { page, more, writes } = await open(partnerForm(id))
    await more('Delete')
    await page.getByText('Short Lived deleted').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('id')).toBeNull()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('heading', { level: 1, name: 'Short Lived' }).waitFor()
    expect(writes()).toEqual([])
    await more('Delete')
    await page.mouse.move(5, 5)
    await expect.poll(() => writes().map(({ method }) => method)).toEqual(['unlink'])
  })
})
