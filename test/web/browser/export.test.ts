import { readFile } from 'node:fs/promises'
import { afterEach, expect, test } from 'vitest'
import { checkPdf, pdfInfo, pdfText } from '../../support/pdf.ts'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
const opened: SignedIn[] = []

/** Ten of them: behind a dialog a long list is drawn again and again. */
const ORDERS = '/web?view_type=list&model=sale.order&filter=&q=S0001'

afterEach(async () => {
  for (const signedIn of opened.splice(0)) await signedIn.handOn()
})

test('the dialog makes a file of what is selected or matches, with the chosen columns in the chosen order', async () => {
  const signedIn = await client.signIn('admin')
  opened.push(signedIn)
  const { page } = signedIn
  await signedIn.go(ORDERS)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Export/ })
  const columns = dialog.getByRole('region', { name: 'Columns' })
  await columns.getByRole('button', { name: 'Clear' }).click()
  await expect.poll(() => dialog.getByRole('button', { name: /^Export \d+ records$/ }).isDisabled()).toBe(true)

  // Without columns fields are chosen next: they are one stop of the Tab key, and the arrow keys go from one to the other.
  const fields = dialog.getByRole('region', { name: 'Fields' })
  const focused = (name: string) => fields.getByLabel(name, { exact: true }).and(page.locator(':focus'))
  await focused('Find a field').waitFor()
  await fields.getByRole('checkbox').first().waitFor()
  await page.keyboard.press('Tab')
  const [first, second] = await fields.getByRole('checkbox').evaluateAll((all) => all.map((box) => box.ariaLabel!))
  await focused(first!).waitFor()
  await page.keyboard.press('ArrowDown')
  await focused(second!).waitFor()
  await page.keyboard.press('Tab')
  expect(await fields.locator(':focus').count()).toBe(0)
  await page.keyboard.press('Shift+Tab')
  await focused(second!).waitFor()
  await fields.getByRole('checkbox', { name: 'Customer', exact: true }).focus()
  await page.keyboard.press('ArrowRight')
  await fields.getByRole('checkbox', { name: 'Customer / City' }).focus()
  await page.keyboard.press('ArrowLeft')
  await focused('Customer').waitFor()
  await page.keyboard.press('ArrowLeft')
  await fields.getByRole('checkbox', { name: 'Customer / City' }).waitFor({ state: 'hidden' })

  await fields.getByRole('checkbox', { name: 'Total', exact: true }).check()
  await fields.getByRole('searchbox').fill('custom')
  await fields.getByRole('button', { name: 'Fields of Customer' }).click()
  await fields.getByRole('checkbox', { name: 'Customer / City' }).check()
  await fields.getByRole('checkbox', { name: 'Customer / External ID' }).check()
  await dialog
    .locator('.xp-prev td')
    .getByText(/^(__export__|[a-z_]+)\..+/)
    .first()
    .waitFor()
  await columns.getByRole('button', { name: 'Remove Customer / External ID' }).click()
  await columns.getByRole('button', { name: 'Move Customer / City', exact: true }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => columns.locator('.xp-col .src').allTextContents()).toEqual(['Customer / City', 'Total'])
  // A heading of one's own stands in preview and file; an emptied one is the label again.
  const heading = columns.getByRole('textbox', { name: 'Heading of Customer / City' })
  const head = dialog.locator('.xp-prev th').first()
  await heading.fill('Town')
  await heading.press('Tab')
  await expect.poll(() => head.textContent()).toBe('Town')
  await heading.fill('')
  await heading.press('Tab')
  await expect.poll(() => heading.inputValue()).toBe('Customer/City')
  await heading.fill('Town, or "city"')
  await heading.press('Tab')
  await expect.poll(() => head.textContent()).toBe('Town, or "city"')
  await expect.poll(() => dialog.locator('.xp-prev tbody tr').count()).toBe(4)
  expect(await findViolations(page)).toEqual([])
  // The footer and the button name the records; what CSV holds is shown as it is.
  const total = (await dialog.getByRole('button', { name: /matching$/ }).textContent())!.split(' ')[0]
  await dialog.getByText(`${total} records, 2 columns`).waitFor()
  await dialog.getByText(`first 4 of ${total}`, { exact: true }).waitFor()
  const amounts = dialog.locator('.xp-prev tbody td:nth-child(2)')
  for (const amount of await amounts.allTextContents()) expect(amount).toMatch(/^\d+(\.\d+)?$/)
  await dialog.getByRole('button', { name: 'PDF', exact: true }).click()
  await expect
    .poll(async () => (await amounts.allTextContents()).every((each) => /^[\d,]+\.\d\d\s[A-Z]{3}$/.test(each)))
    .toBe(true)
  // A report has a total row unless it is not wanted, a table if it is.
  const totals = dialog.getByRole('switch', { name: 'Total row' })
  await expect.poll(() => totals.isChecked()).toBe(true)
  await columns.getByText('Sum', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'CSV', exact: true }).click()
  await expect.poll(() => totals.isChecked()).toBe(false)
  await totals.check()
  await dialog.getByRole('button', { name: /^All \d+$/ }).click()
  await dialog.getByRole('button', { name: /^Export \d+ records$/ }).waitFor()
  const matching = dialog.getByRole('button', { name: /matching$/ })
  await matching.click()
  await expect.poll(() => matching.getAttribute('aria-pressed')).toBe('true')

  const [saved] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+Enter')])
  expect(saved.suggestedFilename()).toMatch(/\.csv$/)
  const lines = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\r\n')
  expect(lines[0]).toBe('\ufeff"Town, or ""city""",Total')
  expect(lines).toHaveLength(Number(total) + 1 + (lines.at(-1)!.startsWith('Total,') ? 1 : 0))
  await dialog.waitFor({ state: 'hidden' })

  // The dialog gives the focus back to the button of the selection that opened it.
  await page.getByRole('checkbox', { name: 'Select all' }).first().check()
  const opener = page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Export' })
  await opener.click()
  await dialog.getByRole('button', { name: 'Cancel' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
})

