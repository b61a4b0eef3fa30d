import type { Locator } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { type SignedIn, useClient } from './fixture.ts'

/** What a seller who works in projects sees of others and may not change: their hours, their projects, the partners of users. */

const client = useClient()
const soon = expect.poll

let view: SignedIn
let task: number

beforeAll(async () => {
  task = await client.modules().asSystem(async (env) => {
    const group = (
      await env.model('core.group').search([
        ['category', '=', 'Project'],
        ['name', '=', 'User'],
      ])
    )[0]!
    const [seller] = await env.model('core.user').search([['login', '=', 'seller']])
    const [admin] = await env.model('core.user').search([['login', '=', 'admin']])
    await env.model('core.user').write([seller!], { group_ids: [[4, group]] as never })
    await env.model('project.project').createMany([
      { name: 'Lock own', user_id: seller!, state: 'running' },
      { name: 'Lock other', user_id: admin!, state: 'running' },
    ])
    const [project] = await env.model('project.project').search([['name', '=', 'Lock own']])
    const id = await env.model('project.task').create({ name: 'Lock', project_id: project! })
    const hours = (user_id: number, name: string) => ({ task_id: id, user_id, name, hours: 1 })
    await env.model('project.timesheet').createMany([hours(seller!, 'Lock mine'), hours(admin!, 'Lock theirs')])
    await env.model('core.partner').create({ name: 'Lock free', city: 'Lisbon' })
    const [of] = await env.model('core.user').read([admin!], ['partner_id'])
    await env.model('core.partner').write([of!.partner_id![0]], { name: 'Lock admin' })
    return id
  })
  view = await client.signIn('seller')
})

const row = (text: string) => view.page.locator('.viewhost [role=row]').filter({ hasText: text })

test('a list lets one change the rows that one may, and no others', async () => {
  const { page } = view
  await view.go('/web?model=project.timesheet&view_type=list&q=Lock')
  await row('Lock theirs').getByText('1:00').click()
  await row('Lock mine').getByText('1:00').click()
  await page.locator('.viewhost [role=row] input:not([type=checkbox])').first().waitFor()
  expect(await row('Lock theirs').locator('input:not([type=checkbox])').count()).toBe(0)
})

