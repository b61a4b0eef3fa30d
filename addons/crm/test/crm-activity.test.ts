import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { openPeople, type People } from '../../../test/support/people.ts'
import { readMessages } from '../../mail/chatter/read.ts'
import { refreshActivities } from '../jobs/refresh-activities.ts'

let people: People

beforeAll(async () => {
  people = await openPeople(['crm'])
  await people.hire('tom', ['crm.group_user'])
  await people.hire('eva', ['crm.group_user'])
})
afterAll(() => people.leave())

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const addLead = () => people.as('tom', (env) => env.model('crm.lead').create({ name: 'Window frames' }))

const plan = (lead_id: number, date_deadline: string, values = {}) =>
  people.as('tom', (env) =>
    env.model('crm.activity').create({ lead_id, summary: 'Call back', date_deadline, ...values }),
  )

const lookAt = async (lead: number) => {
  const [row] = await people.as('tom', (env) => env.model('crm.lead').read([lead], ['activity_state', 'activity_date']))
  return [row!.activity_state, row!.activity_date]
}

const activitiesOf = (lead: number) =>
  people.as('tom', (env) =>
    env.model('crm.activity').searchRead([['lead_id', '=', lead]], ['type', 'state', 'date_deadline'], { order: 'id' }),
  )

describe('activities', () => {
  test('are overdue by their due date, and their lead shows the most urgent one', async () => {
    const lead = await addLead()
    expect(await lookAt(lead)).toEqual([null, null])
    await plan(lead, day(3))
    expect(await lookAt(lead)).toEqual(['planned', day(3)])
    await plan(lead, day(0))
    expect(await lookAt(lead)).toEqual(['today', day(0)])
    await plan(lead, day(-2))
    expect(await lookAt(lead)).toEqual(['overdue', day(-2)])
    expect((await activitiesOf(lead)).map((row) => row.state)).toEqual(['planned', 'today', 'overdue'])
  })

  test('once done no longer count, and plan what follows', async () => {
    const lead = await addLead()
    const id = await plan(lead, day(-1), { next_type: 'meeting', next_days: 5 })
    await people.as('tom', (env) => env.model('crm.activity').call([id], 'action_done', { feedback: 'Likes oak' }))
    expect(await activitiesOf(lead)).toMatchObject([
      { type: 'call', state: 'done' },
      { type: 'meeting', state: 'planned', date_deadline: day(5) },
    ])
    expect(await lookAt(lead)).toEqual(['planned', day(5)])
    await people.as('tom', (env) => env.model('crm.activity').call([id], 'action_done'))
    expect(await activitiesOf(lead)).toHaveLength(2)
    const { messages } = await people.as('tom', (env) => readMessages(env, { model: 'crm.lead', id: lead, limit: 5 }))
    expect(messages).toMatchObject([
      {
        kind: 'note',
        author: [expect.any(Number), 'tom'],
        body: expect.stringMatching(/Call done: Call back.*Likes oak/s),
      },
    ])
  })

  test('become overdue by date: the job updates them and their leads', async () => {
    const lead = await addLead()
    const id = await plan(lead, day(1))
    await sql`update crm_activity set date_deadline = ${day(-1)}::date where id = ${id}`.execute(people.database.db)
    expect((await activitiesOf(lead)).map((row) => row.state)).toEqual(['planned'])
    await people.asSystem(refreshActivities)
    expect((await activitiesOf(lead)).map((row) => row.state)).toEqual(['overdue'])
    expect((await lookAt(lead))[0]).toBe('overdue')
  })

  test('of a lead one does not see are hidden, unless one has to do them', async () => {
    const lead = await addLead()
    const eva = await people.as('eva', async (env) => env.user.id)
    const [hidden, given] = [await plan(lead, day(1)), await plan(lead, day(1), { user_id: eva })]
    const seen = await people.as('eva', (env) => env.model('crm.activity').search([['id', 'in', [hidden, given]]]))
    expect(seen).toEqual([given])
  })

  test('are brought up to date by an active scheduled job', async () => {
    const [job] = await people.as('admin', (env) =>
      env.model('sys.cron').searchRead([['handler', '=', 'crm.refresh_activities']], ['active']),
    )
    expect(job).toMatchObject({ active: true })
  })
})
