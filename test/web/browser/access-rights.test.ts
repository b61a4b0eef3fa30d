import { expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { useClient } from './fixture.ts'

const client = useClient()

const facts = () =>
  client.modules().asSystem(async (env) => {
    const idOf = async (login: string) => (await env.model('core.user').search([['login', '=', login]]))[0]!
    const [seller, tomas] = [await idOf('seller'), await idOf('tomas@example.com')]
    const [order] = await env.model('sale.order').search([['user_id', '=', tomas]], { limit: 1 })
    return { seller, order: order!, manager: env.access.groupIdByXmlid.get('sale.group_manager')! }
  })

test('the matrix says what somebody may do and where each right comes from', async () => {
  const { seller } = await facts()
  const { page, go, complaints } = await client.signIn()
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
  await page.context().close()
})

test('an explanation names the rule that leaves a record out, and another role makes it a yes', async () => {
  const { seller, order, manager } = await facts()
  const { page, go, complaints } = await client.signIn()
  await go(`/web/settings/access#user=${seller}&op=write&model=sale.order&id=${order}`)
  await page.getByText('No, seller may not change it.').waitFor()
  await page.getByText(/^The role would do, but these rules leave the record out:/).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByLabel('Role to try').selectOption(String(manager))
  await page.getByText('With this role: Yes, seller may change it.').waitFor()
  await expect.poll(() => new URL(page.url()).hash).toContain(`if=${manager}`)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await findViolations(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})
