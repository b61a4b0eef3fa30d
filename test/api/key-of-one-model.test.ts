import { beforeAll, describe, expect, test } from 'vitest'
import type { Model, Registry } from '../../kernel/model/registry.ts'
import type { Agent } from '../support/agent.ts'
import { appsTemplate, hire } from '../support/api-database.ts'
import { describeHost } from '../support/hosts.ts'

type Row = Readonly<Record<string, unknown>> & { readonly id: number }

const METHODS = ['search', 'search_read', 'read', 'onchange']
const DENIED = { ok: false, error: { code: 'ACCESS_DENIED' } }

/** Who has a key, by groups: everything, the everyday work of each app, and no app at all. */
const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  manager: ['base.group_system', 'sale.group_manager', 'crm.group_manager', 'project.group_manager'],
  worker: ['base.group_user', 'sale.group_user', 'crm.group_user', 'project.group_user'],
  guest: ['base.group_user'],
}

describeHost('a key for one model', { kind: 'process', template: appsTemplate }, (host) => {
  let registry: Registry
  beforeAll(async () => {
    registry = (await host.modules.holder.latest()).registry
    for (const [login, groups] of Object.entries(PEOPLE)) if (login !== 'guest') await hire(host.modules, login, groups)
  })

  const keyFor = (login: string, ...models: readonly string[]) =>
    host.apiKey(login, { scope: { models: Object.fromEntries(models.map((model) => [model, METHODS])) } })
  const first = async (agent: Agent, model: string, domain: readonly unknown[] = []) =>
    (await agent.must<Row[]>(model, 'search_read', [domain, ['id']], { limit: 1 }))[0]!.id

  describe.each(Object.keys(PEOPLE))('of a %s', (login) => {
    test('reads every field of every model they may read, and opens its form', async () => {
      const whole = await host.apiKey(login)
      const refused: unknown[] = []
      const ask = async (agent: Agent, model: Model, method: string, args: readonly unknown[]) => {
        const answer = await agent.rpc(model.name, method, args)
        if (!answer.ok) refused.push([model.name, method, answer.error])
        return answer.ok ? answer.result : undefined
      }
      for (const model of registry.models.values()) {
        const readable = await whole.rpc(model.name, 'search_read', [[], ['id']], { limit: 1 })
        if (!readable.ok) continue
        const key = await keyFor(login, model.name)
        const found = await ask(key, model, 'search', [])
        const [one] = (found ?? []) as readonly Row[]
        if (one !== undefined) await ask(key, model, 'read', [[one.id]])
        const form = await whole.rpc(model.name, 'onchange', [{}, []])
        if (form.ok) await ask(key, model, 'onchange', [{}, []])
      }
      expect(refused).toEqual([])
    })
  })

  describe('says nothing of what it does not cover', () => {
    const FIGURES = ['opportunity_count', 'sale_order_count', 'total_sold']
    const UNSET = { opportunity_count: null, sale_order_count: null, total_sold: null }

    test('figures of other models are unset, whether the call names them or not', async () => {
      const whole = await host.apiKey('manager')
      const id = await first(whole, 'core.partner', [['sale_order_ids.state', '=', 'sale']])
      const narrow = await keyFor('manager', 'core.partner')
      expect(await narrow.must<Row[]>('core.partner', 'read', [[id]])).toMatchObject([UNSET])
      expect(await narrow.must<Row[]>('core.partner', 'read', [[id], FIGURES])).toMatchObject([UNSET])
      const wider = await keyFor('manager', 'core.partner', 'sale.order', 'crm.lead')
      const [seen] = await whole.must<Row[]>('core.partner', 'read', [[id], FIGURES])
      expect(seen).toMatchObject({ sale_order_count: expect.any(Number), total_sold: expect.any(Number) })
      expect(await wider.must<Row[]>('core.partner', 'read', [[id], FIGURES])).toEqual([seen])
    })

    test('the name of a product is unset beside a line', async () => {
      const narrow = await keyFor('manager', 'sale.order.line')
      const id = await first(narrow, 'sale.order.line', [['product_id', '!=', null]])
      const [line] = await narrow.must<Row[]>('sale.order.line', 'read', [[id]])
      expect(line).toMatchObject({ product_name: null, product_id: [expect.any(Number), null] })
    })

    test('a figure that is computed from such a figure is unset as well', async () => {
      const whole = await host.apiKey('manager')
      const id = await first(whole, 'crm.team')
      await whole.must('crm.team', 'write', [[id], { target: 1000 }])
      const narrow = await keyFor('manager', 'crm.team')
      const figures = ['open_count', 'won_revenue', 'target_progress']
      const [team] = await narrow.must<Row[]>('crm.team', 'read', [[id], figures])
      expect(team).toMatchObject({ open_count: null, won_revenue: null, target_progress: null })
    })

    test('a new form has what its own model says, and none of the rest', async () => {
      const narrow = await keyFor('manager', 'crm.lead')
      const { value } = await narrow.must<{ value: Row }>('crm.lead', 'onchange', [{}, []])
      expect(value).toMatchObject({ type: expect.any(String), stage_id: [expect.any(Number), null] })
      const partner = await keyFor('manager', 'core.partner')
      const form = await partner.must<{ value: Row }>('core.partner', 'onchange', [{}, []])
      expect(Object.keys(form.value)).not.toContain('opportunity_count')
    })

    test('an edit that leads there is refused', async () => {
      const whole = await host.apiKey('manager')
      const stage_id = await first(whole, 'crm.stage')
      const narrow = await keyFor('manager', 'crm.lead')
      expect(await narrow.rpc('crm.lead', 'onchange', [{ name: 'x', stage_id }, 'stage_id'])).toMatchObject(DENIED)
    })
  })
})
