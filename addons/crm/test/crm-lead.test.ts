import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Values } from '#kernel'
import { openPeople, type People } from '../../../test/support/people.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['crm'])
  await people.hire('mia', ['crm.group_manager'])
  await people.hire('tom', ['crm.group_user'])
  await people.hire('eva', ['crm.group_user'])
})
afterAll(() => people.leave())

const add = (values: Values<'crm.lead'> = {}) =>
  people.as('tom', (env) => env.model('crm.lead').create({ name: 'New kitchen', ...values }))

const change = (id: number, values: Values<'crm.lead'>) =>
  people.as('tom', (env) => env.model('crm.lead').write([id], values))

const call = (id: number, action: string, vals: Record<string, string> = {}) =>
  people.as('tom', (env) => env.model('crm.lead').call([id], action, vals))

const STATE = [
  'code',
  'type',
  'stage_id',
  'probability',
  'weighted_revenue',
  'outcome',
  'active',
  'lost_reason',
  'date_closed',
  'partner_id',
  'activity_state',
  'activity_date',
  'quotation_count',
  'order_count',
  'ordered_amount',
] as const

const look = async (id: number) => {
  const [lead] = await people.as('tom', (env) => env.model('crm.lead').read([id], STATE))
  return lead!
}

const stage = (name: string) =>
  people.as('tom', async (env) => (await env.model('crm.stage').search([['name', '=', name]]))[0]!)

describe('a lead', () => {
  test('gets a number, the first stage and its probability', async () => {
    const id = await add({ expected_revenue: 1000 })
    expect(await look(id)).toMatchObject({
      code: expect.stringMatching(/^L\d{5}$/),
      type: 'lead',
      stage_id: [expect.any(Number), 'New'],
      probability: 10,
      weighted_revenue: 100,
      outcome: 'open',
    })
  })

  test('gets the probability of its stage unless it is given', async () => {
    const id = await add({ expected_revenue: 999.99 })
    await change(id, { stage_id: await stage('Proposition') })
    expect(await look(id)).toMatchObject({ probability: 50, weighted_revenue: 500 })
    await change(id, { stage_id: await stage('Negotiation'), probability: 80 })
    expect(await look(id)).toMatchObject({ probability: 80, weighted_revenue: 799.99 })
    await expect(change(id, { probability: 101 })).rejects.toMatchObject({ code: 'VALIDATION' })
  })

  test('copies the data of its customer while it is edited', async () => {
    const answer = await people.as('tom', async (env) => {
      const partner = await env.model('core.partner').create({
        name: 'Solveig Dahl',
        email: 'solveig@dahl.example',
        phone: '+47 55 01 02',
        city: 'Bergen',
      })
      const handler = env.registry.model('crm.lead')!.onchange.get('partner_id')![0]!
      const unset = Object.fromEntries([...env.registry.model('crm.lead')!.fields.keys()].map((name) => [name, null]))
      return handler(env, { ...unset, partner_id: partner, phone: '+47 1' } as never, { read: async () => ({ id: 0 }) })
    })
    expect(answer).toMatchObject({
      value: { email: 'solveig@dahl.example', city: 'Bergen', contact_name: 'Solveig Dahl' },
    })
    expect(answer).not.toHaveProperty('value.phone')
  })
})

