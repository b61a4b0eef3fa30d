import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { DESKTOP } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { PASSWORD, useClient } from './fixture.ts'

const client = useClient()

const card = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
const installed = (page: Page, title: string) => card(page, title).getByText('Installed')

async function offered(page: Page): Promise<string[]> {
  await page.getByRole('button', { name: /Switch app/ }).click()
  await page.getByRole('menuitem', { name: 'Contacts' }).waitFor()
  const names = await page.getByRole('menuitem').allTextContents()
  await page.keyboard.press('Escape')
  return names
}

/** Answers the next change of a module only when it is told to, so that what is shown meanwhile can be looked at. */
async function hold(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(
    '**/web/module/action',
    async (route) => {
      await released
      await route.continue()
    },
    { times: 1 },
  )
  return release
}

async function choose(page: Page, title: string, action: string): Promise<void> {
  await card(page, title)
    .getByRole('button', { name: `Actions for ${title}` })
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

async function deactivate(page: Page): Promise<void> {
  await choose(page, 'Project', 'Deactivate…')
  await page.getByRole('dialog', { name: 'Deactivate Project' }).getByRole('button', { name: 'Deactivate' }).click()
}

test('what an app is needed by is named as people know it', async () => {
  const { page, go, release } = await client.signIn()
  await go('/web/apps')
  await card(page, 'Sales').getByRole('button', { name: 'Actions for Sales' }).click()
  const item = page.getByRole('menuitem', { name: 'Uninstall…' })
  await item.waitFor()
  expect(await item.textContent()).toContain('needed by CRM')
  await page.keyboard.press('Escape')
  await release()
})

test('who looks what an action would do and goes back is at the button again', async () => {
  const { page, go, release } = await client.signIn()
  await go('/web/apps')
  const actions = card(page, 'Project').getByRole('button', { name: 'Actions for Project' })
  for (const action of ['Update', 'Deactivate…', 'Uninstall…']) {
    await actions.press('Enter')
    await page.getByRole('menuitem', { name: action }).press('Enter')
    await page.getByRole('dialog', { name: `${action.replace('…', '')} Project` }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await expect.poll(() => actions.evaluate((button) => button === document.activeElement)).toBe(true)
    await installed(page, 'Project').waitFor()
  }
  await release()
})

test('an app is uninstalled with its menus, and comes back with them, without a restart', async () => {
  const { page, go, complaints } = await client.signIn()
  await go('/web/apps')
  await expect.poll(() => offered(page)).toContain('Project')
  await choose(page, 'Project', 'Uninstall…')
  const dialog = page.getByRole('dialog', { name: 'Uninstall Project' })
  // In plain words: names of tables mean nothing to users.
  await dialog
    .getByRole('listitem')
    .filter({ hasText: /^Task: set aside\d+ records$/ })
    .waitFor()
  await dialog
    .getByRole('listitem')
    .filter({ hasText: /^Menu: deleted\d+ records$/ })
    .waitFor()
  expect(await dialog.textContent()).not.toMatch(/project[._]task/)
  // The list says that it goes on below what is shown of it, and no longer at its end.
  const more = dialog.getByText(/^\d+ more below$/)
  await more.waitFor()
  await dialog.getByRole('list', { name: 'What changes' }).press('End')
  await expect.poll(() => more.isVisible()).toBe(false)
  expect(await findViolations(page)).toEqual([])
  await dialog.getByLabel('Type Project to confirm', { exact: true }).fill('projec')
  await page.keyboard.press('Enter')
  await expect.poll(() => dialog.getByRole('button', { name: 'Uninstall' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Type Project to confirm', { exact: true }).fill('PROJECT')
  await page.keyboard.press('Enter')
  const install = card(page, 'Project').getByRole('button', { name: 'Install' })
  await install.waitFor()
  await expect.poll(() => offered(page)).not.toContain('Project')

  const release = await hold(page)
  await install.click()
  const plan = page.getByRole('dialog', { name: 'Install Project' })
  await plan
    .getByRole('listitem')
    .filter({ hasText: /^Task: comes back as it was\d+ records$/ })
    .waitFor()
  await plan
    .getByRole('listitem')
    .filter({ hasText: /^New kinds of records: .*Project/ })
    .waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => plan.count()).toBe(0)
  await install.click()
  await plan.getByRole('button', { name: 'Install' }).click()
  await page.getByRole('progressbar', { name: 'Installing Project' }).waitFor()
  await expect.poll(() => card(page, 'CRM').getByRole('button', { name: 'Actions for CRM' }).isDisabled()).toBe(true)
  release()
  await installed(page, 'Project').waitFor()
  await expect.poll(() => offered(page)).toContain('Project')
  await page.getByRole('button', { name: /Switch app/ }).click()
  await page.getByRole('menuitem', { name: 'Project' }).click()
  await page.locator('.viewhost[aria-busy=false]').first().waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})

test('an app that is newer than what is installed offers its update', async () => {
  await sql`update sys_module set version = '0.9' where name = 'crm'`.execute(client.modules().services.db)
  const { page, go, complaints } = await client.signIn()
  await go('/web/apps')
  await page.getByRole('button', { name: 'Updates' }).click()
  await expect.poll(() => page.locator('main').getByRole('heading', { level: 2 }).allTextContents()).toEqual(['CRM'])
  await card(page, 'CRM')
    .getByText(/^0\.9 → 1\.\d+$/)
    .waitFor()
  const release = await hold(page)
  await card(page, 'CRM').getByRole('button', { name: 'Update', exact: true }).click()
  const plan = page.getByRole('dialog', { name: 'Update CRM' })
  await plan.getByText('Nothing: everything is as the program has it.').waitFor()
  // The first focus is on the button that changes nothing.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('progressbar', { name: 'Updating CRM' }).waitFor()
  release()
  await installed(page, 'CRM').waitFor()
  await page.getByRole('button', { name: 'Updates' }).click()
  await page.getByText('Nothing found').waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})

test('several updates are looked at and made together, by mouse and by keys', async () => {
  await sql`update sys_module set version = '0.9' where name in ('crm', 'project')`.execute(
    client.modules().services.db,
  )
  const { page, go, complaints } = await client.signIn()
  await go('/web/apps')
  const all = page.getByRole('button', { name: 'Update all 2' })
  await all.click()
  const plan = page.getByRole('dialog', { name: 'Update 2 apps' })
  await expect
    .poll(() => plan.getByRole('list', { name: 'Versions' }).getByRole('listitem').allTextContents())
    .toEqual([expect.stringMatching(/^CRM0\.9 → 1\.\d+$/), expect.stringMatching(/^Project0\.9 → 1\.\d+$/)])
  await plan.getByText('Nothing: everything is as the program has it.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => plan.count()).toBe(0)
  await expect.poll(() => all.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.setViewportSize({ width: 390, height: 844 })
  const words = all.getByText('Update all 2', { exact: true })
  await expect.poll(async () => ((await words.boundingBox())?.width ?? 0) > 60).toBe(true)
  expect((await all.boundingBox())!.width).toBeGreaterThan(300)
  expect(await findViolations(page)).toEqual([])
  await page.setViewportSize(DESKTOP)
  const release = await hold(page)
  await page.keyboard.press('Enter')
  await plan.waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('progressbar', { name: 'Updating 2 apps' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  release()
  await installed(page, 'CRM').waitFor()
  await installed(page, 'Project').waitFor()
  expect(await all.count()).toBe(0)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('an app that is switched off keeps its records and loses its menus until it is switched on', async () => {
  const { page, go } = await client.signIn()
  await go('/web/apps')
  const height = () => card(page, 'Project').evaluate((item) => item.getBoundingClientRect().height)
  const rest = await height()
  await choose(page, 'Project', 'Deactivate…')
  const dialog = page.getByRole('dialog', { name: 'Deactivate Project' })
  await dialog
    .getByRole('listitem')
    .filter({ hasText: /^Menu: hidden until it is activated again\d+ records$/ })
    .waitFor()
  await dialog
    .getByRole('listitem')
    .filter({ hasText: /^Task: stays as it is\d+ records$/ })
    .waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await installed(page, 'Project').waitFor()
  const release = await hold(page)
  await deactivate(page)
  await page.getByRole('progressbar', { name: 'Deactivating Project' }).waitFor()
  // Nothing of the card moves while it is busy.
  expect(await height()).toBe(rest)
  release()
  const activate = card(page, 'Project').getByRole('button', { name: 'Activate' })
  await activate.waitFor()
  await expect.poll(() => offered(page)).not.toContain('Project')
  await activate.click()
  await installed(page, 'Project').waitFor()
  await expect.poll(() => offered(page)).toContain('Project')
  await page.context().close()
})

test('who signed in long ago proves it with the password, and nothing has happened until then', async () => {
  const { page, go } = await client.signIn('admin', { storageState: { cookies: [], origins: [] } })
  await go('/web/apps')
  await sql`update sys_session set reauth_at = now() - interval '1 hour'`.execute(client.modules().services.db)
  await deactivate(page)
  const password = page.getByLabel('Password')
  // The input has the focus at once, so that nothing is typed into the page behind.
  await expect.poll(() => password.evaluate((input) => input === document.activeElement)).toBe(true)
  await password.fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('The password is not right.').waitFor()
  await page.keyboard.press('Escape')
  await page.reload()
  await installed(page, 'Project').waitFor()
  await deactivate(page)
  await password.fill(PASSWORD)
  await page.keyboard.press('Enter')
  await card(page, 'Project').getByRole('button', { name: 'Activate' }).click()
  await installed(page, 'Project').waitFor()
  await page.context().close()
})

test('a new API key is shown once, on the form of its user', async () => {
  const { page, go, complaints } = await client.signIn('admin', { permissions: ['clipboard-read', 'clipboard-write'] })
  await go('/web?model=core.user&view_type=list')
  await page.getByRole('row').getByRole('link', { name: 'seller' }).click()
  await page.getByRole('button', { name: 'Create API Key' }).click()
  await page.getByLabel('What it is for').fill('Robot')
  await page.getByRole('button', { name: 'Create key' }).click()
  const toast = page.getByRole('status').filter({ hasText: 'API key "Robot" for seller' })
  await toast.getByRole('button', { name: 'Copy' }).click()
  await toast.getByRole('button', { name: 'Copied' }).waitFor()
  const key = await page.evaluate(() => navigator.clipboard.readText())
  expect(key).toMatch(/^sk_\w+$/)
  await expect.poll(() => new URL(page.url()).searchParams.get('model')).toBe('core.user')
  await page.reload()
  await page.getByRole('button', { name: 'Create API Key' }).waitFor()
  await expect.poll(() => toast.count()).toBe(0)
  await expect.poll(() => page.content()).not.toContain(key)
  expect(complaints).toEqual([])

  const body = JSON.stringify({ model: 'core.partner', method: 'search', args: [[]] })
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  expect((await fetch(`${client.url()}/api/rpc`, { method: 'POST', headers, body })).status).toBe(200)
  await page.context().close()
})
