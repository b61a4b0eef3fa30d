import { beforeAll, expect, test } from 'vitest'
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
