import { afterAll, beforeAll, expect, test } from 'vitest'
import { installModules } from '../../../kernel/module/install.ts'
import { uninstallModule } from '../../../kernel/module/uninstall.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['crm'])
})
afterAll(() => people.leave())

const contents = () =>
  people.asSystem(async (env) => ({
    leads: await env
      .model('crm.lead')
      .searchRead([], ['code', 'stage_id', 'tag_ids', 'activity_ids', 'order_ids', 'probability'], {
        archived: 'include',
        order: 'id',
      }),
    teams: await env.model('crm.team').searchRead([], ['member_ids', 'target']),
    jobs: await env.model('sys.cron').count([['handler', '=', 'crm.refresh_activities']]),
  }))

test('uninstalling crm leaves nothing in sales, and installing it again restores leads, links and numbers', async () => {
  const { services, catalogue, holder } = people.modules
  const before = await contents()
  await uninstallModule(services, catalogue, 'crm')
  const { registry } = await holder.latest()
  expect([registry.model('crm.lead'), registry.model('sale.order')!.fields.has('lead_id')]).toEqual([undefined, false])
  const views = await people.asSystem((env) => env.views())
  expect(JSON.stringify(views.resolve('sale.order', 'form')?.root)).not.toContain('lead_id')
  expect(await people.asSystem((env) => env.model('sys.menu').count([['module', '=', 'crm']]))).toBe(0)

  await installModules(services, catalogue, ['crm'])
  expect(await contents()).toEqual(before)
  await people.hire('tom', ['crm.group_user'])
  const code = await people.as('tom', async (env) => {
    const id = await env.model('crm.lead').create({ name: 'After the break' })
    return (await env.model('crm.lead').read([id], ['code']))[0]!.code
  })
  expect(before.leads.map((lead) => lead.code)).not.toContain(code)
})
