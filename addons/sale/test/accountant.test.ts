import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Env } from '#kernel'
import { listRoles } from '../../../kernel/admin/roles.ts'
import { checkQuery, exportParams, prepareExport } from '../../../kernel/exchange/export/export-query.ts'
import { elementsBelow } from '../../../kernel/view/arch/arch.ts'
import { takeSnapshot, undoAction, undoTokenOf } from '../../../kernel/workspace/undo-action.ts'
import { openWorkspace } from '../../../test/support/open-workspace.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

type Orders = ReturnType<typeof ordersOf>

let people: People
let order: number
let customer: number

const ordersOf = (env: Env) => env.model('sale.order')

beforeAll(async () => {
  people = await openPeople(['sale'])
  await people.hire('tom', ['sale.group_user'])
  await people.hire('ada', ['sale.group_accountant'])
  await people.as('tom', async (env) => {
    customer = await env.model('core.partner').create({ name: 'Testing Works' })
    const line = { name: 'Work', quantity: 2, price_unit: 50 }
    order = await env.model('sale.order').create({ partner_id: customer, line_ids: [[0, 0, line]] })
    await env.model('sale.order').call([order], 'action_confirm')
  })
})
afterAll(() => people.leave())

test('an accountant reads the orders of every salesperson, and what customers have ordered', async () => {
  await people.as('ada', async (env) => {
    const [read] = await env.model('sale.order').read([order], ['amount_total', 'line_ids', 'user_id'])
    expect(read).toMatchObject({ amount_total: 100, user_id: [expect.any(Number), 'tom'] })
    expect(await env.model('sale.order.line').read(read!.line_ids, ['subtotal'])).toMatchObject([{ subtotal: 100 }])
    expect(await env.model('core.partner').read([customer], ['sale_order_count', 'total_sold'])).toMatchObject([
      { sale_order_count: 1, total_sold: 100 },
    ])
  })
})

test('an accountant of one company sees no order of another', async () => {
  const companies = await people.as('frieda@example.com', async (env) => {
    const rows = await env.model('sale.order').searchRead([['company_id', '!=', null]], ['company_id', 'user_id'])
    expect(new Set(rows.map(({ user_id }) => user_id?.[0])).size).toBeGreaterThan(1)
    return rows.map(({ company_id }) => company_id![1])
  })
  expect(new Set(companies)).toEqual(new Set(['Nordlicht Trading']))
})

test('an accountant locks and unlocks an order, and its history says who', async () => {
  const after = (action: string) =>
    people.as('ada', async (env) => {
      await env.model('sale.order').call([order], action)
      const [{ state } = {}] = await env.model('sale.order').read([order], ['state'])
      return state
    })
  expect([await after('action_done'), await after('action_unlock')]).toEqual(['done', 'sale'])
  const authors = await people.asSystem(async (env) =>
    env.model('mail.message').searchRead(
      [
        ['model', '=', 'sale.order'],
        ['res_id', '=', order],
      ],
      ['author_id'],
      { order: 'id desc', limit: 2 },
    ),
  )
  expect(authors.map(({ author_id }) => author_id?.[1])).toEqual(['ada', 'ada'])
})

test('an accountant is offered the steps that are theirs and no others, on a form that is read-only', async () => {
  const buttons = await people.as('ada', async (env) => {
    const { arch } = await openWorkspace(env, { model: 'sale.order', view_type: 'form', id: order })
    expect(arch.access).toMatchObject({ write: false, create: false, unlink: false })
    return [...elementsBelow(arch.root)].filter(({ tag }) => tag === 'button').map(({ attrs }) => attrs['name'])
  })
  expect(buttons).toEqual(['action_done', 'action_unlock', 'action_print', 'action_view_partner_orders'])
})

test('an accountant can undo a lock or an unlock, like a manager; a former accountant cannot', async () => {
  const act = (login: string, action: string) =>
    people.as(login, async (env) => {
      const model = env.registry.model('sale.order')!
      const before = await takeSnapshot(env, model, action, [order])
      await env.model('sale.order').call([order], action)
      return (before && (await undoTokenOf(env, model, action, before)))!
    })
  const undo = (token: string) =>
    people.as('ada', async (env) => {
      const model = env.registry.model('sale.order')!
      await undoAction(env, model, token)
      const [{ state } = {}] = await env.model('sale.order').read([order], ['state'])
      return state
    })
  expect(await undo(await act('ada', 'action_done'))).toBe('sale')
  const locked = await act('ada', 'action_done')
  expect(await undo(await act('ada', 'action_unlock'))).toBe('done')
  // The order has been changed since.
  await expect(undo(locked)).rejects.toMatchObject({ code: 'CONFLICT' })
  const token = await act('ada', 'action_unlock')
  const setGroup = (command: 3 | 4) =>
    people.asSystem(async (env) => {
      const [ada] = await env.model('core.user').search([['login', '=', 'ada']])
      const [group] = await env.model('core.group').search([['name', '=', 'Accountant']])
      await env.model('core.user').write([ada!], { group_ids: [[command, group!]] })
    })
  await setGroup(3)
  await expect(undo(token)).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  await setGroup(4)
  expect(await undo(token)).toBe('done')
  await people.as('admin', (env) => env.model('sale.order').call([order], 'action_unlock'))
})

test.each([
  ['writes no quotation', (orders) => orders.create({ partner_id: customer })],
  ['changes none', (orders) => orders.write([order], { client_ref: 'mine' })],
  ['deletes none', (orders) => orders.unlink([order])],
  ['cancels none', (orders) => orders.call([order], 'action_cancel')],
  ['copies none', (orders) => orders.call([order], 'action_duplicate')],
] satisfies readonly [string, (orders: Orders) => Promise<unknown>][])('an accountant %s', async (_what, attempt) => {
  await expect(people.as('ada', async (env) => attempt(ordersOf(env)))).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
})

test('an accountant of another company does not lock it', async () => {
  const attempt = people.as('frieda@example.com', (env) => ordersOf(env).call([order], 'action_done'))
  await expect(attempt).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
})

test('an accountant exports orders', async () => {
  await people.as('ada', async (env) => {
    const query = exportParams.parse({ model: 'sale.order', fields: 'name,amount_total' })
    await checkQuery(env, await prepareExport(env, query))
  })
})

test('the choice of roles has accounting beside sales, in the language of the administrator', async () => {
  const rolesIn = async (lang: string) => {
    await people.asSystem(async (env) => {
      const [admin] = await env.model('core.user').search([['login', '=', 'admin']])
      await env.model('core.user').write([admin!], { lang })
    })
    const { apps, extras } = await people.as('admin', listRoles)
    expect(extras).toEqual([])
    return apps
      .filter(({ module }) => module === 'sale')
      .map(({ name, roles }) => [name, ...roles.map((role) => role.name)])
  }
  expect(await rolesIn('en')).toEqual(expect.arrayContaining([['Accounting', 'Accountant']]))
  expect(await rolesIn('de')).toEqual(expect.arrayContaining([['Buchhaltung', 'Buchhalter']]))
})
