import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../../kernel/sql/sql.ts'
import { undoable } from '../../../kernel/work/undoable.ts'
import { readMessages } from '../chatter/read.ts'
import { type Forum, type Member, openForum } from './forum.ts'

let forum: Forum

beforeAll(async () => {
  forum = await openForum()
})
afterAll(() => forum.database.drop())

const openTopic = (values = {}) =>
  forum.as('lead', (env) => env.model('forum.topic').create({ name: 'Tea', ...values }))
const history = (login: Member, id: number) =>
  forum.as(login, (env) => readMessages(env, { model: 'forum.topic', id, limit: 50 }))

describe('a tracked field', () => {
  test('leaves a message with old and new value, labels for choices and names for links', async () => {
    const [lead, reader] = [forum.members.lead, forum.members.reader]
    const id = await openTopic({ owner_id: lead })
    await forum.as('writer', (env) =>
      env
        .model('forum.topic')
        .write([id], { name: 'Coffee', state: 'closed', owner_id: reader, due: '2026-05-01T10:00:00+02:00' }),
    )
    expect((await history('reader', id)).messages).toEqual([
      {
        id: expect.any(Number),
        author: [forum.members.writer, 'Member writer'],
        body: '',
        kind: 'tracking',
        date: expect.stringMatching(/Z$/),
        changes: [
          { field: 'name', label: 'Name', type: 'char', old: 'Tea', new: 'Coffee' },
          { field: 'state', label: 'State', type: 'selection', old: 'Open', new: 'Closed' },
          {
            field: 'owner_id',
            label: 'Owner',
            type: 'many2one',
            old: [lead, 'Member lead'],
            new: [reader, 'Member reader'],
          },
          { field: 'due', label: 'Due', type: 'datetime', old: null, new: '2026-05-01T08:00:00.000Z' },
        ],
      },
    ])
  })

  test('makes one message per transaction, with the values before and after it', async () => {
    const id = await openTopic()
    await forum.as('writer', async (env) => {
      const topics = env.model('forum.topic')
      await topics.write([id], { name: 'Milk', state: 'closed' })
      await topics.write([id], { name: 'Water' })
      await topics.write([id], { state: 'open' })
    })
    const { messages } = await history('reader', id)
    expect(messages.map((message) => message.changes)).toEqual([
      [expect.objectContaining({ field: 'name', old: 'Tea', new: 'Water' })],
    ])
  })

  test('stores no message when it keeps its value, or when the record is new or deleted', async () => {
    const id = await openTopic()
    await forum.as('writer', (env) => env.model('forum.topic').write([id], { name: 'Tea', points: null }))
    const other = await forum.as('writer', async (env) => {
      const made = await env.model('forum.topic').create({ name: 'New' })
      await env.model('forum.topic').write([made], { name: 'Newer' })
      await env.model('forum.topic').write([id], { name: 'Late' })
      await env.model('forum.topic').unlink([id])
      return made
    })
    expect(await history('reader', other)).toMatchObject({ messages: [], more: false })
    expect(await messagesOf([id])).toBe(0)
  })

  test('may be a many2many or a stored compute', async () => {
    const [tag] = await forum.modules.asSystem((env) => env.model('core.tag').createMany([{ name: 'Hot' }]))
    const id = await openTopic()
    await forum.as('writer', (env) => env.model('forum.topic').write([id], { tag_ids: [tag!], points: 3 }))
    const [message] = (await history('reader', id)).messages
    expect(message!.changes).toEqual([
      { field: 'tag_ids', label: 'Tag', type: 'many2many', old: [], new: [[tag, 'Hot']] },
      { field: 'score', label: 'Score', type: 'integer', old: 0, new: 30 },
    ])
  })

  test('that is an amount has the currency of its time', async () => {
    const [euro, dollar] = await forum.modules.asSystem(async (env) => {
      const found = await env.model('core.currency').searchRead([['name', 'in', ['EUR', 'USD']]], ['name'])
      return ['EUR', 'USD'].map((name) => found.find((each) => each.name === name)!.id)
    })
    const id = await openTopic({ currency_id: euro })
    for (const values of [{ prize: 50 }, { prize: 60, currency_id: dollar! }])
      await forum.as('writer', (env) => env.model('forum.topic').write([id], values))
    expect((await history('reader', id)).messages.map(({ changes }) => changes)).toEqual([
      [{ field: 'prize', label: 'Prize', type: 'monetary', old: 50, new: 60, currency: 'USD' }],
      [{ field: 'prize', label: 'Prize', type: 'monetary', old: null, new: 50, currency: 'EUR' }],
    ])
  })

  test('is not there for those who may not read it', async () => {
    const id = await openTopic({ budget: 5 })
    await forum.as('lead', (env) => env.model('forum.topic').write([id], { budget: 7 }))
    await forum.as('lead', (env) => env.model('forum.topic').write([id], { budget: 9, name: 'Cake' }))
    const seen = async (login: Member) =>
      (await history(login, id)).messages.map(({ changes }) => changes.map((change) => change.field))
    expect(await seen('lead')).toEqual([['name', 'budget'], ['budget']])
    expect(await seen('writer')).toEqual([['name']])
    // Events name the fields, so that users do not get events about changes they may not read.
    const events = (await forum.events('chatter.posted')).slice(-2)
    expect(events.map(({ payload }) => payload)).toMatchObject([
      { id, fields: ['budget'] },
      { id, fields: ['name', 'budget'] },
    ])
  })

  test('hides linked records that the reader may not see', async () => {
    const company = await forum.as('outsider', async (env) => env.user.companyIds[0]!)
    const [shown, hidden] = await forum.modules.asSystem((env) =>
      env.model('core.partner').createMany([{ name: 'Shown' }, { name: 'Hidden', company_id: company }]),
    )
    const id = await openTopic({ partner_id: shown })
    const link = (partner_id: number | null, more = {}) =>
      forum.modules.asSystem((env) => env.model('forum.topic').write([id], { partner_id, ...more }))
    await link(hidden!)
    await link(null)
    await link(hidden!, { name: 'Cake' })
    const { messages } = await history('reader', id)
    expect(messages).toMatchObject([
      { changes: [{ field: 'name' }] },
      { author: null, changes: [{ old: [shown, 'Shown'], new: [hidden, null] }] },
    ])
    expect(messages[0]!.changes).toHaveLength(1)
  })

  test('costs two statements for a write of any number of records', async () => {
    const ids = await forum.as('lead', (env) =>
      env.model('forum.topic').createMany(Array.from({ length: 50 }, (_, i) => ({ name: `Topic ${i}` }))),
    )
    const count = (values: { points: number } | { name: string }) => {
      forum.database.statements.length = 0
      return forum.as('writer', async (env) => {
        forum.database.statements.length = 0
        await env.model('forum.topic').write(ids, values)
      })
    }
    await count({ name: 'Same' })
    const sent = forum.database.statements.filter((text) => !/^(begin|commit|start)/i.test(text))
    expect(sent.filter((text) => text.includes('"mail_message"') || text.includes('as now'))).toHaveLength(2)
    expect(await messagesOf(ids)).toBe(50)
    await count({ name: 'Same' })
    expect(await messagesOf(ids)).toBe(50)
  })

  test('stores no message for a part of a transaction that was rolled back', async () => {
    const id = await openTopic()
    await forum.as('writer', async (env) => {
      const topics = env.model('forum.topic')
      await topics.write([id], { name: 'Done' })
      const part = undoable(env, async () => {
        await topics.write([id], { state: 'closed' })
        throw new Error('no')
      })
      await expect(part).rejects.toThrow('no')
    })
    const { messages } = await history('reader', id)
    expect(messages.map(({ changes }) => changes.map((change) => change.new))).toEqual([['Done']])
  })
})

