import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
let signedIn: SignedIn
let page: Page

beforeAll(async () => {
  signedIn = await client.signIn()
  page = signedIn.page
  await signedIn.go('/web?model=core.partner&view_type=list')
})
afterAll(async () => {
  // The refusal that a test asks for.
  const refused = 'error: Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)'
  expect(signedIn?.complaints).toEqual([refused])
  await page?.context().close()
})

const partners = (like: string) =>
  client.modules().asSystem((env) => env.model('core.partner').searchRead([['name', '=like', like]], ['name', 'city']))

const check = (column: string) => page.getByRole('row', { name: column }).locator('.chk')

const upload = async (name: string, text: string) => {
  await signedIn.follow('/web?model=core.partner&view_type=list')
  await page.getByRole('button', { name: 'Import' }).click()
  await page.getByLabel('File to import').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.getByRole('heading', { name }).waitFor()
}

test('a file goes from the list over mapping and dry run to records, and back again', async () => {
  await page.getByRole('button', { name: 'Import' }).click()
  const file = {
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Name,City name,Land\nPage Ada,Ulm,Germany\nPage Bob,Bonn,Nowhere\n'),
  }
  const template = page.getByRole('dialog').getByRole('link', { name: 'Template' })
  expect(await template.getAttribute('href')).toMatch(/^\/web\/bulk\/template\?model=core\.partner&fields=name%2C/)
  await page.getByLabel('File to import').setInputFiles(file)
  await page.getByRole('heading', { name: 'people.csv' }).waitFor()
  // It stays in the application it was begun in.
  await page.locator('.side-nav').getByRole('link', { name: 'All Contacts' }).waitFor()
  const rows = page.getByRole('list', { name: 'Rows' })
  await rows.getByText('Land: There is no record "Nowhere".').waitFor()
  await expect.poll(() => page.getByLabel('Field for Land').inputValue()).toBe('country_id')
  await check('Land').getByText('1 not found').waitFor()
  await check('Name').getByText('By label').waitFor()
  await page.getByText('2 rows, 3 columns, UTF-8, Comma').waitFor()
  expect(await findViolations(page)).toEqual([])

  // With an error nothing can be imported, unless its row is skipped.
  const skip = page.getByRole('checkbox', { name: 'Skip rows with errors and give them back as CSV' })
  const blocked = page.getByText('1 row has an error. Fix it, or skip it.')
  await blocked.waitFor()
  expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true)
  await skip.check()
  await expect.poll(() => page.getByRole('button', { name: 'Import 1 row' }).isEnabled()).toBe(true)
  await page.getByText('1 row has an error and is skipped.').waitFor()
  expect(await blocked.count()).toBe(0)
  await skip.uncheck()
  await blocked.waitFor()

  // A name that no record has is settled by a suggestion, another record, or no value.
  const values = page.getByRole('region', { name: 'Values to settle' })
  const instead = values.getByLabel('Use instead of Nowhere')
  await values.getByText('No record has this name').waitFor()
  await instead.selectOption({ label: 'Another record…' })
  await values.getByRole('combobox', { name: 'Use instead of Nowhere' }).fill('Portug')
  await page.getByRole('option', { name: 'Portugal' }).click()
  await expect.poll(() => instead.locator('option:checked').textContent()).toBe('Portugal')
  await instead.selectOption({ label: 'Leave empty' })
  // A column with a similar name goes to its field if wanted.
  await check('City name').getByRole('button', { name: 'Use City' }).click()
  await check('City name').getByText('Your choice').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await page.getByRole('heading', { name: 'The import is done' }).waitFor()
  await page.getByText('2 created, 0 updated, 0 skipped.').waitFor()
  expect(await partners('Page %')).toMatchObject([{ name: 'Page Ada', city: 'Ulm' }, { name: 'Page Bob' }])
  expect(await findViolations(page)).toEqual([])

  // Undo says what it removes, and asks.
  await page.getByRole('button', { name: 'Undo the import' }).click()
  const asked = page.getByRole('dialog', { name: 'Undo the import?' })
  await asked.getByText('2 records that it created are deleted.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await asked.waitFor({ state: 'hidden' })
  expect(await partners('Page %')).toHaveLength(2)
  await page.getByRole('button', { name: 'Undo the import' }).click()
  await asked.getByRole('button', { name: 'Undo the import' }).click()
  await page.getByText('2 deleted, 0 restored.').waitFor()
  expect(await partners('Page %')).toEqual([])
})

test('the actions after an import are in one line', async () => {
  await upload('partly.csv', 'Name,Country\nPartly Ada,Germany\nPartly Bob,Nowhere\n')
  await page.getByRole('checkbox', { name: 'Skip rows with errors and give them back as CSV' }).check()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await page.getByRole('heading', { name: 'The import is done' }).waitFor()
  const buttons = [
    page.getByRole('link', { name: 'Open the list' }),
    page.getByRole('link', { name: 'Rows with errors' }),
    page.getByRole('button', { name: 'Undo the import' }),
  ]
  const tops = await Promise.all(buttons.map(async (button) => (await button.boundingBox())!.y))
  expect(new Set(tops).size).toBe(1)
})