describe('converting', () => {
  test('makes an opportunity with a company and a contact', async () => {
    const id = await add({
      partner_name: 'Fjord Bygg AS',
      contact_name: 'Ingrid Moen',
      email: 'ingrid@fjordbygg.example',
      city: 'Oslo',
      latitude: 59.91,
      longitude: 10.75,
    })
    await call(id, 'action_convert')
    const { type, partner_id } = await look(id)
    expect([type, partner_id?.[1]]).toEqual(['opportunity', 'Ingrid Moen'])
    const [contact] = await people.as('tom', (env) =>
      env.model('core.partner').read([partner_id![0]], ['parent_id', 'email', 'city']),
    )
    expect(contact).toMatchObject({
      parent_id: [expect.any(Number), 'Fjord Bygg AS'],
      email: 'ingrid@fjordbygg.example',
      city: 'Oslo',
    })
  })

  test('finds the customer of the same address instead of making a second one', async () => {
    const partner = await people.as('tom', (env) =>
      env.model('core.partner').create({ name: 'Known', email: 'known_customer@example.com' }),
    )
    await people.as('tom', (env) =>
      env.model('core.partner').create({ name: 'Other', email: 'knownXcustomer@example.com' }),
    )
    const id = await add({ email: 'Known_Customer@example.com' })
    await call(id, 'action_convert')
    expect((await look(id)).partner_id).toEqual([partner, 'Known'])
  })

  test('makes no contact of a subject, and finds no second time something to convert', async () => {
    const before = await people.as('tom', (env) => env.model('core.partner').count([]))
    const id = await add({ name: 'Quick lead' })
    await call(id, 'action_convert')
    expect(await look(id)).toMatchObject({ type: 'opportunity', partner_id: null })
    await expect(call(id, 'action_convert')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Quick lead: already an opportunity.',
    })
    expect(await people.as('tom', (env) => env.model('core.partner').count([]))).toBe(before)
  })
})

describe('the pipeline', () => {
  test('leads from a lead over a quotation to a won opportunity', async () => {
    const id = await add({ partner_name: 'Casa Verde Lda', expected_revenue: 4800 })
    const answer = await call(id, 'action_new_quotation')
    expect(answer).toEqual({
      redirect: expect.stringMatching(/^\/web\?model=sale\.order&view_type=form&id=\d+$/),
      notice: 'Customer of the opportunity is now Casa Verde Lda.',
    })
    const order = Number(/\d+$/.exec(answer === true ? '' : answer.redirect)![0])
    expect(await look(id)).toMatchObject({ type: 'opportunity', quotation_count: 1, order_count: 0, ordered_amount: 0 })
    await people.as('tom', async (env) => {
      const [row] = await env.model('sale.order').read([order], ['lead_id', 'partner_id', 'user_id'])
      expect(row).toMatchObject({
        lead_id: [id, 'New kitchen'],
        partner_id: [expect.any(Number), 'Casa Verde Lda'],
        user_id: [env.user.id, 'tom'],
      })
      const line = { name: 'Kitchen', quantity: 2, price_unit: 2400, tax_ids: [] }
      await env.model('sale.order').write([order], { line_ids: [[0, 0, line]] })
      await env.model('sale.order').call([order], 'action_confirm')
    })
    expect(await look(id)).toMatchObject({ quotation_count: 0, order_count: 1, ordered_amount: 4800 })
    await call(id, 'action_won')
    expect(await look(id)).toMatchObject({
      stage_id: [expect.any(Number), 'Won'],
      probability: 100,
      outcome: 'won',
      date_closed: expect.any(String),
    })
    await expect(call(id, 'action_lost')).rejects.toMatchObject({ code: 'CONFLICT' })
  })

  test('makes no quotation for a lead without a customer', async () => {
    const id = await add({ name: 'Quick lead', type: 'opportunity' })
    const count = () =>
      people.as('tom', async (env) => [
        await env.model('core.partner').count([]),
        await env.model('sale.order').count([]),
      ])
    const before = await count()
    await expect(call(id, 'action_new_quotation')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Quick lead has no customer: choose one, or enter the name of the company or the contact.',
    })
    expect(await count()).toEqual(before)
  })

  test('loses an opportunity with its reason and restores it as it was', async () => {
    const id = await add({ type: 'opportunity', stage_id: await stage('Negotiation'), expected_revenue: 100 })
    await call(id, 'action_lost', { lost_reason: 'Too expensive' })
    expect(await look(id)).toMatchObject({
      active: false,
      outcome: 'lost',
      probability: 0,
      weighted_revenue: 0,
      lost_reason: 'Too expensive',
      date_closed: expect.any(String),
    })
    await call(id, 'action_restore')
    expect(await look(id)).toMatchObject({
      active: true,
      outcome: 'open',
      probability: 75,
      lost_reason: null,
      date_closed: null,
    })
  })

  test('keeps the date on which an opportunity was lost when it is marked as lost once more', async () => {
    const id = await add({ type: 'opportunity' })
    await call(id, 'action_lost', { lost_reason: 'Too expensive' })
    const date_closed = '2024-03-05T09:00:00.000Z'
    await people.asSystem((env) => env.model('crm.lead').write([id], { date_closed }))
    await call(id, 'action_lost', { lost_reason: 'Too late' })
    expect(await look(id)).toMatchObject({ outcome: 'lost', lost_reason: 'Too late', date_closed })
  })

  test('opens a won opportunity again when it is moved back', async () => {
    const id = await add()
    await change(id, { stage_id: await stage('Won') })
    expect((await look(id)).outcome).toBe('won')
    await change(id, { stage_id: await stage('Qualified') })
    expect(await look(id)).toMatchObject({ outcome: 'open', probability: 25, date_closed: null })
  })

  test('shows customers how many opportunities of theirs the reader sees', async () => {
    const partner_id = await people.as('tom', (env) => env.model('core.partner').create({ name: 'Popular' }))
    await add({ partner_id, type: 'opportunity' })
    await add({ partner_id, type: 'opportunity', user_id: null })
    await add({ partner_id, type: 'lead' })
    const count = (login: string) =>
      people.as(login, async (env) => {
        const [partner] = await env.model('core.partner').read([partner_id], ['opportunity_count'])
        return partner!.opportunity_count
      })
    expect([await count('tom'), await count('eva'), await count('ann')]).toEqual([2, 1, undefined])
  })

  test('counts in its team: open, won and how much of the target', async () => {
    await people.as('mia', async (env) => {
      const team = await env.model('crm.team').create({ name: 'North', target: 1000 })
      const won = await stage('Won')
      await env.model('crm.lead').createMany([
        { name: 'A', type: 'opportunity', team_id: team, expected_revenue: 300 },
        { name: 'B', type: 'lead', team_id: team, expected_revenue: 70 },
        { name: 'C', type: 'opportunity', team_id: team, expected_revenue: 250, stage_id: won },
      ])
      const fields = ['open_count', 'pipeline_revenue', 'won_revenue', 'target_progress'] as const
      const [row] = await env.model('crm.team').read([team], fields)
      expect(row).toMatchObject({ open_count: 1, pipeline_revenue: 300, won_revenue: 250, target_progress: 25 })
    })
  })
})

