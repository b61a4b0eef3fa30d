import { describe, expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { open, useForms } from './form-page.ts'

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
    await soon(async () => (await rows.allTextContents()).every((text) => /studio/i.test(text))).toBe(true)
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
    const name = await first.getAttribute('aria-label')
    await first.click()
    await page.locator('.tag', { hasText: name! }).waitFor()
    await assignees.click()
    await page.getByRole('option').first().waitFor()
    expect(await page.getByRole('option', { name: name!, exact: true }).count()).toBe(0)
  })
})
