import { expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { open, useForms } from './form-page.ts'

useForms()
const soon = expect.poll

test('an administrator sets how long quotations are valid and their terms, which new ones have', async () => {
  const { page, go, complaints } = await open('/web/settings')
  await page.locator('.setcards a[href="/web/settings/app#app=sale"]').click()
  const form = page.getByRole('region', { name: 'Settings of Sales' })
  const days = form.getByLabel('Validity of quotations')
  await days.fill('thirty')
  await form.getByRole('button', { name: 'Discard' }).waitFor()
  await page.keyboard.press('Control+s')
  await form.getByRole('alert').waitFor()
  expect(await form.getByRole('alert').textContent()).toBe('Must be a whole number.')
  complaints.length = 0
  await days.fill('30')
  await form.getByLabel('Terms of new quotations').fill('Payment within 14 days.')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await soon(() => form.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.setViewportSize({ width: 1440, height: 900 })
  await go('/web?model=sale.order&view_type=form')
  await soon(() => page.locator('.sheet').getByLabel('Valid Until', { exact: true }).inputValue()).not.toBe('')
  await page.getByRole('tab', { name: 'Terms and Notes' }).click()
  await page.getByText('Payment within 14 days.').waitFor()
})

test('what is typed is discarded by Escape, and leaving asks first', async () => {
  const { page } = await open('/web/settings/app')
  await page.getByRole('button', { name: 'CRM', exact: true }).click()
  const days = page.getByRole('region', { name: 'Settings of CRM' }).getByLabel('Expected closing of new leads')
  await days.fill('45')
  await page.getByRole('button', { name: 'Sales', exact: true }).last().click()
  const dialog = page.getByRole('dialog', { name: 'Discard your changes?' })
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  expect(await days.inputValue()).toBe('45')
  await page.getByRole('button', { name: 'Discard' }).waitFor()
  await days.press('Escape')
  await soon(() => days.inputValue()).toBe('')
})

test('hours that are entered follow the settings of Project', async () => {
  const { page, go, complaints } = await open('/web/settings/app#app=project')
  const form = page.getByRole('region', { name: 'Settings of Project' })
  await form.getByLabel('Round hours up').fill('15')
  await page.keyboard.press('Control+s')
  await page.getByText('Saved', { exact: true }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await go('/web?model=project.timesheet&view_type=form')
  const hours = page.locator('.sheet').getByLabel('Hours', { exact: true })
  await hours.fill('1.1')
  await hours.press('Tab')
  await soon(() => hours.inputValue()).toBe('1.25')
  expect(complaints).toEqual([])
})