test('a mapping is remembered for the next file, and another file takes the place of one', async () => {
  await upload('memo-1.csv', 'Name,Place of work\nMemo Ada,Ulm\n')
  await page.getByLabel('Field for Place of work').selectOption('city')
  await check('Place of work').getByText('Your choice').waitFor()
  await page.getByRole('button', { name: /^Check/ }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await page.getByRole('heading', { name: 'The import is done' }).waitFor()

  await upload('memo-2.csv', 'Name,Place of work\nMemo Bob,Bonn\n')
  await check('Place of work').getByText('Saved mapping').waitFor()
  expect(await page.getByLabel('Field for Place of work').inputValue()).toBe('city')
  await page.getByRole('button', { name: 'Import 1 row' }).waitFor()
  const remember = page.getByRole('switch', { name: 'Remember this mapping' })
  await remember.click()
  await expect.poll(() => remember.getAttribute('aria-checked')).toBe('false')

  // Columns mapped by hand and switches stay the same for the other file.
  await page.getByLabel('Field for Place of work').selectOption('street')
  await check('Place of work').getByText('Your choice').waitFor()
  await page.getByRole('button', { name: 'Other file' }).click()
  await page.getByLabel('File to import').setInputFiles({
    name: 'memo-3.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('Name,Place of work\nMemo Cy,Rom\n'),
  })
  await page.getByRole('heading', { name: 'memo-3.csv' }).waitFor()
  await expect.poll(() => page.getByLabel('Field for Place of work').inputValue()).toBe('street')
  await expect.poll(() => remember.getAttribute('aria-checked')).toBe('false')
  await page.getByRole('button', { name: 'Import 1 row' }).waitFor()
  const batches = await client
    .modules()
    .asSystem((env) =>
      env.model('sys.bulk.import').searchRead([['file_name', '=like', 'memo-%']], ['state'], { order: 'id' }),
    )
  expect(batches).toMatchObject([{ state: 'done' }, { state: 'cancelled' }, { state: 'mapped' }])
})

test('a file that cannot be read is refused where it was chosen, and on a phone nothing is cut off', async () => {
  await signedIn.follow('/web?model=core.partner&view_type=list')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Import' }).click()
  await page
    .getByLabel('File to import')
    .setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from('a,a\n1,2\n') })
  await page.getByRole('alert').getByText('The file has two columns named a.').waitFor()
  await page
    .getByLabel('File to import')
    .setInputFiles({ name: 'y.csv', mimeType: 'text/csv', buffer: Buffer.from('Name;City\nPhone page;Ulm\n') })
  await page.getByRole('heading', { name: 'y.csv' }).waitFor()
  const checked = page.getByRole('list', { name: 'Rows' }).getByText('Phone page')
  await checked.waitFor()

  // What was detected can be changed, and the mapping follows.
  await page.getByRole('button', { name: 'Options' }).click()
  await page.getByLabel('Separator').selectOption('Comma')
  await page.getByRole('rowheader', { name: 'Name;City' }).waitFor()
  await expect.poll(() => page.getByLabel('Separator').isEnabled()).toBe(true)
  await page.getByLabel('Separator').selectOption('Semicolon')
  await expect.poll(() => page.getByLabel('Field for City').inputValue()).toBe('city')
  await checked.waitFor()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  const box = await page.getByRole('button', { name: 'Import 1 row' }).boundingBox()
  expect(box!.x + box!.width).toBeLessThanOrEqual(390)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel import' }).click()
  const asked = page.getByRole('dialog', { name: 'Cancel the import?' })
  await asked.getByRole('button', { name: 'Cancel import' }).click()
  await page.waitForURL(/model=core\.partner/)
})

test('an import from a list of companies makes companies, is checked after each change, and offers no undo to whom it would be refused', async () => {
  const own = await client.signIn('seller')
  const { page: list } = own
  await own.go('/web?model=core.partner&view_type=list')
  const companies = list.locator('.side-nav').getByRole('link', { name: 'Companies' })
  await own.follow((await companies.getAttribute('href'))!)
  await list.getByRole('button', { name: 'Import' }).click()
  const long = 'A column with a name that is longer than any that fits into its part of the table'
  const rows = [`Company,E-mail,${long}`, 'List Firm One,one@list.example,1', 'List Firm Two,two@list.example,2']
  const buffer = Buffer.from(`${rows.join('\n')}\n`)
  await list.getByLabel('File to import').setInputFiles({ name: 'firms.csv', mimeType: 'text/csv', buffer })
  const go = list.getByRole('button', { name: 'Import 2 rows' })
  await go.waitFor()
  expect(await list.getByLabel('Field for Company').inputValue()).toBe('name')
  const asCompanies = list.getByRole('switch', { name: 'New records get Is a Company: Yes' })
  expect(await asCompanies.isChecked()).toBe(true)
  const header = list.getByRole('rowheader', { name: long })
  expect(await header.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0)
  expect(await findViolations(list)).toEqual([])

  // What is to be settled follows the mapping, and nothing is imported that was not checked.
  const email = list.getByLabel('Field for E-mail')
  const values = list.getByRole('region', { name: 'Values to settle' })
  await email.selectOption('country_id')
  await values.getByText('one@list.example').waitFor()
  expect(await list.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true)
  await email.selectOption('email')
  await values.waitFor({ state: 'hidden' })
  await go.waitFor()

  await go.press('Enter')
  await list.getByRole('heading', { name: 'The import is done' }).waitFor()
  const open = list.getByRole('link', { name: 'Open the list' })
  await expect.poll(() => open.evaluate((link) => link === document.activeElement)).toBe(true)
  expect(await list.getByRole('button', { name: 'Undo the import' }).count()).toBe(0)
  await open.click()
  await list.waitForURL(/action=\d+/)
  await list.getByRole('row', { name: /List Firm One/ }).waitFor()
  const made = await client
    .modules()
    .asSystem((env) => env.model('core.partner').searchRead([['name', '=like', 'List Firm %']], ['is_company']))
  expect(made).toMatchObject([{ is_company: true }, { is_company: true }])
  expect(own.complaints).toEqual([])
  await own.release()
})