test('a translated text is exported in the language that is searched for, and to look at it leaves no trace', async () => {
  const view = await client.signIn('admin')
  opened.push(view)
  const { page } = view
  const trace = () => client.modules().asSystem((env) => env.model('sys.audit').count([['kind', '=', 'exported']]))
  const before = await trace()
  await view.go('/web?view_type=list&model=product.product')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Export/ })
  await dialog.getByRole('searchbox').fill('german')
  await dialog.getByRole('checkbox', { name: 'Name (de)', exact: true }).check()
  const head = dialog.locator('.xp-prev th')
  await expect.poll(async () => (await head.allTextContents()).at(-1)).toBe('Name (de)')
  await dialog.locator('.xp-prev tbody tr').first().waitFor()
  expect(await dialog.getByRole('alert').count()).toBe(0)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await trace()).toBe(before)
})

test('columns are saved as a set, private or shared, and can be changed by users with the right', async () => {
  const keeper = await client.signIn('admin')
  opened.push(keeper)
  const { page } = keeper
  await keeper.go(ORDERS)
  const open = async (on: typeof page) => {
    await on.getByRole('button', { name: 'Export', exact: true }).click()
    const dialog = on.getByRole('dialog', { name: /^Export/ })
    return { dialog, select: dialog.getByRole('combobox', { name: 'Set' }), shown: dialog.locator('.xp-col .src') }
  }
  const { dialog, select, shown } = await open(page)
  const columns = dialog.getByRole('region', { name: 'Columns' })
  await columns.getByRole('button', { name: 'Clear' }).click()
  await dialog.getByRole('checkbox', { name: 'Total', exact: true }).check()
  const chosen = () => select.locator('option:checked').textContent()
  const act = async (item: string) => {
    await dialog.getByRole('button', { name: 'More about the set' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const title = async (name: string, isShared: boolean) => {
    const asked = page.getByRole('dialog').filter({ has: page.getByLabel('Name of the set') })
    await asked.getByLabel('Name of the set').fill(name)
    await asked.getByRole('checkbox', { name: 'Offer it to everybody' }).setChecked(isShared)
    expect(await findViolations(page)).toEqual([])
    await asked.getByRole('button', { name: 'Save', exact: true }).click()
    await asked.waitFor({ state: 'hidden' })
  }
  await dialog.getByRole('button', { name: 'Save as…' }).click()
  await title('Sums', false)
  await expect.poll(chosen).toBe('Sums')

  // Changed columns are saved, the set is renamed and shared.
  await dialog.getByRole('checkbox', { name: 'Customer', exact: true }).check()
  await dialog.getByRole('textbox', { name: 'Heading of Total' }).fill('Sum in EUR')
  await dialog.getByRole('textbox', { name: 'Heading of Total' }).press('Tab')
  const save = dialog.getByRole('button', { name: 'Save changes' })
  await save.click()
  await expect.poll(() => save.isDisabled()).toBe(true)
  await act('Rename or share…')
  await title('Sums for all', true)
  await expect
    .poll(() => select.locator('optgroup[label="For everybody"] option').allTextContents())
    .toEqual(['Sums for all'])
  await select.selectOption({ label: 'Columns of the list' })
  await expect.poll(() => shown.count()).toBeGreaterThan(2)
  await select.selectOption({ label: 'Sums for all' })
  await expect.poll(() => shown.allTextContents()).toEqual(['Total', 'Customer'])

  // Somebody else uses it and cannot change it.
  const reader = await client.signIn('seller')
  opened.push(reader)
  await reader.go(ORDERS)
  const other = await open(reader.page)
  await other.select.selectOption({ label: 'Sums for all' })
  await expect.poll(() => other.shown.allTextContents()).toEqual(['Total', 'Customer'])
  expect(await other.dialog.getByRole('textbox', { name: 'Heading of Total' }).inputValue()).toBe('Sum in EUR')
  await other.dialog.getByRole('checkbox', { name: 'Total', exact: true }).uncheck()
  await expect.poll(() => other.shown.allTextContents()).toEqual(['Customer'])
  expect(await other.dialog.getByRole('button', { name: 'Save changes' }).count()).toBe(0)
  expect(await other.dialog.getByRole('button', { name: 'More about the set' }).count()).toBe(0)

  await act('Delete the set')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(chosen).toBe('Columns of the list')
})

test('PDF asks for the size of the page and saves a report; what takes long goes on in the background', async () => {
  const signedIn = await client.signIn('admin')
  opened.push(signedIn)
  const { page } = signedIn
  await signedIn.go(ORDERS)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Export/ })
  await dialog.getByRole('button', { name: 'PDF', exact: true }).click()
  const size = dialog.getByRole('combobox', { name: 'Page size' })
  await size.selectOption('letter')
  await expect.poll(() => dialog.locator('.xp-prev tbody tr').count()).toBe(4)
  expect(await findViolations(page)).toEqual([])
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: /^Export \d+ records$/ }).click(),
  ])
  expect(saved.suggestedFilename()).toMatch(/\.pdf$/)
  const file = new Uint8Array(await readFile(await saved.path()))
  checkPdf(file)
  expect(pdfInfo(file)['Page size']).toMatch(/^(792 x 612|612 x 792)/)
  await dialog.waitFor({ state: 'hidden' })

  // One that takes long is stopped, or goes on while its user works, and is there when it is ready.
  const held: (() => void)[] = []
  await page.route('**/web/export/xlsx?*', async (route) => {
    await new Promise<void>((release) => held.push(release))
    await route.continue().catch(() => undefined)
  })
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await dialog.getByRole('button', { name: 'Excel', exact: true }).click()
  const make = dialog.getByRole('button', { name: /^Export \d+ records$/ })
  await make.click()
  await dialog.getByRole('progressbar', { name: 'Export' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await make.click()
  await expect.poll(() => held.length).toBe(2)
  await dialog.getByRole('button', { name: 'Keep in background' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText(/^Writing .*\.xlsx$/).waitFor()
  await page.getByRole('progressbar', { name: 'Export' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  for (const release of held) release()
  await page.getByText(/\.xlsx is ready$/).waitFor()
  const [kept] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ])
  expect(kept.suggestedFilename()).toMatch(/\.xlsx$/)
  await page.unroute('**/web/export/xlsx?*')

  // From a form: the record as a sheet, and the quotation as its customer gets it.
  const [order] = await client
    .modules()
    .asSystem((env) => env.model('sale.order').searchRead([], ['name'], { order: 'id', limit: 1 }))
  await signedIn.follow(`/web?model=sale.order&view_type=form&id=${order!.id}`)
  const menu = page.getByRole('button', { name: 'More actions' })
  const download = async (item: string) => {
    await menu.waitFor()
    // Buttons that have no room beside the others are in the menu.
    const inBar = page.getByRole('button', { name: item, exact: true })
    const isInBar = (await inBar.count()) > 0
    if (!isInBar) await menu.click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      (isInBar ? inBar : page.getByRole('menuitem', { name: item, exact: true })).click(),
    ])
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    return new Uint8Array(await readFile(await file.path()))
  }
  for (const made of [await download('Save as PDF'), await download('Print')]) {
    checkPdf(made)
    expect(pdfText(made)).toContain(order!.name)
  }
})
