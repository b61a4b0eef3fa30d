import { describe, expect, test } from 'vitest'
import { find, open, read, useForms } from './form-page.ts'

useForms()

/** A draft order, and the quantity of its first line with a product. */
async function openOrder() {
  const line = await find('sale.order.line', [
    ['order_id.state', '=', 'draft'],
    ['order_id.company_id', '=', 1],
    ['product_id', '!=', null],
    ['quantity', '>', 1],
  ])
  const { order_id, quantity } = await read('sale.order.line', line, ['order_id', 'quantity'])
  const opened = await open(`/web?model=sale.order&view_type=form&id=${(order_id as [number, string])[0]}`)
  const cell = opened.page.locator(`.lines [data-line="${line}"] [data-field=quantity]`)
  const shownQuantity = async () => Number(await cell.textContent())
  await expect.poll(shownQuantity).toBe(quantity)
  return { ...opened, line, cell, quantity, shownQuantity }
}

describe('a typed text that is no value', () => {
  test('stays in the line of a new record, with its error, and keeps it from being saved, also after a reload', async () => {
    const { page, field, writes, button } = await open('/web?model=sale.order&view_type=form')
    await field('Customer').fill('Omotesando')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await button('Add line').press('Enter')
    await page.keyboard.type('Desk Lamp')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    const cell = page.locator('.lines [data-line="-1"] [data-field=quantity]')
    await cell.locator('input').fill('3*2')
    await page.keyboard.press('Enter')
    await page.locator('.lines [data-line="-2"].editing').waitFor()
    await expect.poll(() => cell.textContent()).toBe('3*2')
    expect(await cell.getAttribute('aria-invalid')).toBe('true')
    await button('Save').click()
    await page.getByText('Quantity: Write a number like 1,234.50.').first().waitFor()
    expect(writes()).toEqual([])
    await page.reload()
    await expect.poll(() => cell.textContent()).toBe('3*2')
    await page.keyboard.press('Control+s')
    await page.locator('.problems').waitFor()
    expect(writes()).toEqual([])
    await page.locator('.problems').getByRole('button').click()
    await expect.poll(() => cell.locator('input').inputValue()).toBe('3*2')
    await page.keyboard.type('6')
    await page.keyboard.press('Control+s')
    await page.waitForURL(/[?&]id=\d+/)
    const id = Number(new URL(page.url()).searchParams.get('id'))
    const { line_ids } = await read('sale.order', id, ['line_ids'])
    expect(await read('sale.order.line', (line_ids as number[])[0]!, ['quantity'])).toMatchObject({ quantity: 6 })
  })

  test('is marked in the line of a saved record, where the list of problems leads to, and goes with Discard', async () => {
    const { page, cell, line, button, writes, field, quantity, shownQuantity } = await openOrder()
    await cell.click()
    await cell.locator('input').fill('1,5')
    await field('Customer Reference').click()
    await expect.poll(() => cell.textContent()).toBe('1,5')
    expect(await cell.getAttribute('aria-invalid')).toBe('true')
    await page.keyboard.press('Control+s')
    await page.locator('.problems').getByRole('button', { name: 'Quantity: Write a number' }).click()
    await expect.poll(() => cell.locator('input').evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await cell.locator('input').inputValue()).toBe('1,5')
    expect(writes()).toEqual([])
    await button('Discard').click()
    await page.getByText('Changes discarded').waitFor()
    await expect.poll(shownQuantity).toBe(quantity)
    await expect.poll(() => page.getByText('Write a number').count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => cell.textContent()).toBe('1,5')
    await button('Discard').click()
    expect(await read('sale.order.line', line, ['quantity'])).toMatchObject({ quantity })
  })

  test('gives way to the value from before by Escape', async () => {
    const { page, cell, quantity, shownQuantity } = await openOrder()
    await cell.click()
    await cell.locator('input').fill('')
    await cell.locator('input').pressSequentially('1,5')
    await page.keyboard.press('Escape')
    await expect.poll(shownQuantity).toBe(quantity)
    await expect.poll(() => page.locator('.problems').count()).toBe(0)
  })

  test('in a field of the record is still there after a reload', async () => {
    const { page, field } = await openOrder()
    await field('Promised Delivery').fill('tomorrowish')
    await field('Promised Delivery').blur()
    await page.getByText('This is not a date.').waitFor()
    await page.reload()
    await page.getByText('This is not a date.').waitFor()
    expect(await field('Promised Delivery').inputValue()).toBe('tomorrowish')
  })

  test('does not take lines away that come back with it', async () => {
    const { page, button, field } = await openOrder()
    await button('Add line').press('Enter')
    await page.keyboard.type('Desk Lamp')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await field('Customer Reference').click()
    await page.reload()
    const added = page.locator('.lines [data-line="-1"]')
    await added.locator('[data-field=quantity]').click()
    await added.locator('input').first().waitFor()
    await field('Customer Reference').click()
    await expect.poll(() => added.locator('input').count()).toBe(0)
    expect(await added.count()).toBe(1)
  })
})
