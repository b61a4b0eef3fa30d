import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import { copyRecord, copyRecords } from '../../kernel/orm/record/copy.ts'
import { multiply } from '../support/multiply.ts'
import { openPeople, type People } from '../support/people.ts'

/** More than a search of RPC returns. */
const MANY = LIMITS.records + 20

let people: People

beforeAll(async () => {
  people = await openPeople(['contacts', 'crm', 'project'])
  await people.hire('mia', ['sale.group_manager', 'crm.group_manager', 'project.group_manager'])
})
afterAll(() => people.leave())

/** A record and copies of it: `MANY` in all. */
async function many(table: string, first: number): Promise<number[]> {
  return [first, ...(await multiply(people.database, table, first, MANY - 1))]
}

const newLeads = async (values: object = {}) => {
  const first = await people.as('mia', (env) =>
    env.model('crm.lead').create({ name: 'Many', type: 'opportunity', ...values }),
  )
  return many('crm_lead', first)
}

test('every lead that moves gets the probability of its new stage', async () => {
  const leads = await newLeads()
  const stage = await people.as('mia', async (env) => {
    const stage_id = await env.model('crm.stage').create({ name: 'Nearly', probability: 77 })
    await env.model('crm.lead').write(leads, { stage_id })
    return stage_id
  })
  const moved = await people.as('mia', (env) =>
    env.model('crm.lead').count([
      ['stage_id', '=', stage],
      ['probability', '=', 77],
    ]),
  )
  expect(moved).toBe(MANY)
})

test('every lead that is won is closed, and the team counts all of them', async () => {
  const team_id = await people.as('mia', (env) => env.model('crm.team').create({ name: 'Many hands' }))
  const leads = await newLeads({ team_id, expected_revenue: 10 })
  await people.as('mia', (env) => env.model('crm.lead').call(leads, 'action_won'))
  const [won, team] = await people.as('mia', async (env) => [
    await env.model('crm.lead').count([
      ['id', 'in', leads],
      ['outcome', '=', 'won'],
      ['probability', '=', 100],
      ['date_closed', '!=', null],
    ]),
    await env.model('crm.team').read([team_id], ['won_revenue', 'open_count']),
  ])
  expect(won).toBe(MANY)
  expect(team).toMatchObject([{ won_revenue: 10 * MANY, open_count: 0 }])
})

test('a customer counts every opportunity and every order', async () => {
  const partner_id = await people.as('mia', (env) => env.model('core.partner').create({ name: 'Busy Ltd' }))
  await newLeads({ partner_id })
  const order = await people.as('mia', (env) => env.model('sale.order').create({ partner_id }))
  await many('sale_order', order)
  const counts = await people.as('mia', async (env) => [
    await env.model('core.partner').read([partner_id], ['opportunity_count', 'sale_order_count']),
    await env.model('sale.order').read([order], ['partner_order_count']),
  ])
  expect(counts).toMatchObject([[{ opportunity_count: MANY, sale_order_count: MANY }], [{ partner_order_count: MANY }]])
})

test('every category below a renamed one has the new full name', async () => {
  const [root, child] = await people.as('mia', async (env) => {
    const parent_id = await env.model('product.category').create({ name: 'Old' })
    return [parent_id, await env.model('product.category').create({ name: 'Leaf', parent_id })]
  })
  await many('product_category', child!)
  const renamed = await people.as('mia', async (env) => {
    await env.model('product.category').write([root!], { name: 'New' })
    return env.model('product.category').count([['complete_name', '=', 'New / Leaf']])
  })
  expect(renamed).toBe(MANY)
})

test('every sub-task moves with its parent and is counted there', async () => {
  const [parent, child, to] = await people.as('mia', async (env) => {
    const [from, other] = await env.model('project.project').createMany([{ name: 'From' }, { name: 'To' }])
    const parent_id = await env.model('project.task').create({ name: 'Whole', project_id: from! })
    return [parent_id, await env.model('project.task').create({ name: 'Part', parent_id }), other!]
  })
  await many('project_task', child!)
  const moved = await people.as('mia', async (env) => {
    await env.model('project.task').write([parent!], { project_id: to! })
    return env.model('project.task').count([
      ['parent_id', '=', parent!],
      ['project_id', '=', to!],
    ])
  })
  expect(moved).toBe(MANY)
  const [row] = await people.as('mia', async (env) => {
    await env.model('project.task').write([child!], { active: false })
    return env.model('project.task').read([parent!], ['subtask_count'])
  })
  expect(row?.subtask_count).toBe(MANY - 1)
})

describe('a copy of orders with many lines', () => {
  let order: number
  let line: number

  beforeAll(async () => {
    order = await people.as('mia', async (env) => {
      const partner_id = await env.model('core.partner').create({ name: 'Long list' })
      return env.model('sale.order').create({ partner_id, line_ids: [[0, 0, { name: 'Screw', price_unit: 2 }]] })
    })
    const [row] = await people.as('mia', (env) => env.model('sale.order').read([order], ['line_ids']))
    line = row!.line_ids[0]!
  })

  const lines = (of: number) => people.as('mia', (env) => env.model('sale.order.line').count([['order_id', '=', of]]))

  test('has all of them', async () => {
    await multiply(people.database, 'sale_order_line', line, LIMITS.ids - 1)
    const copy = await people.as('mia', (env) => copyRecord(env, 'sale.order', order))
    expect(await lines(copy)).toBe(LIMITS.ids)
  })

  test(`copiedLines: ${LIMITS.copiedLines}`, async () => {
    await multiply(people.database, 'sale_order_line', line, LIMITS.copiedLines - LIMITS.ids + 1)
    expect(await lines(order)).toBe(LIMITS.copiedLines + 1)
    const copying = people.as('mia', (env) => copyRecords(env, 'sale.order', [order]))
    await expect(copying).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      reason: 'limit_exceeded',
      message: `At most ${LIMITS.copiedLines} lines can be copied at once.`,
    })
  })
})
