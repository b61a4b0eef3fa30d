import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { useClient } from './fixture.ts'

const client = useClient()

const facts = () =>
  client.modules().asSystem(async (env) => {
    const idOf = async (login: string) => (await env.model('core.user').search([['login', '=', login]]))[0]!
    const [seller, tomas] = [await idOf('seller'), await idOf('tomas@example.com')]
    const [order] = await env.model('sale.order').search([['user_id', '=', tomas]], { limit: 1 })
    const groupOf = (xmlid: string) => env.access.groupIdByXmlid.get(xmlid)!
    const [manager, own, user] = ['sale.group_manager', 'sale.group_user', 'base.group_user'].map(groupOf)
    return { seller, order: order!, manager: manager!, own: own!, user: user! }
  })

/** Beside the matrix, which is the larger part of the page. */
const explanation = (page: Page) => page.getByRole('region', { name: 'Explain access' })

test('the matrix shows what a user may do and where each right comes from', async () => {
  const { seller } = await facts()
  const { page, go, complaints, handOn } = await client.signIn()
  await go(`/web/settings/access#user=${seller}`)
  const orders = page.getByRole('row').filter({ hasText: 'sale.order' }).first()
  await orders.getByRole('img', { name: 'Change: yes' }).waitFor()
  await orders.getByText('Sales, User').waitFor()
  const products = page.getByRole('row').filter({ hasText: 'product.product' }).first()
  await products.getByRole('img', { name: 'Read: yes, through an included role' }).waitFor()
  await products.getByRole('img', { name: 'Delete: no' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByLabel('User or role').selectOption({ label: 'Role: Products, Manager' })
  await products.getByRole('img', { name: 'Change: yes', exact: true }).waitFor()
  expect(complaints).toEqual([])
  await handOn()
})

test('on a phone the matrix says below each model where its rights come from and which records they cover', async () => {
  const { seller } = await facts()
  const { page, go, complaints, handOn } = await client.signIn('admin', { viewport: { width: 390, height: 844 } })
  await go(`/web/settings/access#user=${seller}`)
  const orders = page.getByRole('row').filter({ hasText: 'sale.order' }).first()
  const source = orders.getByText('Sales, User')
  await source.waitFor()
  for (const part of [source, orders.locator('.rec > span').first(), orders.getByRole('img').last()]) {
    const { x, width } = (await part.boundingBox())!
    expect([x >= 0, x + width <= 390]).toEqual([true, true])
  }
  const box = page.locator('.scroll-x:has(.amx)')
  expect(await box.evaluate((each) => each.scrollWidth - each.clientWidth)).toBeLessThanOrEqual(0)
  expect(await findViolations(page)).toEqual([])
  expect(complaints).toEqual([])
  await handOn()
})

test('an explanation names the rule that leaves a record out, and another role makes it a yes', async () => {
  const { seller, order, manager } = await facts()
  const { page, go, complaints, handOn } = await client.signIn()
  await go(`/web/settings/access#user=${seller}&op=write&model=sale.order&id=${order}`)
  await page.getByText('No, seller may not change ').waitFor()
  await page.getByText(/^The role would do, but these rules leave the record out:/).waitFor()
  expect(await findViolations(page, explanation(page))).toEqual([])
  await page.getByLabel('Role to try').selectOption(String(manager))
  await page.getByText('With this role: Yes, seller may change ').waitFor()
  await expect.poll(() => new URL(page.url()).hash).toContain(`if=${manager}`)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await findViolations(page, explanation(page))).toEqual([])
  expect(complaints).toEqual([])
  await handOn()
})

test('from a record the palette leads to its explanation, and a field has its own reason', async () => {
  const { seller } = await facts()
  const lead = await client.modules().asSystem(async (env) => {
    const [found] = await env.model('crm.lead').searchRead([['user_id.login', '=', 'tomas@example.com']], ['name'])
    await env.model('crm.lead').write([found!.id], { user_id: seller })
    return found!
  })
  const { page, go, complaints, handOn } = await client.signIn()
  await go(`/web?model=crm.lead&view_type=form&id=${lead.id}`)
  await allLoaded(page)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or run a command' }).fill('explain access')
  await page.getByRole('option', { name: 'Explain access' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText(`Yes, admin may change ${lead.name}.`).waitFor()
  await page.getByLabel('Person').selectOption(String(seller))
  await page.getByText(`Yes, seller may change ${lead.name}.`).waitFor()
  await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Created on' })
  await page.getByText(`No, seller may not change Created on of ${lead.name}.`).waitFor()
  await page.getByRole('heading', { name: 'The field is not open to the user' }).waitFor()
  await page.getByText('The program sets this field itself, nobody else.').first().waitFor()
  expect(await findViolations(page, explanation(page))).toEqual([])
  await page.getByLabel('Right', { exact: true }).selectOption('read')
  await page.getByText(`Yes, seller may read Created on of ${lead.name}.`).waitFor()
  // Users may read their own e-mail address, but not that of a colleague.
  await page.goto(`/web/settings/access#user=${seller}&op=read&model=core.user&id=1&field=email`)
  await page.getByText(/^No, seller may not read E-?mail of /i).waitFor()
  await page.getByText('It is for: General, Administrator').first().waitFor()
  expect(complaints).toEqual([])
  await handOn()
})

test('the menu of a record leads to its explanation, and what is typed finds another record at once', async () => {
  const { seller, order, manager, own, user } = await facts()
  const [first, other] = await client
    .modules()
    .asSystem((env) => env.model('sale.order').searchRead([], ['name'], { limit: 2, order: 'name' }))
  const { page, go, complaints, handOn } = await client.signIn()
  await go(`/web?model=sale.order&view_type=form&id=${first!.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Explain access' }).click()
  await page.getByText(`admin may change ${first!.name}.`).waitFor()
  const record = explanation(page).getByRole('combobox', { name: 'Record' })
  expect(await record.inputValue()).toBe(first!.name)
  await record.fill(other!.name ?? '')
  await page.getByRole('option', { name: other!.name ?? '' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText(`admin may change ${other!.name}.`).waitFor()
  expect(await findViolations(page, explanation(page))).toEqual([])

  // Roles that somebody has already would change nothing.
  await page.goto(`/web/settings/access#user=${seller}&op=write&model=sale.order&id=${order}`)
  const role = (group: number) => page.getByLabel('Role to try').locator(`option[value="${group}"]`)
  await role(manager).waitFor({ state: 'attached' })
  expect([await role(own).count(), await role(user).count()]).toEqual([0, 0])
  expect(complaints).toEqual([])
  await handOn()
})

test('an explanation also says what the program itself refuses, and which fields a locked order keeps', async () => {
  const { seller } = await facts()
  const { order, line } = await client.modules().asSystem(async (env) => {
    const [user] = await env.model('core.user').read([seller], ['company_id'])
    const which = [['state', '=', 'sale'] as const, ['company_id', '=', user!.company_id[0]] as const]
    const [found] = await env.model('sale.order').searchRead(which, ['name', 'line_ids'], { limit: 1 })
    await env.model('sale.order').write([found!.id], { user_id: seller })
    await env.model('sale.order').call([found!.id], 'action_done')
    return { order: found!, line: found!.line_ids[0]! }
  })
  const { page, go, complaints, handOn } = await client.signIn()
  await go(`/web/settings/access#user=${seller}&op=unlink&model=sale.order.line&id=${line}`)
  await page.getByText('No, seller may not delete ').waitFor()
  const reason = `${order.name} is locked or cancelled; its lines cannot change.`
  await page.getByText(`The rights are there, but the program refuses it: ${reason}`).waitFor()
  await page.getByRole('heading', { name: 'The program refuses it' }).waitFor()
  expect(await findViolations(page, explanation(page))).toEqual([])
  await page.goto(`/web/settings/access#user=${seller}&op=write&model=sale.order&id=${order.id}`)
  await page.getByText(`Yes, seller may change ${order.name}.`).waitFor()
  await page.getByText(/^But not these fields: .*Customer/).waitFor()
  await page.getByText(`${order.name} is locked or cancelled.`).waitFor()
  await page.getByLabel('Field', { exact: true }).selectOption({ label: 'Customer' })
  await page.getByText(`No, seller may not change Customer of ${order.name}.`).waitFor()
  expect(complaints).toEqual([])
  await handOn()
})

test('an explanation names a field that only the form shows read-only, with what that depends on', async () => {
  const { seller } = await facts()
  const order = await client.modules().asSystem(async (env) => {
    const [user] = await env.model('core.user').read([seller], ['company_id'])
    const which = [['state', '=', 'sale'] as const, ['company_id', '=', user!.company_id[0]] as const]
    const [found] = await env.model('sale.order').searchRead(which, ['name'], { limit: 1 })
    await env.model('sale.order').write([found!.id], { user_id: seller })
    return found!
  })
  const { page, go, complaints, handOn } = await client.signIn()
  await go(`/web/settings/access#user=${seller}&op=write&model=sale.order&id=${order.id}&field=pricelist_id`)
  await page.getByText(`Yes, seller may change Price List of ${order.name}.`).waitFor()
  await page
    .getByText('but the form shows it read-only. It does so with this record, because of: Status: Sales Order.')
    .waitFor()
  await page.getByRole('heading', { name: 'The form shows it read-only' }).waitFor()
  expect(await findViolations(page, explanation(page))).toEqual([])
  expect(complaints).toEqual([])
  await handOn()
})
