import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import { type Acted, actOnRecords } from '../../kernel/shell/act-on-records.ts'
import { undoAction } from '../../kernel/shell/undo-action.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People
let customer: number

beforeAll(async () => {
  people = await openPeople(['crm'])
  await people.hire('mia', ['sale.group_manager', 'crm.group_manager'])
  await people.hire('tom', ['sale.group_manager'])
  customer = await people.as('mia', (env) => env.model('core.partner').create({ name: 'Act' }))
})
afterAll(() => people.leave())

const line = [0, 0, { name: 'Chair', quantity: 1, price_unit: 10 }]
const order = (lines: readonly unknown[] = [line]) =>
  people.as('mia', (env) => env.model('sale.order').create({ partner_id: customer, line_ids: lines as never }))

const act = (action: string, ids: readonly number[], more: Partial<Acted> = {}, login = 'mia') =>
  people.as(login, (env) =>
    actOnRecords(env, { model: env.registry.model('sale.order')!, ids, action, vals: {}, isTrial: false, ...more }),
  )
const undo = (token: string, login = 'mia') =>
  people.as(login, (env) => undoAction(env, env.registry.model('sale.order')!, token))
const states = (ids: readonly number[]) =>
  people.as('mia', async (env) => (await env.model('sale.order').read(ids, ['state'])).map(({ state }) => state))

describe('an action on several records', () => {
  test('is done for all of them where none refuses', async () => {
    const ids = [await order(), await order()]
    expect(await act('action_confirm', ids)).toMatchObject({ done: ids, refused: [] })
    expect(await states(ids)).toEqual(['sale', 'sale'])
  })

  test('changes nothing where some refuse, and says which and why', async () => {
    const [good, empty, confirmed] = [await order(), await order([]), await order()]
    await act('action_confirm', [confirmed])
    const ids = [good, empty, confirmed]
    const answer = await act('action_confirm', ids)
    expect(answer).toMatchObject({ done: [], possible: [good] })
    expect(answer.refused.map(({ id, message }) => [id, message])).toEqual([
      [empty, 'An order needs at least one line before it is confirmed.'],
      [confirmed, expect.stringMatching(/is already: Sales Order\.$/)],
    ])
    expect(answer.refused[1]?.name).toMatch(/^S\d+/)
    expect(await states(ids)).toEqual(['draft', 'draft', 'sale'])
    expect(await act('action_confirm', answer.possible)).toMatchObject({ done: [good] })
  })

  test('starts from the states of its own button: what is locked is not confirmed', async () => {
    const [draft, locked] = [await order(), await order()]
    await act('action_confirm', [locked])
    await act('action_done', [locked])
    expect(await act('action_confirm', [draft, locked])).toMatchObject({
      possible: [draft],
      refused: [{ id: locked, message: expect.stringMatching(/is Locked and cannot become Sales Order\.$/) }],
    })
  })

  test('that is only tried changes nothing and tells nobody', async () => {
    const [draft, confirmed] = [await order(), await order()]
    await act('action_confirm', [confirmed])
    const answer = await act('unlink', [draft, confirmed], { isTrial: true })
    expect(answer).toMatchObject({ done: [], possible: [draft], refused: [{ id: confirmed }] })
    expect(await act('unlink', [draft], { isTrial: true })).toMatchObject({ done: [], possible: [draft], refused: [] })
    expect(await states([draft, confirmed])).toEqual(['draft', 'sale'])
  })

  test('refuses one record, or an action that there is not, as a call does', async () => {
    const empty = await order([])
    await expect(act('action_confirm', [empty])).rejects.toMatchObject({ code: 'VALIDATION' })
    await expect(act('action_fly', [empty])).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(act('action_confirm', [empty], {}, 'ann')).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })
})

describe('an action that is taken back', () => {
  test('leaves its records as they were', async () => {
    const ids = [await order(), await order()]
    await act('action_send', ids.slice(0, 1))
    const { undo: token = '' } = await act('action_confirm', ids)
    expect(await undo(token)).toEqual(ids)
    expect(await states(ids)).toEqual(['sent', 'draft'])
    const rows = await people.as('mia', (env) => env.model('sale.order').read(ids, ['confirmed_at']))
    expect(rows.map(({ confirmed_at }) => confirmed_at)).toEqual([null, null])
  })

  test('stays as it is once a record was changed, or the time is over, or another user asks', async () => {
    const id = await order()
    const { undo: token = '' } = await act('action_confirm', [id])
    await expect(undo(token, 'tom')).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(undo(`${token}x`)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    const late = people.as('mia', (env) =>
      undoAction(
        { ...env, now: new Date(env.now.getTime() + LIMITS.undoMs + 1_000) },
        env.registry.model('sale.order')!,
        token,
      ),
    )
    await expect(late).rejects.toMatchObject({ code: 'CONFLICT' })
    await people.as('mia', (env) => env.model('sale.order').write([id], { client_ref: 'new' }))
    await expect(undo(token)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await states([id])).toEqual(['sale'])
  })
})
