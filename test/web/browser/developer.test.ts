import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { allLoaded } from '../../support/browser.ts'
import { findViolations } from './find-violations.ts'
import { useClient } from './fixture.ts'

const client = useClient()

test('one switch shows what only those need who adapt the program, and a view says who wrote each part', async () => {
  const own = await client.modules().asSystem(async (env) => {
    const whole = [
      ['model', '=', 'core.partner'],
      ['type', '=', 'form'],
      ['inherit_id', '=', null],
    ] as const
    return (await env.model('sys.view').search([...whole]))[0]!
  })
  const { page, go, complaints } = await client.signIn()
  await go('/web/settings')
  const technical = page.locator('#nav').getByText('Technical')
  expect(await technical.count()).toBe(0)
  await page.getByRole('switch', { name: /Developer mode/ }).focus()
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Space')])
  await expect.poll(() => page.getByRole('switch', { name: /Developer mode/ }).isChecked()).toBe(true)
  await go('/web/settings/access')
  for (const name of ['Models', 'Fields', 'Views', 'Record Rules', 'Access Lines'])
    await page.locator('#nav').getByRole('link', { name, exact: true }).waitFor()

  await page.setViewportSize({ width: 1440, height: 500 })
  await go(`/web?model=sys.view&view_type=form&id=${own}`)
  await allLoaded(page)
  const current = page.locator('#nav [aria-current]')
  const nav = (await page.locator('.side-nav').boundingBox())!
  await expect
    .poll(async () => ((await current.boundingBox())?.y ?? Number.POSITIVE_INFINITY) < nav.y + nav.height)
    .toBe(true)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('tab', { name: 'As Shown' }).click()
  const shown = page.locator('[role=tabpanel]:visible')
  await expect.poll(() => shown.textContent()).toMatch(/<!-- base: base\.view_partner_form/)
  await expect.poll(() => shown.textContent()).toMatch(/<!-- (sale|crm): /)
  expect(await findViolations(page)).toEqual([])

  await go('/web/settings')
  await Promise.all([page.waitForEvent('load'), page.getByRole('switch', { name: /Developer mode/ }).click()])
  await expect.poll(() => page.getByRole('switch', { name: /Developer mode/ }).isChecked()).toBe(false)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('an extension that does not fit any more is listed with its mistake, in the list and in the view it changes', async () => {
  const { whole, broken } = await client.modules().asSystem(async (env) => {
    const [whole] = await env.model('sys.view').search([
      ['model', '=', 'core.partner'],
      ['type', '=', 'form'],
      ['inherit_id', '=', null],
    ])
    const arch = '<data><xpath expr="//field[@name=\'name\']" position="after"><field name="color"/></xpath></data>'
    const extension = { name: 'Odd extension', model: 'core.partner', type: 'form' as const, inherit_id: whole! }
    const broken = await env.model('sys.view').create({ ...extension, arch })
    // As if another addon had taken the field away since: a mistake that is written by hand is refused at once.
    await sql`update sys_view set arch = ${arch.replace("'name'", "'nowhere'")} where id = ${broken}`.execute(env.tx)
    return { whole: whole!, broken }
  })
  const { page, go, complaints } = await client.signIn()
  await go('/web?model=sys.view&view_type=list&q=Odd+extension')
  await page.locator(`.gr[data-id="${broken}"]`).getByText('matches nothing in the view').waitFor()
  await go(`/web?model=sys.view&view_type=form&id=${whole}`)
  await page.getByRole('tab', { name: 'As Shown' }).click()
  await page.locator('[role=tabpanel]:visible').getByText('matches nothing in the view').first().waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(complaints).toEqual([])
  await page.context().close()
})
