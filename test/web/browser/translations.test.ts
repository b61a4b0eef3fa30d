import { beforeAll, expect, test } from 'vitest'
import { readTranslations } from '../../../kernel/admin/translations.ts'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

const client = useClient()
let admin: SignedIn
let seller: SignedIn
let stage: number

beforeAll(async () => {
  await client.modules().asSystem(async (env) => {
    const [user] = await env.model('core.user').search([['login', '=', 'seller']])
    await env.model('core.user').write([user!], { lang: 'de' })
    const [first] = await env.model('crm.stage').search([['name', '=', 'New']])
    stage = first!
  })
  admin = await client.signIn('admin')
  seller = await client.signIn('seller')
})

const stored = () =>
  client.modules().asSystem(async (env) => {
    const [row] = await env.model('crm.stage').read([stage], ['name', 'name@de' as 'name'])
    return [row!.name, (row as Readonly<Record<string, unknown>>)['name@de']]
  })

test('a text is edited in all languages, by keyboard too, and others read theirs', async () => {
  const board = seller.page.locator('.kanban, .board').first()
  await seller.go('/web?model=crm.lead&view_type=kanban')
  await board.getByText('Neu', { exact: true }).first().waitFor()

  const { page, go } = admin
  await go(`/web?model=crm.stage&view_type=form&id=${stage}`)
  const globe = page.getByRole('button', { name: 'Name in all languages' })
  await globe.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Name in all languages' })
  const german = dialog.getByLabel('German')
  await expect.poll(() => german.inputValue()).toBe('Neu')
  expect(await dialog.getByLabel('English').inputValue()).toBe('New')
  expect(await findViolations(page)).toEqual([])
  await german.fill('Frisch')
  await german.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  expect(await stored()).toEqual(['New', 'Frisch'])
  expect(await globe.evaluate((button) => button === document.activeElement)).toBe(true)
  await board.getByText('Frisch', { exact: true }).first().waitFor()
})

test('an emptied text is the English one again', async () => {
  const { page, go } = admin
  await go(`/web?model=crm.stage&view_type=form&id=${stage}`)
  await page.getByRole('button', { name: 'Name in all languages' }).click()
  const dialog = page.getByRole('dialog', { name: 'Name in all languages' })
  await dialog.getByLabel('German').fill('')
  expect(await dialog.getByLabel('German').getAttribute('placeholder')).toBe('New')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await stored()).toEqual(['New', null])
})

test('administrators see which texts are not translated, and write them one after the other', async () => {
  await client.modules().asSystem(async (env) => {
    const texts = [
      { name: 'Lupine', 'name@de': null },
      { name: 'Lupine Seeds', 'name@de': null },
      { name: 'Lupine Oil', 'name@de': 'Lupinenöl' },
    ]
    for (const values of texts) await env.model('product.category').create(values as { name: string })
  })
  const german = () =>
    client.modules().asSystem(async (env) => {
      const rows = await env.model('product.category').searchRead([['name', 'like', 'Lupine']], ['name@de' as 'name'], {
        order: 'id',
      })
      return rows.map((row) => (row as Readonly<Record<string, unknown>>)['name@de'])
    })
  const { page, go, complaints } = admin
  await go('/web/settings')
  await page
    .getByRole('link', { name: /^Translations/ })
    .first()
    .click()
  await page
    .getByRole('navigation', { name: 'Texts' })
    .getByRole('button', { name: /^Product Category/ })
    .click()
  await page.keyboard.press('/')
  await page.keyboard.type('lupine')
  const texts = page.getByRole('region', { name: 'Product Category: Name' })
  const rows = texts.getByRole('row')
  await expect.poll(() => rows.count()).toBe(3)
  const first = texts.getByLabel('Lupine in German', { exact: true })
  await first.fill('Lupinie')
  await first.press('Escape')
  expect(await first.inputValue()).toBe('')
  await first.fill('Lupinen')
  await first.press('Enter')
  const next = texts.getByLabel('Lupine Seeds in German')
  const { y } = (await next.boundingBox())!
  await rows.filter({ hasText: 'Saved' }).waitFor()
  // What is told about one text does not move the next.
  expect((await next.boundingBox())!.y).toBe(y)
  await page.keyboard.type('Lupinensamen')
  await page.keyboard.press('Enter')
  await expect.poll(german).toEqual(['Lupinen', 'Lupinensamen', 'Lupinenöl'])
  // What is typed while an earlier text is still on its way is saved after it.
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/rpc', async (route) => {
    if (route.request().postData()?.includes('Lupinengarten')) await held
    await route.continue()
  })
  const answered = page.waitForResponse((response) => response.request().postData()?.includes('Lupinengarten') === true)
  const sent = page.waitForRequest((request) => request.postData()?.includes('Lupinengarten') === true)
  await first.fill('Lupinengarten')
  await first.blur()
  await sent
  await first.fill('Lupinenfeld')
  await first.blur()
  release()
  await answered
  await expect.poll(german).toEqual(['Lupinenfeld', 'Lupinensamen', 'Lupinenöl'])
  await page.unroute('**/api/rpc')
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await expect.poll(() => texts.getByLabel('Lupine Oil in German').inputValue()).toBe('Lupinenöl')
  // What is refused is told beside the text, and stays there.
  await texts.getByLabel('Lupine Oil in German').fill('ö'.repeat(101))
  await texts.getByLabel('Lupine Oil in German').blur()
  await texts.locator('[aria-invalid]').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  complaints.length = 0
})

