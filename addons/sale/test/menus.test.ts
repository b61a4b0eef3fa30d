import { afterAll, beforeAll, expect, test } from 'vitest'
import { navigationOf } from '../../../kernel/navigation/menu.ts'
import { openWorkspace } from '../../../test/support/open-workspace.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['sale'])
})
afterAll(() => people.leave())

const namesOf = (login: string) =>
  people.as(login, async (env) => navigationOf(env, await env.views()).apps.map((app) => app.name))

test('each sees the applications they work with', async () => {
  expect(await namesOf('tomas@example.com')).toEqual(['Contacts', 'Sales', 'Products'])
  expect(await namesOf('ann')).toEqual(['Contacts'])
  expect(await namesOf('admin')).toEqual(['Contacts', 'Sales', 'Products', 'Settings'])
})

test('every menu opens in every kind of view, and the business ones have something to show', async () => {
  const shown = await people.as('admin', async (env) => {
    const views = await env.views()
    const { actions } = navigationOf(env, views)
    const totals = new Map<string, number>()
    for (const action of new Set(actions.values())) {
      let first: number | undefined
      for (const view_type of views.actions.get(action)!.viewModes) {
        if (view_type === 'form' && first === undefined) continue
        const id = view_type === 'form' ? { id: first } : {}
        const page = await openWorkspace(env, { action, view_type, filter: '', ...id })
        expect(page.arch.type).toBe(view_type)
        first ??= page.records[0]?.id
        if (/^(sale|product)\./.test(page.model)) totals.set(`${page.title} ${view_type}`, page.listTotal)
      }
    }
    return totals
  })
  expect(shown.size).toBeGreaterThan(30)
  expect([...shown].filter(([page, total]) => total === 0 && !page.endsWith(' form'))).toEqual([])
})

test('a quotation opens with its lines, and a new one with what the action gives', async () => {
  await people.as('admin', async (env) => {
    const [id] = await env.model('sale.order').search([], { limit: 1 })
    const workspace = await openWorkspace(env, { model: 'sale.order', view_type: 'form', id: id! })
    expect(workspace.records[0]).toMatchObject({ id, line_ids: expect.any(Array), amount_total: expect.any(Number) })
    expect(workspace.arch.related['line_ids']?.fields.map((field) => field.name)).toContain('price_unit')
    const partner = await openWorkspace(env, { model: 'core.partner', view_type: 'form' })
    expect(partner.arch.fields.map((field) => field.name)).toContain('sale_order_count')
  })
  await people.as('ann', async (env) => {
    const partner = await openWorkspace(env, { model: 'core.partner', view_type: 'form' })
    expect(JSON.stringify(partner.arch)).not.toContain('sale_order')
  })
})
