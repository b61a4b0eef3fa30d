import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WorkspaceQuery } from '../../../kernel/workspace/workspace-query.ts'
import { openWorkspace } from '../../../test/support/open-workspace.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['crm'])
})
afterAll(() => people.leave())

describe('the examples', () => {
  test('are leads all over the world, won, lost and open, opened around today', async () => {
    await people.asSystem(async (env) => {
      const count = (...domain: Parameters<ReturnType<typeof leads>['count']>[0]) =>
        leads().count(domain, { archived: 'include' })
      const leads = () => env.model('crm.lead')
      expect(await count()).toBeGreaterThanOrEqual(180)
      expect(await count(['latitude', '!=', null], ['longitude', '!=', null])).toBeGreaterThanOrEqual(180)
      expect(await count(['code', '=', null])).toBe(0)
      expect(await count(['outcome', '=', 'won'], ['date_closed', '!=', null])).toBeGreaterThanOrEqual(30)
      expect(await count(['outcome', '=', 'lost'], ['lost_reason', '!=', null])).toBeGreaterThanOrEqual(20)
      expect(await count(['type', '=', 'lead'])).toBeGreaterThanOrEqual(40)
      expect(await count(['date_open', '>', 'today'])).toBe(0)
      expect(await count(['date_deadline', '>', 'today'])).toBeGreaterThan(40)
      for (const stage of await env.model('crm.stage').search([])) {
        expect(await count(['stage_id', '=', stage], ['type', '=', 'opportunity'])).toBeGreaterThan(5)
      }
    })
  })

  test('have activities of every state, and every open lead shows its most urgent one', async () => {
    await people.asSystem(async (env) => {
      expect(await env.model('crm.activity').count([])).toBeGreaterThanOrEqual(250)
      for (const state of ['overdue', 'today', 'planned', 'done'] as const) {
        expect(await env.model('crm.activity').count([['state', '=', state]])).toBeGreaterThan(5)
      }
      const states = await env
        .model('crm.lead')
        .searchRead([['activity_ids.state', '=', 'overdue']], ['activity_state'])
      expect(new Set(states.map((row) => row.activity_state))).toEqual(new Set(['overdue']))
    })
  })

  test('come from and lead to the orders of the sales examples', async () => {
    await people.asSystem(async (env) => {
      const orders = await env
        .model('sale.order')
        .searchRead([['lead_id', '!=', null]], ['partner_id', 'lead_id', 'state', 'company_id'])
      expect(orders.length).toBeGreaterThanOrEqual(40)
      const leads = await env.model('crm.lead').read(
        orders.map((order) => order.lead_id![0]),
        ['partner_id', 'outcome', 'company_id'],
      )
      for (const [i, { partner_id, state, company_id }] of orders.entries()) {
        const outcome = state === 'sale' || state === 'done' ? 'won' : 'open'
        expect(leads[i]).toMatchObject({ partner_id, company_id, outcome })
      }
    })
  })

  test('divide two companies: a user of one sees nothing of the other', async () => {
    const companies = async (login: string) => {
      const rows = await people.as(login, (env) => env.model('crm.lead').searchRead([], ['company_id', 'currency_id']))
      return new Set(rows.map((row) => `${row.company_id?.[1]} ${row.currency_id[1]}`))
    }
    expect(await companies('mia@example.com')).toEqual(new Set(['Nordlicht Trading USD']))
    expect(await companies('tomas@example.com')).toEqual(new Set(['My Company EUR']))
    expect((await companies('demo@example.com')).size).toBe(2)
  })
})

describe('the views', () => {
  test('resolve without a problem', async () => {
    const views = await people.asSystem((env) => env.views())
    const own = [...views.views.values()].filter((view) => view.model.startsWith('crm.') || view.model === 'sale.order')
    expect(own.length).toBeGreaterThanOrEqual(25)
    expect(own.flatMap((view) => views.resolve(view.model, view.type, view.id)?.problems ?? ['none'])).toEqual([])
  })

  test('of a lead are of every kind', async () => {
    const views = await people.asSystem((env) => env.views())
    const kinds = [...views.views.values()].filter((view) => view.model === 'crm.lead').map((view) => view.type)
    expect(kinds.sort()).toEqual([
      'calendar',
      'cohort',
      'form',
      'gantt',
      'graph',
      'kanban',
      'list',
      'map',
      'pivot',
      'search',
    ])
  })

  test('put the opportunity on the form of an order', async () => {
    const views = await people.asSystem((env) => env.views())
    const form = JSON.stringify(views.resolve('sale.order', 'form')?.root)
    expect(form).toContain('"name":"lead_id"')
    expect(form).toContain('"name":"action_view_lead"')
  })

  test('are opened by a pipeline of opportunities, with my own first', async () => {
    const views = await people.asSystem((env) => env.views())
    const pipeline = views.actions.get(views.actionIdByXmlid.get('crm.action_pipeline')!)
    expect(pipeline).toMatchObject({
      name: 'CRM pipeline',
      model: 'crm.lead',
      context: { default_type: 'opportunity', search_default_mine: 1 },
    })
    expect(JSON.stringify(pipeline!.domain)).toContain('opportunity')
  })

  test('of every menu have something to show to the demo user', async () => {
    const open = (action: number, view_type?: WorkspaceQuery['view_type']) =>
      people.as('demo@example.com', (env) => openWorkspace(env, { action, view_type, filter: '' }))
    const views = await people.asSystem((env) => env.views())
    const actions = [...views.actionIdByXmlid].filter(([xmlid]) => xmlid.startsWith('crm.'))
    for (const [xmlid, id] of actions) {
      for (const { mode } of (await open(id)).viewTabs) {
        const page = await open(id, mode)
        expect([xmlid, page.viewType, page.arch.warnings ?? []]).toEqual([xmlid, mode, []])
        if (mode !== 'form') expect([xmlid, mode, page.listTotal > 0]).toEqual([xmlid, mode, true])
      }
    }
  })
})
