import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Env } from '#kernel'
import { deliveriesOf } from '../../../kernel/live/deliveries.ts'
import { currentPosition, readOutbox } from '../../../kernel/live/follow-outbox.ts'
import type { Position } from '../../../kernel/live/position.ts'
import type { Agent } from '../../../test/support/agent.ts'
import { postMessage } from '../chatter/post.ts'
import { type Forum, type Member, openForum } from './forum.ts'

let forum: Forum
/** An administrator of the main company, who writes in the forum there. */
let chief: Agent
/** Messages about a topic of the main company, of the other one, and of both. */
const messages = new Map<Place, number>()
const topics = new Map<Place, number>()

type Place = 'own' | 'foreign' | 'common'
interface Row {
  readonly id: number
  readonly model: string
  readonly res_id: number
}

const AUTHORS: Readonly<Record<Place, Member>> = { own: 'writer', foreign: 'outsider', common: 'writer' }

beforeAll(async () => {
  forum = await openForum()
  chief = await forum.signIn('chief')
  for (const place of ['own', 'foreign', 'common'] as const) await openTopic(place)
})
afterAll(() => forum.database.drop())

const openTopic = (place: Place): Promise<void> =>
  forum.as(AUTHORS[place], async (env) => {
    const company_id = place === 'common' ? null : env.user.companyIds[0]!
    const id = await env.model('forum.topic').create({ name: place, company_id })
    topics.set(place, id)
    messages.set(place, await postMessage(env, { model: 'forum.topic', id, body: 'x', kind: 'comment' }))
  })

const DENIED = { error: { code: 'ACCESS_DENIED' } }

describe('rows of messages', () => {
  test('are those about records that the administrator may read', async () => {
    expect(await chief.rpc('forum.topic', 'read', [[topics.get('foreign')]])).toMatchObject(DENIED)
    const rows = await chief.must<Row[]>('mail.message', 'search', [[['model', '=', 'forum.topic']]])
    const about = rows.map((row) => row.res_id)
    expect(about).toEqual(expect.arrayContaining([topics.get('own'), topics.get('common')]))
    expect(about).not.toContain(topics.get('foreign'))
    expect(await chief.rpc('mail.message', 'read', [[messages.get('foreign')]])).toMatchObject(DENIED)
    expect(await chief.rpc('mail.message', 'read', [[messages.get('own')]])).toMatchObject({ ok: true })
  })

  test('are counted and grouped like that, too', async () => {
    const groups = await chief.must<Row[]>('mail.message', 'read_group', [{ groupby: ['res_id'] }])
    expect(groups.map((group) => group.res_id)).not.toContain(topics.get('foreign'))
    expect(groups.map((group) => group.res_id)).toContain(topics.get('own'))
  })

  test('of a model that an administrator may not read are not there', async () => {
    const rows = await (await forum.signIn('admin')).must<Row[]>('mail.message', 'search', [])
    expect(rows.filter(({ model }) => model.startsWith('forum.'))).toEqual([])
  })

  test('are seen by an administrator of the other company instead', async () => {
    const found = await asChiefOfBoth((env) => env.model('mail.message').search([['model', '=', 'forum.topic']]))
    expect(found).toEqual(expect.arrayContaining([...messages.values()]))
  })

  test('take one statement, however many models have messages', async () => {
    await forum.as('chief', async (env) => {
      forum.database.statements.length = 0
      await env.model('mail.message').search([])
      expect(forum.database.statements).toHaveLength(1)
    })
  })
})

describe('events about messages', () => {
  test('reach an administrator who may read the record, when they are written and when they go with it', async () => {
    const before = await currentPosition(forum.database.db)
    for (const place of ['own', 'foreign'] as const) await openTopic(place)
    const [own, foreign] = [messages.get('own'), messages.get('foreign')]
    expect(await seenSince(before)).toEqual([['record.created', own]])
    const later = await currentPosition(forum.database.db)
    for (const place of ['own', 'foreign'] as const)
      await forum.as(AUTHORS[place], (env) => env.model('forum.topic').unlink([topics.get(place)!]))
    expect(await seenSince(later)).toEqual([['record.deleted', own]])
    expect(await seenSince(before, asChiefOfBoth)).toEqual(
      expect.arrayContaining([
        ['record.deleted', own],
        ['record.deleted', foreign],
      ]),
    )
  })
})

type Act = <T>(work: (env: Env) => Promise<T>) => Promise<T>

const asChief: Act = (work) => forum.as('chief', work)

/** The same administrator while both companies are active. */
const asChiefOfBoth: Act = (work) =>
  asChief(async (env) => {
    const { companyIds } = await forum.as('outsider', async ({ user }) => user)
    return work(env.as({ ...env.user, companyIds: [...env.user.companyIds, ...companyIds] }))
  })

/** The events about messages that a user gets: channel and id. */
async function seenSince(position: Position, act: Act = asChief): Promise<readonly unknown[]> {
  const { events } = await readOutbox(forum.database.db, position)
  const about = events.filter(({ payload }) => payload['model'] === 'mail.message')
  const deliveries = await act((env) => deliveriesOf([env], about))
  return deliveries.map(({ channel, payload }) => [channel, payload['id']])
}
