import { expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { useClient } from './fixture.ts'

const client = useClient()

test('a key is made with a scope of models and rights, shown once, and revoked', async () => {
  const { page, go, complaints } = await client.signIn()
  await go('/web/settings/keys')
  await page.getByText('No API keys yet').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  await dialog.getByRole('table').waitFor()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('A name is needed.').waitFor()
  await dialog.getByLabel('What it is for').fill('ERP bridge')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Choose what the key may do.').waitFor()
  await dialog.getByLabel('Search models').fill('sale.order')
  await dialog.getByLabel('Change: Sales Order', { exact: true }).check()
  // The right to change orders includes reading them.
  await expect.poll(() => dialog.getByLabel('Read: Sales Order', { exact: true }).isChecked()).toBe(true)
  // Models are also found by the name of their menu.
  await dialog.getByLabel('Search models').fill('contacts')
  await dialog.getByLabel('Read: Contact', { exact: true }).check()
  await dialog.getByText(/^This key may use: .*Contact \(Read\).*Sales Order \(Read, Change\)/).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  const once = page.getByRole('region', { name: 'New API key' })
  await once.getByRole('heading', { name: '“ERP bridge” is ready' }).waitFor()
  await expect
    .poll(() => once.getByRole('button', { name: 'Copy' }).evaluate((copy) => copy === document.activeElement))
    .toBe(true)
  const key = (await once.locator('.secret code').textContent()) ?? ''
  expect(key).toMatch(/^sk_[0-9A-Za-z]{49}$/)
  const row = page.getByRole('row').filter({ hasText: 'ERP bridge' })
  await row.getByText('Writes').waitFor()
  await row.getByText(/Contact \(read only\)/).waitFor()
  expect(await row.textContent()).not.toContain('Sales Order (read only)')
  await once.getByRole('tab', { name: 'Python' }).click()
  await once.getByText("os.environ['KEY']").waitFor()
  expect(await findViolations(page)).toEqual([])

  const call = (model: string) =>
    fetch(`${client.url()}/api/rpc`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ model, method: 'search_read', args: [[], ['name']], kwargs: { limit: 1 } }),
    }).then(({ status }) => status)
  await row.getByText('never', { exact: true }).waitFor()
  expect([await call('sale.order'), await call('crm.lead')]).toEqual([200, 403])
  await row.getByText('never', { exact: true }).waitFor({ state: 'detached' })

  await once.getByRole('button', { name: 'I have stored it' }).click()
  await once.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(key)
  await row.getByRole('button', { name: 'ERP bridge', exact: true }).click()
  const about = page.getByRole('dialog', { name: 'ERP bridge' })
  await about.getByRole('row').filter({ hasText: 'sale.order' }).getByRole('img', { name: 'Change: yes' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await about.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog', { name: 'Revoke ERP bridge?' }).getByRole('button', { name: 'Revoke' }).click()
  await row.locator('.badge', { hasText: 'Revoked' }).waitFor()
  expect(await call('sale.order')).toBe(401)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('the audit trail is a list in the settings without a way to add lines by hand', async () => {
  await client.modules().asSystem((env) => env.model('sys.setting').create({ key: 'sale.hint', value: 'x' }))
  const { page, go, complaints } = await client.signIn()
  await go('/web/settings')
  await page.getByRole('link', { name: /Audit trail/ }).click()
  await page.getByRole('row').filter({ hasText: 'Signed in' }).first().waitFor()
  await page.getByRole('row').filter({ hasText: 'Changed setting' }).getByText('sale.hint').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'New', exact: true }).count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})

test('jobs run now and mails are sent again from the page of operations, also on a phone', async () => {
  await client.modules().asSystem(async ({ tx }) => {
    const mail = { to_name: 'Ann', to_address: 'ann@example.com', subject: 'Quotation S00151', text: 'Hello' }
    await tx
      .insertInto('sys_mail')
      .values({ ...mail, message_id: '<1@x>', state: 'failed', attempts: 10, last_error: 'no such mailbox' })
      .execute()
  })
  const { page, go, complaints } = await client.signIn()
  await go('/web/settings')
  await page.getByRole('link', { name: /Operations/ }).click()
  const job = page.getByRole('row').filter({ hasText: 'Remove what has expired' })
  await job.getByText('every day').waitFor()
  await page.getByRole('region', { name: 'Outgoing mail' }).getByText('Not set up').waitFor()
  expect(await findViolations(page)).toEqual([])
  const runs = () =>
    client
      .modules()
      .asSystem((env) => env.model('sys.cron.run').count([['cron_id.handler', '=', 'base.prune_expired']]))
  const before = await runs()
  await job.getByRole('button', { name: /Run now/ }).click()
  await expect.poll(runs, { timeout: 30_000 }).toBeGreaterThan(before)
  // The text is updated as time passes.
  const ran = job.locator('[data-c=l] time')
  await expect.poll(() => ran.textContent()).toMatch(/now|second/)
  const told = await ran.textContent()
  await expect.poll(() => ran.textContent()).not.toBe(told)
  const queue = page.getByRole('region', { name: 'Mail queue' })
  await queue.getByText('no such mailbox').waitFor()
  await queue.getByRole('button', { name: /Retry Quotation/ }).click()
  await queue.getByText(/Waiting, /).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await findViolations(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})

test('on a phone a user creates, sees and revokes own keys without choosing an owner', async () => {
  await client.modules().asSystem(async (env) => {
    const [user_id] = await env.model('core.user').search([['login', '=', 'seller']])
    await env.model('core.api.key').create({ name: 'Sync', user_id: user_id! }, { setsReadonly: true })
    await env.model('core.user').write([user_id!], { lang: 'de' })
  })
  const { page, go, complaints } = await client.signIn('seller', { viewport: { width: 390, height: 844 } })
  await go('/web/settings')
  await page.getByRole('link', { name: /API-Schlüssel/ }).click()
  const row = page.getByRole('row').filter({ hasText: 'Sync' })
  await row.getByText('Alles', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'Ihre Schlüssel' }).waitFor()
  expect((await page.getByRole('searchbox', { name: 'Schlüssel' }).boundingBox())!.width).toBeGreaterThan(250)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Neuer Schlüssel' }).click()
  const dialog = page.getByRole('dialog', { name: 'Neuer API-Schlüssel' })
  await dialog.getByRole('table').waitFor()
  expect(await dialog.getByLabel('Besitzer').count()).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await dialog.getByLabel('Wofür er ist').fill('Uhr')
  await dialog.getByLabel('Modelle suchen').fill('kontakt')
  await dialog.getByLabel('Lesen: Kontakt', { exact: true }).check()
  await dialog.getByRole('button', { name: 'Schlüssel anlegen' }).click()
  await page.getByRole('heading', { name: '„Uhr“ ist bereit' }).waitFor()
  await page.getByRole('row').filter({ hasText: 'Uhr' }).getByText('Kontakt').waitFor()
  expect(await findViolations(page)).toEqual([])
  await row.getByRole('button', { name: /Widerrufen/ }).click()
  await page.getByRole('dialog', { name: 'Sync widerrufen?' }).getByRole('button', { name: 'Widerrufen' }).click()
  await row.locator('.badge', { hasText: 'Widerrufen' }).waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})