test('a text that could not be saved is not left without a question, and saved when the connection is back', async () => {
  const borage = await client
    .modules()
    .asSystem((env) => env.model('product.category').create({ name: 'Borage', 'name@de': null } as { name: string }))
  const german = () =>
    client.modules().asSystem(async (env) => {
      const [row] = await env.model('product.category').read([borage], ['name@de' as 'name'])
      return (row as Readonly<Record<string, unknown>>)['name@de']
    })
  const { page, go, complaints } = await client.signIn('admin')
  await go('/web/settings/translations')
  const kinds = page.getByRole('navigation', { name: 'Texts' })
  await kinds.getByRole('button', { name: /^Product Category/ }).click()
  const text = page.getByLabel('Borage in German')
  await text.waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Offline' }).waitFor()
  await text.fill('Borretsch')
  await text.blur()
  await page.locator('[aria-invalid]').waitFor()
  await kinds
    .getByRole('button', { name: /^Country/ })
    .first()
    .click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'hidden' })
  expect(await text.inputValue()).toBe('Borretsch')
  await page.context().setOffline(false)
  await expect.poll(german).toBe('Borretsch')
  await kinds
    .getByRole('button', { name: /^Country/ })
    .first()
    .click()
  await text.waitFor({ state: 'detached' })
  complaints.length = 0
})

test('the texts that are open stay so when the last of them is translated', async () => {
  const open = await client.modules().asSystem(async (env) => {
    await env.model('product.category').create({ name: 'Zinnia', 'name@de': null } as { name: string })
    await env.model('crm.stage').create({ name: 'Zinnia', 'name@de': null } as { name: string })
    const { fields } = await readTranslations(env, 'de')
    const { model, field, modelLabel, label } = fields.find(({ total, translated }) => translated < total)!
    const records = env.model(model as 'product.category')
    const missing = [
      [`${field}@de`, '=', null],
      [field, '!=', null],
    ]
    const [, ...others] = await records.search(missing as never, { archived: 'include' })
    for (const id of others) await records.write([id], { [`${field}@de`]: `Wort ${id}` } as never)
    return { name: `${modelLabel}: ${label}`, complete: `${modelLabel} ${label} Complete` }
  })
  const { page, go, release } = await client.signIn('admin')
  await go('/web/settings/translations')
  const control = page.getByRole('region', { name: open.name }).getByRole('textbox').first()
  await control.fill('Letztes Wort')
  await control.blur()
  await page
    .getByRole('navigation', { name: 'Texts' })
    .getByRole('button', { name: open.complete, exact: true })
    .waitFor()
  expect(await control.inputValue()).toBe('Letztes Wort')
  await release()
})
