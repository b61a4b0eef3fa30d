import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env, Values } from '#kernel'
import { METHODS } from '../../../kernel/rpc/methods.ts'
import { takeSnapshot, undoAction, undoTokenOf } from '../../../kernel/workspace/undo-action.ts'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People
let customer: number
let other: number

beforeAll(async () => {
  people = await openPeople(['sale'])
  await people.hire('tom', ['sale.group_user'])
  await people.hire('mia', ['sale.group_manager'])
  await people.as('tom', async (env) => {
    customer = await env.model('core.partner').create({ name: 'Testing Works' })
    other = await env.model('core.partner').create({ name: 'Somebody Else' })
  })
})
afterAll(() => people.leave())

const LOCKED = { code: 'CONFLICT', reason: 'sale.order_locked' }
const READ_ONLY = { code: 'VALIDATION', reason: 'field_read_only', details: { fields: { state: 'Is read-only.' } } }
const STEPS = { draft: [], done: ['action_confirm', 'action_done'], cancel: ['action_cancel'] } as const

async function orderIn(state: keyof typeof STEPS): Promise<number> {
  const line = { name: 'Work', quantity: 2, price_unit: 50 }
  const id = await people.as('tom', (env) =>
    env.model('sale.order').create({ partner_id: customer, line_ids: [[0, 0, line]] }),
  )
  for (const action of STEPS[state]) await people.as('mia', (env) => env.model('sale.order').call([id], action))
  return id
}
/** Writes like server code, which may set the state. */
const write = (id: number, values: Values<'sale.order'>) =>
  people.as('tom', (env) => env.model('sale.order').write([id], values, { setsReadonly: true }))
const read = async (id: number) => {
  const fields = [
    ...(['state', 'stage_id', 'partner_id', 'line_ids', 'confirmed_at', 'name', 'client_ref'] as const),
    ...(['date_order', 'validity_date', 'commitment_date'] as const),
  ]
  const [order] = await people.as('tom', (env) => env.model('sale.order').read([id], fields))
  return order!
}
const stageOf = async (state: 'draft' | 'sale') =>
  (await people.as('tom', (env) => env.model('sale.stage').search([['state', '=', state]], { limit: 1 })))[0]!

describe('the state of an order over the wire', () => {
  const call = (method: string, args: unknown) =>
    people.as('tom', async (env) =>
      METHODS.get(method)!.run(env, env.registry.model('sale.order')!, args as never, {} as never),
    )

  test('is not written: actions change it', async () => {
    const id = await orderIn('draft')
    await expect(call('write', [[id], { state: 'sale' }])).rejects.toMatchObject(READ_ONLY)
    await expect(call('write', [[id], { client_ref: 'A', state: 'draft' }])).rejects.toMatchObject(READ_ONLY)
    await expect(call('create', [{ partner_id: customer, state: 'sale' }])).rejects.toMatchObject(READ_ONLY)
    expect(await read(id)).toMatchObject({ state: 'draft', confirmed_at: null })
    await people.as('tom', (env) => env.model('sale.order').call([id], 'action_confirm'))
    expect(await read(id)).toMatchObject({ state: 'sale', confirmed_at: expect.any(String) })
  })

  test('is read-only for forms and boards, which then offer no step to click and no column to drop on', async () => {
    const { registry } = await people.modules.holder.latest()
    expect(registry.model('sale.order')!.fields.get('state')!.readonly).toBe(true)
  })
})

describe('a locked order', () => {
  const stateOf = async (id: number) => (await read(id)).state
  const unlock = (login: string, id: number) =>
    people.as(login, (env) => env.model('sale.order').call([id], 'action_unlock'))

  test('is unlocked by managers, whether by the button or by its card', async () => {
    const [first, second] = [await orderIn('done'), await orderIn('done')]
    await unlock('mia', first)
    const stage_id = await stageOf('sale')
    await people.as('mia', (env) => env.model('sale.order').write([second], { stage_id }))
    expect([await stateOf(first), await stateOf(second)]).toEqual(['sale', 'sale'])
  })

  test('keeps the date of its confirmation when it is unlocked, by the button or by its card, and gets another only when it is confirmed anew', async () => {
    const confirmed_at = '2024-03-05T09:00:00.000Z'
    const step = (id: number, action: string) => people.as('mia', (env) => env.model('sale.order').call([id], action))
    const [first, second] = [await orderIn('done'), await orderIn('done')]
    await people.asSystem((env) => env.model('sale.order').write([first, second], { confirmed_at }))
    await unlock('mia', first)
    const stage_id = await stageOf('sale')
    await people.as('mia', (env) => env.model('sale.order').write([second], { stage_id }))
    expect([await read(first), await read(second)]).toMatchObject([
      { state: 'sale', confirmed_at },
      { state: 'sale', confirmed_at },
    ])
    for (const action of ['action_cancel', 'action_draft']) await step(first, action)
    expect(await read(first)).toMatchObject({ confirmed_at: null })
    await step(first, 'action_confirm')
    expect((await read(first)).confirmed_at! > confirmed_at).toBe(true)
  })

  test('is not unlocked by others, whether by the action or by its card', async () => {
    const id = await orderIn('done')
    const refused = { code: 'ACCESS_DENIED', reason: 'group_required' }
    await expect(unlock('tom', id)).rejects.toMatchObject(refused)
    await expect(write(id, { stage_id: await stageOf('sale') })).rejects.toMatchObject(refused)
    expect(await stateOf(id)).toBe('done')
  })
})