test('hours are offered only to those for whom one may record them, in the list and in the lines of a task', async () => {
  const { page } = view
  const offered = async (input: Locator) => {
    // A new line has the values it begins with by then.
    await soon(() => input.inputValue()).toBe('seller')
    await input.click()
    await input.fill('')
    await page.getByRole('option').first().waitFor()
    return page.getByRole('option').allTextContents()
  }
  await view.go('/web?model=project.timesheet&view_type=list&q=Lock')
  await row('Lock mine').getByText('seller').click()
  expect(await offered(page.getByRole('combobox', { name: 'Employee' }))).toEqual(['seller'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await view.go(`/web?model=project.task&view_type=form&id=${task}`)
  await page.getByRole('tab', { name: 'Hours' }).click()
  const lines = page.locator('.lines [role=grid]:visible')
  await lines.getByRole('row').filter({ hasText: 'Lock mine' }).getByText('seller').click()
  expect(await offered(lines.getByRole('combobox', { name: 'Employee' }))).toEqual(['seller'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.locator('.lines:visible').getByRole('button', { name: 'Add line' }).click()
  expect(await offered(lines.getByRole('combobox', { name: 'Employee' }))).toEqual(['seller'])
  await view.page.keyboard.press('Escape')
})

test('the lines of a form are changed and removed only where they may be, by mouse and by keys', async () => {
  const { page } = view
  await view.go(`/web?model=project.task&view_type=form&id=${task}`)
  await page.getByRole('tab', { name: 'Hours' }).click()
  const lines = page.locator('.lines [role=grid]:visible')
  const line = (text: string) => lines.getByRole('row').filter({ hasText: text })
  await line('Lock theirs').waitFor()
  expect(
    await line('Lock mine')
      .getByRole('button', { name: /^Remove/ })
      .count(),
  ).toBe(1)
  expect(
    await line('Lock theirs')
      .getByRole('button', { name: /^Remove/ })
      .count(),
  ).toBe(0)
  await line('Lock theirs').getByText('Lock theirs').click()
  await line('Lock theirs').focus()
  await page.keyboard.press('Delete')
  await page.keyboard.press('Enter')
  await line('Lock mine').getByText('Lock mine').click()
  await lines.locator('.editing').waitFor()
  expect(await line('Lock theirs').getAttribute('class')).not.toContain('editing')
  // Tab does not stop at a line that cannot be entered.
  const last = lines.locator('.editing input').last()
  await last.focus()
  await page.keyboard.press('Tab')
  await soon(() => last.evaluate((element) => element === document.activeElement).catch(() => false)).toBe(false)
})

test('a card that may not be changed has no menu and is not lifted', async () => {
  const { page } = view
  await view.go('/web?model=project.project&view_type=kanban&q=Lock')
  const card = (name: string) => page.locator('[data-card]').filter({ hasText: name })
  await card('Lock own').getByRole('button', { name: 'Actions for Lock own' }).waitFor()
  expect(
    await card('Lock other')
      .getByRole('button', { name: /^Actions/ })
      .count(),
  ).toBe(0)
  await card('Lock other').getByRole('link').focus()
  await page.keyboard.press('m')
  await card('Lock own').getByRole('link').focus()
  await page.keyboard.press('m')
  await page.locator('.card.lifted').waitFor()
  expect(await page.locator('.card.lifted').textContent()).toContain('Lock own')
  await page.keyboard.press('Escape')
})

test('a change of several rows leaves out those that are locked, says which and why, and can be taken back', async () => {
  const { page } = view
  const cities = () =>
    client.modules().asSystem(async (env) => {
      const ids = await env.model('core.partner').search([['name', 'in', ['Lock free', 'Lock open', 'Lock admin']]])
      const rows = await env.model('core.partner').read(ids, ['name', 'city'])
      return Object.fromEntries(rows.map(({ name, city }) => [name, city]))
    })
  await client.modules().asSystem((env) => env.model('core.partner').create({ name: 'Lock open' }))
  await view.go('/web?model=core.partner&view_type=list&q=Lock')
  await page.getByRole('checkbox', { name: 'Select all' }).first().check()
  await row('Lock free').getByText('Lisbon').click()
  await page.getByRole('textbox', { name: 'City' }).fill('Porto')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '“Change” is possible for 2 of 3 records' })
  await dialog.getByText('Only an administrator may change the contact of a user.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Change (2)' }).click()
  const told = page.locator('.toast').filter({ hasText: '2 of 3 changed; 1 left out' })
  await told.waitFor()
  expect(await cities()).toEqual({ 'Lock free': 'Porto', 'Lock open': 'Porto', 'Lock admin': null })
  await told.getByRole('button', { name: 'Undo' }).click()
  await soon(cities).toEqual({ 'Lock free': 'Lisbon', 'Lock open': null, 'Lock admin': null })
  await row('Lock free').getByText('Lisbon').waitFor()
  await client.modules().asSystem(async (env) => {
    const ids = await env.model('core.partner').search([['name', '=', 'Lock open']])
    await env.model('core.partner').unlink(ids)
  })
})

test('an archive that some records refuse says which and why, and is done for the others', async () => {
  const { page } = view
  await view.go('/web?model=core.partner&view_type=list&q=Lock')
  await page.getByRole('checkbox', { name: 'Select all' }).first().check()
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Archive' }).click()
  const dialog = page.getByRole('dialog', { name: '“Archive” is possible for 1 of 2 records' })
  await dialog.getByText('Only an administrator may change the contact of a user.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Archive (1)' }).click()
  await page.locator('.toast').filter({ hasText: '1 record archived' }).waitFor()
  await soon(() => row('Lock free').count()).toBe(0)
  expect(await row('Lock admin').count()).toBe(1)
})