describe('messages', () => {
  test('come with examples of an addon', async () => {
    const [id] = await forum.modules.asSystem((env) => env.model('forum.topic').search([['name', '=', 'Demo']]))
    const { messages } = await history('reader', id!)
    expect(messages).toMatchObject([
      { kind: 'comment', author: [expect.any(Number), 'Dana Okafor'], body: 'Asked for a quotation.' },
    ])
    expect(Date.parse(messages[0]!.date)).toBeLessThan(Date.now() - 2 * 86_400_000)
  })

  test('are deleted with their record, also when it is deleted with another one', async () => {
    const id = await openTopic()
    await forum.as('writer', (env) => env.model('forum.topic').write([id], { name: 'Soon gone' }))
    const post = await forum.as('writer', (env) => env.model('forum.post').create({ name: 'x', topic_id: id }))
    await forum.modules.asSystem((env) =>
      env.model('mail.message').create({ model: 'forum.post', res_id: post, kind: 'note', body: 'x' }),
    )
    await forum.as('writer', (env) => env.model('forum.topic').unlink([id]))
    expect(await messagesOf([id])).toBe(0)
    expect(await messagesOf([post], 'forum.post')).toBe(0)
  })

  test('of a model without chatter do not exist: writing and deleting asks for none', async () => {
    const id = await forum.as('writer', (env) => env.model('forum.ban').create({ name: 'x' }))
    forum.database.statements.length = 0
    await forum.as('writer', async (env) => {
      await env.model('forum.ban').write([id], { name: 'y' })
      await env.model('forum.ban').unlink([id])
    })
    expect(forum.database.statements.filter((text) => text.includes('mail_message'))).toEqual([])
  })
})

test('a deletion keeps what the rules ask for: the company the record belonged to', async () => {
  const id = await forum.as('outsider', (env) =>
    env.model('forum.topic').create({ name: 'Foreign', company_id: env.user.companyIds[0]! }),
  )
  await forum.as('outsider', (env) => env.model('forum.topic').unlink([id]))
  const company = await forum.as('outsider', async (env) => env.user.companyIds[0])
  expect((await forum.events('record.deleted')).at(-1)).toMatchObject({
    payload: { id },
    before: { company_id: company },
  })
})

async function messagesOf(ids: readonly number[], model = 'forum.topic'): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from mail_message where model = ${model} and res_id = any(${ids}::int[])`.execute(
    forum.database.db,
  )
  return rows[0]!.n
}