describe('access', () => {
  const see = (login: string, ids: readonly number[]) =>
    people.as(login, (env) => env.model('crm.lead').search([['id', 'in', ids]], { order: 'id' }))

  test('users see their own and unassigned leads, managers all of them', async () => {
    const own = await add()
    const free = await add({ user_id: null })
    expect(await see('tom', [own, free])).toEqual([own, free])
    expect(await see('eva', [own, free])).toEqual([free])
    expect(await see('mia', [own, free])).toEqual([own, free])
    const steal = people.as('eva', (env) => env.model('crm.lead').write([own], { name: 'Mine now' }))
    await expect(steal).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await expect(see('ann', [own])).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
  })

  test('a lead of another company is hidden', async () => {
    const [lead, team, company] = await people.asSystem(async (env) => {
      const [main] = await env.model('core.company').searchRead([['name', '=', 'My Company']], ['currency_id'])
      const currency_id = main!.currency_id[0]
      const other = await env.model('core.company').create({ name: 'Rival', currency_id })
      const team = await env.model('crm.team').create({ name: 'Rivals', company_id: other, currency_id })
      const values = { name: 'Theirs', company_id: other, currency_id, team_id: team, user_id: null }
      return [await env.model('crm.lead').create(values), team, other] as const
    })
    expect([await see('tom', [lead]), await see('mia', [lead])]).toEqual([[], []])
    const read = people.as('mia', (env) => env.model('crm.lead').read([lead], ['name']))
    await expect(read).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    await expect(add({ company_id: company })).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
    const across = people.asSystem(async (env) => {
      const [main] = await env.model('core.company').search([['name', '=', 'My Company']])
      await env.model('crm.lead').write([lead], { company_id: main!, team_id: team })
    })
    await expect(across).rejects.toMatchObject({ code: 'VALIDATION' })
  })
})