describe('a lock', () => {
  const lock = (login: string, id: number) =>
    people.as(login, async (env) => {
      const model = env.registry.model('sale.order')!
      const before = await takeSnapshot(env, model, 'action_done', [id])
      await env.model('sale.order').call([id], 'action_done')
      return before && undoTokenOf(env, model, 'action_done', before)
    })
  const confirmed = async () => {
    const id = await orderIn('draft')
    await people.as('tom', (env) => env.model('sale.order').call([id], 'action_confirm'))
    return id
  }

  test('is taken back by those who may unlock', async () => {
    const id = await confirmed()
    const before = await read(id)
    const token = await lock('mia', id)
    expect((await read(id)).state).toBe('done')
    await people.as('mia', (env) => undoAction(env, env.registry.model('sale.order')!, token!))
    expect(await read(id)).toEqual(before)
  })

  test('is refused to others, who could not take it back, as a button and as a stage', async () => {
    const id = await confirmed()
    const denied = { code: 'ACCESS_DENIED' }
    await expect(people.as('tom', (env) => env.model('sale.order').call([id], 'action_done'))).rejects.toMatchObject(
      denied,
    )
    const [stage] = await people.as('tom', (env) => env.model('sale.stage').search([['state', '=', 'done']]))
    await expect(write(id, { stage_id: stage! })).rejects.toMatchObject(denied)
    expect((await read(id)).state).toBe('sale')
  })
})

describe.each(['done', 'cancel'] as const)('an order that is %s', (state) => {
  test('keeps its content and its stage, whatever else the write contains', async () => {
    const id = await orderIn(state)
    const before = await read(id)
    const writes: readonly Values<'sale.order'>[] = [
      { partner_id: other },
      { partner_id: other, state },
      { partner_id: other, state: 'draft' },
      { state: 'draft', line_ids: [[5]] },
      { state: 'draft', line_ids: [[1, before.line_ids[0]!, { price_unit: 1 }]] },
      { state: 'sale', line_ids: [[0, 0, { name: 'More', price_unit: 1 }]] },
      { stage_id: await stageOf(state === 'done' ? 'sale' : 'draft'), line_ids: [[5]] },
      { stage_id: null },
      { name: 'S-MINE' },
      { client_ref: 'PO-1' },
      { date_order: '2020-01-01T00:00:00Z' },
      { validity_date: '2099-01-01' },
      { commitment_date: '2099-01-01' },
    ]
    for (const values of writes) await expect(write(id, values)).rejects.toMatchObject(LOCKED)
    expect(await read(id)).toEqual(before)
  })

  test('takes another salesperson, tags and notes', async () => {
    const id = await orderIn(state)
    await write(id, { user_id: null, note: '<p>Called back.</p>', tag_ids: [] })
    expect((await read(id)).state).toBe(state)
  })

  test('loses no line by a delete or to another order', async () => {
    const [id, open] = [await orderIn(state), await orderIn('draft')]
    const before = await read(id)
    const line = before.line_ids[0]!
    const lines = <T>(work: (api: ReturnType<typeof linesOf>) => Promise<T>) =>
      people.as('tom', (env) => work(linesOf(env)))
    await expect(lines((api) => api.unlink([line]))).rejects.toMatchObject(LOCKED)
    await expect(lines((api) => api.write([line], { order_id: open }))).rejects.toMatchObject(LOCKED)
    await expect(write(open, { line_ids: [[4, line]] })).rejects.toMatchObject(LOCKED)
    expect(await read(id)).toEqual(before)
  })
})

describe('an order that is created in a stage with a status', () => {
  const createIn = (state: 'draft' | 'sale' | 'done', lines: number) =>
    people.as('tom', async (env) => {
      const [stage_id] = await env.model('sale.stage').search([['state', '=', state]], { limit: 1 })
      const line_ids = Array.from({ length: lines }, () => [0, 0, { name: 'Work', price_unit: 50 }] as const)
      return env.model('sale.order').create({ partner_id: customer, stage_id: stage_id!, line_ids })
    })

  test('gets the status by the action that leads to it', async () => {
    expect(await read(await createIn('draft', 1))).toMatchObject({ state: 'draft', confirmed_at: null })
    expect(await read(await createIn('sale', 1))).toMatchObject({ state: 'sale', confirmed_at: expect.any(String) })
  })

  test('is refused where no action leads, or where the action is refused', async () => {
    await expect(createIn('done', 1)).rejects.toMatchObject({ code: 'VALIDATION', reason: 'sale.order_state' })
    await expect(createIn('sale', 0)).rejects.toMatchObject({ code: 'VALIDATION' })
  })

  test('keeps the state that server code gives it', async () => {
    const id = await people.as('tom', (env) =>
      env.model('sale.order').create({ partner_id: customer, state: 'cancel' }, { setsReadonly: true }),
    )
    expect(await read(id)).toMatchObject({ state: 'cancel' })
  })
})

test('a cancelled order is deleted with its lines', async () => {
  const id = await orderIn('cancel')
  const { line_ids } = await read(id)
  await people.as('tom', (env) => env.model('sale.order').unlink([id]))
  expect(await people.as('tom', (env) => linesOf(env).search([['id', 'in', line_ids]]))).toEqual([])
})

const linesOf = (env: Env) => env.model('sale.order.line')
