import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { type Acted, actOnRecords } from '../../kernel/workspace/act-on-records.ts'
import { undoAction } from '../../kernel/workspace/undo-action.ts'
import { openPeople, type People } from '../support/people.ts'

let people: People
let customer: number

beforeAll(async () => {
  people = await openPeople(['crm'])
  await people.hire('mia', ['sale.group_manager', 'crm.group_manager'])
  await people.hire('tom', ['sale.group_manager'])
  await people.hire('ben', ['sale.group_user'])
  customer = await people.as('mia', (env) => env.model('core.partner').create({ name: 'Act' }))
})
afterAll(() => people.leave())

const line = [0, 0, { name: 'Chair', quantity: 1, price_unit: 10 }]
const order = (lines: readonly unknown[] = [line]) =>
  people.as('mia', (env) => env.model('sale.order').create({ partner_id: customer, line_ids: lines as never }))

const act = (action: string, ids: readonly number[], more: Partial<Acted> = {}, login = 'mia') =>
  actOn('sale.order', action, ids, more, login)
const actOn = (name: string, action: string, ids: readonly number[], more: Partial<Acted> = {}, login = 'mia') =>
  people.as(login, async (env) => {
    const acted = { model: env.registry.model(name)!, ids, action, vals: {}, isTrial: false, ...more }
    const result = await actOnRecords(env, acted)
    if (result instanceof AppError) throw result
    return result
  })
const undo = (token: string, login = 'mia') =>
  people.as(login, (env) => undoAction(env, env.registry.model('sale.order')!, token))
const states = (ids: readonly number[]) =>
  people.as('mia', async (env) => (await env.model('sale.order').read(ids, ['state'])).map(({ state }) => state))

