import { beforeAll, describe, expect, test } from 'vitest'
import type { Registry } from '../../kernel/model/registry.ts'
import { installModules } from '../../kernel/module/install.ts'
import type { Agent } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { describeHost } from '../support/hosts.ts'

/** Fields that take hidden records into account on purpose, each with its reason. */
const SUDO: Readonly<Record<string, string>> = {}

describeHost('fields computed on read', 'process', (host) => {
  let registry: Registry
  let reader: Agent
  let ids: Readonly<Record<'partner' | 'order' | 'team' | 'lead' | 'product', number>>
  let owner: number
  beforeAll(async () => {
    await installModules(host.modules.services, host.modules.catalogue, ['crm', 'project'])
    registry = (await host.modules.holder.latest()).registry
    const groups = ['sale.group_user', 'crm.group_user', 'project.group_user']
    owner = await hire(host.modules, 'owner', groups)
    await hire(host.modules, 'reader', groups)
    reader = await host.signIn('reader')
    ids = await host.modules.asSystem(async (env) => {
      const [company] = await env.model('core.company').search([], { limit: 1 })
      const inCompany = env.inCompany(company!)
      const partner = await inCompany.model('core.partner').create({ name: 'Customer' })
      const product = await inCompany.model('product.product').create({ name: 'Thing', list_price: 7000 })
      const order = await inCompany.model('sale.order').create({
        partner_id: partner,
        user_id: owner,
        company_id: company!,
        line_ids: [[0, 0, { name: 'Things', product_id: product, quantity: 2, price_unit: 7000 }]],
      })
      await inCompany.model('sale.order').call([order], 'action_confirm')
      const team = await inCompany.model('crm.team').create({ name: 'Team', company_id: company!, target: 1000 })
      const lead = await inCompany.model('crm.lead').create({
        name: 'Hidden',
        type: 'opportunity',
        user_id: owner,
        team_id: team,
        partner_id: partner,
        expected_revenue: 500,
      })
      return { partner, order, team, lead, product }
    })
  })

  test('leave out orders and leads that the reader may not see', async () => {
    expect(await reader.rpc('sale.order', 'read', [[ids.order]])).toMatchObject({ error: { code: 'ACCESS_DENIED' } })
    const fields = ['total_sold', 'sale_order_count', 'opportunity_count']
    const [partner] = await reader.must<Record<string, unknown>[]>('core.partner', 'read', [[ids.partner], fields])
    expect(partner).toMatchObject({ sale_order_count: 0, opportunity_count: 0 })
    expect(partner!['total_sold'] ?? 0).toBe(0)
    const [product] = await reader.must<Record<string, unknown>[]>('product.product', 'read', [
      [ids.product],
      ['sold_quantity'],
    ])
    expect(product!['sold_quantity'] ?? 0).toBe(0)
    const [team] = await reader.must<Record<string, unknown>[]>('crm.team', 'read', [
      [ids.team],
      ['open_count', 'pipeline_revenue'],
    ])
    expect(team).toMatchObject({ open_count: 0 })
    expect(team!['pipeline_revenue'] ?? 0).toBe(0)
  })

  test('say it to those who may', async () => {
    const seller = await host.signIn('owner')
    const [partner] = await seller.must<Record<string, unknown>[]>('core.partner', 'read', [
      [ids.partner],
      ['total_sold', 'sale_order_count', 'opportunity_count'],
    ])
    expect(partner).toMatchObject({ total_sold: 14_000, sale_order_count: 1, opportunity_count: 1 })
  })

  test('leave them out in a form that is edited too', async () => {
    const { value } = await reader.must<{ value: Record<string, unknown> }>(
      'core.partner',
      'onchange',
      [{ name: 'Renamed' }, 'name'],
      { id: ids.partner },
    )
    expect(value['total_sold'] ?? 0).toBe(0)
    expect(value['sale_order_count'] ?? 0).toBe(0)
  })

  describe('of every shipped model', () => {
    test('answer the reader the same, whatever hidden records hold', async () => {
      const computed = () =>
        [...registry.models.values()].flatMap((model) => {
          const names = [...model.fields.values()]
            .filter(({ compute, related, secret }) => compute && !compute.stored && related === null && !secret)
            .map(({ name }) => name)
          return names.length === 0 ? [] : [{ model: model.name, names }]
        })
      const answers = async () => {
        const all: unknown[] = []
        for (const { model, names } of computed())
          all.push([model, (await reader.rpc(model, 'search_read', [[], names], { archived: 'include' })).result])
        return all
      }
      const before = await answers()
      expect(JSON.stringify(before)).toContain('core.partner')
      await host.modules.asSystem(async (system) => {
        const [company] = await system.model('core.company').search([], { limit: 1 })
        const env = system.inCompany(company!)
        await env.model('crm.lead').write([ids.lead], { expected_revenue: 90_000, probability: 77 })
        const [line] = await env.model('sale.order.line').search([['order_id', '=', ids.order]])
        await env.model('sale.order.line').write([line!], { quantity: 900 })
        const { partner_id, company_id } = (
          await env.model('sale.order').read([ids.order], ['partner_id', 'company_id'])
        )[0]!
        await env.model('sale.order').create({ partner_id, company_id, user_id: owner })
        await env.model('crm.lead').create({ name: 'More', type: 'opportunity', user_id: owner, team_id: ids.team })
      })
      expect(await answers()).toEqual(before)
    })

    test('take hidden records into account only where this list says why', () => {
      const sudo = [...registry.models.values()].flatMap((model) =>
        [...model.fields.values()].filter(({ compute }) => compute?.sudo).map(({ name }) => `${model.name}.${name}`),
      )
      expect(sudo.sort()).toEqual(Object.keys(SUDO).sort())
    })
  })
})
