import { readFile } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import { checkPdf, pdfInfo } from '../../support/pdf.ts'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
const opened: SignedIn[] = []

afterEach(async () => {
  for (const signedIn of opened.splice(0)) await signedIn.release()
})

test('the dialog makes a file of what is selected or matches, with the chosen columns in the chosen order', async () => {
  const signedIn = await client.signIn('admin')
  opened.push(signedIn)
  const { page } = signedIn
  await signedIn.go('/web?view_type=list&model=sale.order')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Export/ })
  const columns = dialog.getByRole('region', { name: 'Columns' })
  await columns.getByRole('button', { name: 'Clear' }).click()
  await expect.poll(() => dialog.getByRole('button', { name: 'Export', exact: true }).isDisabled()).toBe(true)

  const fields = dialog.getByRole('region', { name: 'Fields' })
  await fields.getByRole('checkbox', { name: 'Total', exact: true }).check()
  await fields.getByRole('searchbox').fill('custom')
  await fields.getByRole('button', { name: 'Fields of Customer' }).click()
  await fields.getByRole('checkbox', { name: 'Customer / City' }).check()
  await columns.getByRole('button', { name: 'Move Customer / City', exact: true }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => columns.locator('.xp-col .cut').allTextContents()).toEqual(['Customer / City', 'Total'])
  await expect.poll(() => dialog.locator('.xp-prev tbody tr').count()).toBe(4)
  expect(await findViolations(page)).toEqual([])

  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export', exact: true }).click(),
  ])
  expect(saved.suggestedFilename()).toMatch(/\.csv$/)
  const lines = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines[0]).toBe('\ufeffCustomer/City,Total')
  expect(lines.length).toBeGreaterThan(5)
  await dialog.waitFor({ state: 'hidden' })
})

test('PDF asks for the size of the page and saves a report', async () => {
  const signedIn = await client.signIn('admin')
  opened.push(signedIn)
  const { page } = signedIn
  await signedIn.go('/web?view_type=list&model=sale.order')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Export/ })
  await dialog.getByRole('button', { name: 'PDF', exact: true }).click()
  const size = dialog.getByRole('combobox', { name: 'Page size' })
  await size.selectOption('letter')
  await expect.poll(() => dialog.locator('.xp-prev tbody tr').count()).toBe(4)
  expect(await findViolations(page)).toEqual([])
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export', exact: true }).click(),
  ])
  expect(saved.suggestedFilename()).toMatch(/\.pdf$/)
  const file = new Uint8Array(await readFile(await saved.path()))
  checkPdf(file)
  expect(pdfInfo(file)['Page size']).toMatch(/^(792 x 612|612 x 792)/)
  await dialog.waitFor({ state: 'hidden' })
})