describe('an action on several records', () => {
  test('is done for all of them if none refuses', async () => {
    const ids = [await order(), await order()]
    expect(await act('action_confirm', ids)).toMatchObject({ done: ids, refused: [] })
    expect(await states(ids)).toEqual(['sale', 'sale'])
  })

  test('changes nothing if some refuse, and answers which and why', async () => {
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

  test('is refused for records whose state hides its button: a locked order is not confirmed', async () => {
    const [draft, locked] = [await order(), await order()]
    await act('action_confirm', [locked])
    await act('action_done', [locked])
    expect(await act('action_confirm', [draft, locked])).toMatchObject({
      possible: [draft],
      refused: [{ id: locked, message: expect.stringMatching(/is Locked and cannot become Sales Order\.$/) }],
    })
  })

  test('that is only tried changes nothing and publishes no event', async () => {
    const [draft, confirmed] = [await order(), await order()]
    await act('action_confirm', [confirmed])
    const answer = await act('unlink', [draft, confirmed], { isTrial: true })
    expect(answer).toMatchObject({ done: [], possible: [draft], refused: [{ id: confirmed }] })
    expect(await act('unlink', [draft], { isTrial: true })).toMatchObject({ done: [], possible: [draft], refused: [] })
    expect(await states([draft, confirmed])).toEqual(['draft', 'sale'])
  })

  test('archives, too, and says who may not', async () => {
    const [free, owned] = await people.asSystem(async (env) => {
      const [user] = await env
        .model('core.user')
        .read(await env.model('core.user').search([['login', '=', 'tom']]), ['partner_id'])
      return [await env.model('core.partner').create({ name: 'Free' }), user!.partner_id![0]]
    })
    const ids = [free!, owned!]
    const refused = [{ id: owned, message: 'Only an administrator may change the contact of a user.' }]
    expect(await actOn('core.partner', 'archive', ids)).toMatchObject({ done: [], possible: [free], refused })
    expect(await actOn('core.partner', 'archive', [free!])).toMatchObject({ done: [free] })
    const active = () => people.asSystem((env) => env.model('core.partner').read([free!], ['active']))
    expect(await active()).toMatchObject([{ active: false }])
    await actOn('core.partner', 'unarchive', [free!])
    expect(await active()).toMatchObject([{ active: true }])
  })

  test('writes the same values to those that take them, and says why the others do not', async () => {
    const [open, locked] = [await order(), await order()]
    await people.as('mia', (env) => env.model('sale.order').call([locked], 'action_confirm'))
    await people.as('mia', (env) => env.model('sale.order').call([locked], 'action_done'))
    const values = { client_ref: 'Together' }
    const tried = await act('write', [open, locked], { values, isTrial: true })
    expect(tried).toMatchObject({ done: [], possible: [open], refused: [{ id: locked }] })
    expect(await act('write', [open], { values })).toMatchObject({ done: [open], refused: [] })
    const read = await people.as('mia', (env) => env.model('sale.order').read([open, locked], ['client_ref']))
    expect(read).toMatchObject([{ client_ref: 'Together' }, { client_ref: null }])
  })

  test('says of one record by its name why it refuses', async () => {
    const empty = await order([])
    const refused = [
      {
        id: empty,
        name: expect.stringMatching(/^S\d+$/),
        reason: 'check_failed',
        message: expect.stringContaining('one line'),
      },
    ]
    expect(await act('action_confirm', [empty])).toEqual({ done: [], possible: [], refused })
  })

  test('is refused as a call where there is no such action, or no right to the model', async () => {
    const empty = await order([])
    await expect(act('action_fly', [empty])).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(act('action_confirm', [empty], {}, 'ann')).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })
})

describe('an action on several records that takes long, or that is refused for all', () => {
  test('is not tried on each of them beyond its time: the first reason has to do', async () => {
    const ids = [await order(), await order([]), await order()]
    let asked = 0
    const slow = people.as('mia', (env) => {
      const clock = () => new Date(env.now.getTime() + asked++ * (LIMITS.triedMs / 2 + 1))
      const late = { ...env, services: { ...env.services, clock } }
      const model = env.registry.model('sale.order')!
      return actOnRecords(late, { model, ids, action: 'action_confirm', vals: {}, isTrial: true })
    })
    await expect(slow).rejects.toMatchObject({ code: 'VALIDATION' })
    expect(await states(ids)).toEqual(['draft', 'draft', 'draft'])
  })

  test('is tried only for a limited time; after that only running it tells whether it works', async () => {
    await sql`
      create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(3600); return new; end'`.execute(
      people.database.db,
    )
    await sql`create trigger wait before update on sale_order for each row
      when (new.client_ref = 'slow') execute function wait()`.execute(people.database.db)
    const ids = [await order(), await order()]
    const values = { client_ref: 'slow' }
    expect(await act('write', ids, { values, isTrial: true })).toEqual({ done: [], possible: ids, refused: [] })
    await sql`drop trigger wait on sale_order`.execute(people.database.db)
    expect(await states(ids)).toEqual(['draft', 'draft'])
  })

  test('does not reach what only the service itself writes', async () => {
    const readOnly = { code: 'ACCESS_DENIED', reason: 'model_read_only' }
    await expect(actOn('sys.cron.run', 'unlink', [1])).rejects.toMatchObject(readOnly)
    const undone = people.as('mia', (env) => undoAction(env, env.registry.model('sys.cron.run')!, 'x'))
    await expect(undone).rejects.toMatchObject(readOnly)
  })
})

describe('an action that is taken back', () => {
  test('may have replaced values of any length; if they are too long for a token it is done without undo', async () => {
    const leads = (count: number) =>
      people.as('mia', (env) =>
        env
          .model('crm.lead')
          .createMany(
            Array.from({ length: count }, (_, at) => ({ name: `Lost ${at}`, lost_reason: 'ひ'.repeat(300) as never })),
          ),
      )
    const few = await leads(3)
    expect((await actOn('crm.lead', 'action_won', few)).undo).toBeTypeOf('string')
    const many = await leads(LIMITS.triedRecords)
    const done = await actOn('crm.lead', 'action_won', many)
    expect([done.done, done.undo]).toEqual([many, undefined])
  })

  test('leaves its records as they were', async () => {
    const ids = [await order(), await order()]
    await act('action_send', ids.slice(0, 1))
    const { undo: token = '' } = await act('action_confirm', ids)
    expect(await undo(token)).toEqual(ids)
    expect(await states(ids)).toEqual(['sent', 'draft'])
    const rows = await people.as('mia', (env) => env.model('sale.order').read(ids, ['confirmed_at']))
    expect(rows.map(({ confirmed_at }) => confirmed_at)).toEqual([null, null])
  })

  test('is a lock only for managers, who alone take it back', async () => {
    const own = await people.as('ben', (env) =>
      env.model('sale.order').create({ partner_id: customer, line_ids: [line] as never }),
    )
    await act('action_confirm', [own], {}, 'ben')
    expect((await act('action_done', [own], {}, 'ben')).undo).toBeUndefined()
    const id = await order()
    await act('action_confirm', [id])
    const { undo: token = '' } = await act('action_done', [id])
    expect(await undo(token)).toEqual([id])
    expect(await states([id])).toEqual(['sale'])
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
