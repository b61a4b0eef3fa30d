import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../kernel/limits.ts'
import { sql } from '../../../kernel/sql/sql.ts'
import type { Agent } from '../../../test/support/agent.ts'
import { configuredMailPort } from '../../../test/support/mail-port.ts'
import { postMessage } from '../chatter/post.ts'
import type { MessagePage, ShownMessage } from '../chatter/read.ts'
import { type Forum, type Member, openForum } from './forum.ts'

let forum: Forum
const agents = new Map<Member, Agent>()
let topic: number
let sealed: number
let foreign: number
let poll: number
let ban: number

beforeAll(async () => {
  forum = await openForum()
  for (const login of ['lead', 'writer', 'reader', 'outsider', 'passer', 'admin', 'chief'] as const)
    agents.set(login, await forum.signIn(login))
  const company = await forum.as('outsider', async (env) => env.user.companyIds[0]!)
  await forum.modules.asSystem(async (env) => {
    ;[topic, sealed, foreign] = (await env
      .model('forum.topic')
      .createMany([{ name: 'Tea' }, { name: 'Sealed' }, { name: 'Foreign', company_id: company }])) as [
      number,
      number,
      number,
    ]
    poll = await env.model('forum.poll').create({ name: 'Tea or coffee?' })
    ban = await env.model('forum.ban').create({ name: 'Spammer' })
  })
})
afterAll(() => forum.database.drop())

const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json' }

const post = (login: Member, body: Readonly<Record<string, unknown>>, headers = {}) =>
  agents
    .get(login)!
    .fetch('/web/chatter/post', { method: 'POST', body: JSON.stringify(body) }, { ...JSON_TYPE, ...headers })

const say = async (login: Member, body: string, thread: object = { model: 'forum.topic', res_id: topic }) => {
  const response = await post(login, { ...thread, body })
  expect(response.status).toBe(200)
  return ((await response.json()) as { readonly message: ShownMessage }).message
}

const messages = async (login: Member, query: Readonly<Record<string, unknown>>, headers = {}) =>
  agents.get(login)!.get(`/web/wc/chatter?${new URLSearchParams(query as Record<string, string>)}`, headers)

const page = async (login: Member, query: Readonly<Record<string, unknown>>) =>
  (await (await messages(login, query)).json()) as MessagePage

const codeOf = async (response: Response) => {
  const { error } = (await response.json()) as { readonly error?: { readonly code: string } }
  return `${response.status} ${error?.code ?? 'OK'}`
}

describe('POST /web/chatter/post', () => {
  test('answers with the message, which every user who may read the record can read', async () => {
    const message = await say('writer', 'Shall we?\n\nSee https://tea.example/list.')
    expect(message).toEqual({
      id: expect.any(Number),
      author: [forum.members.writer, 'Member writer'],
      body: '<p>Shall we?</p><p>See <a href="https://tea.example/list">https://tea.example/list</a>.</p>',
      kind: 'comment',
      date: expect.any(String),
      changes: [],
    })
    const { messages: seen } = await page('reader', { model: 'forum.topic', res_id: topic, limit: 1 })
    expect(seen).toEqual([message])
    expect((await forum.events('chatter.posted')).at(-1)).toMatchObject({
      payload: { model: 'forum.topic', id: topic, message_id: message.id },
    })
  })

  test('shows a text as it was typed, whatever it looks like', async () => {
    const text = 'a < b, <b>not bold</b>\nand <script>alert(1)</script>'
    const response = await post('writer', { model: 'forum.topic', res_id: topic, text })
    expect(((await response.json()) as { readonly message: ShownMessage }).message.body).toBe(
      '<p>a &lt; b, &lt;b&gt;not bold&lt;/b&gt;<br>and &lt;script&gt;alert(1)&lt;/script&gt;</p>',
    )
    expect(await codeOf(await post('writer', { model: 'forum.topic', res_id: topic, text: ' ' }))).toBe(
      '422 VALIDATION',
    )
  })

  test('takes a form as well, and leads a page without scripts back to the record', async () => {
    const form = new URLSearchParams({ model: 'forum.topic', res_id: String(topic), body: 'By form', kind: 'note' })
    const send = (accept: string) =>
      agents.get('writer')!.fetch(
        '/web/chatter/post',
        { method: 'POST', body: form.toString() },
        {
          'content-type': 'application/x-www-form-urlencoded',
          accept,
        },
      )
    const asJson = await send('application/json')
    expect(await asJson.json()).toMatchObject({ ok: true, message: { kind: 'note', body: '<p>By form</p>' } })
    const asPage = await send('text/html')
    expect(asPage.status).toBe(303)
    expect(asPage.headers.get('location')).toBe(`/web?model=forum.topic&id=${topic}&view_type=form`)
  })

  test('keeps only harmless markup', async () => {
    const { body } = await say(
      'writer',
      '<p onclick="x()">Hi <b>you</b><script>alert(1)</script><img src=x onerror=y></p>',
    )
    expect(body).toBe('<p>Hi <b>you</b></p>')
  })

  test.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['only markup', '<p><br></p>'],
    ['only what is taken out', '<script>alert(1)</script>'],
    ['what cannot be stored', 'a\u0000b'],
  ])('refuses a body of %s', async (_what, body) => {
    const response = await post('writer', { model: 'forum.topic', res_id: topic, body })
    expect([400, 422]).toContain(response.status)
  })

  test(`chatterBytes: ${LIMITS.chatterBytes}`, async () => {
    const thread = { model: 'forum.topic', res_id: topic }
    expect((await post('writer', { ...thread, body: 'x'.repeat(LIMITS.chatterBytes) })).status).toBe(200)
    expect(await codeOf(await post('writer', { ...thread, body: 'x'.repeat(LIMITS.chatterBytes + 1) }))).toBe(
      '413 PAYLOAD_TOO_LARGE',
    )
    expect(await codeOf(await post('writer', { ...thread, body: 'ü'.repeat(LIMITS.chatterBytes / 2 + 1) }))).toBe(
      '413 PAYLOAD_TOO_LARGE',
    )
    expect(await codeOf(await post('writer', { ...thread, body: 'x'.repeat(LIMITS.formBodyBytes) }))).toBe(
      '413 PAYLOAD_TOO_LARGE',
    )
  })

  test.each([
    ['an unknown model', { model: 'no.model', res_id: 1, body: 'x' }, '404 NOT_FOUND'],
    ['an unknown record', { model: 'forum.topic', res_id: 999_999, body: 'x' }, '404 NOT_FOUND'],
    ['another kind', { model: 'forum.topic', res_id: 1, body: 'x', kind: 'tracking' }, '400 BAD_REQUEST'],
    ['no body', { model: 'forum.topic', res_id: 1 }, '400 BAD_REQUEST'],
    ['a strange id', { model: 'forum.topic', res_id: '1e3', body: 'x' }, '400 BAD_REQUEST'],
  ])('refuses %s', async (_what, body, code) => {
    expect(await codeOf(await post('writer', body))).toBe(code)
  })

  test('needs the CSRF token and a session', async () => {
    const body = JSON.stringify({ model: 'forum.topic', res_id: topic, body: 'x' })
    const without = agents.get('writer')!.without('x-csrf-token')
    expect(await codeOf(await without.fetch('/web/chatter/post', { method: 'POST', body }, JSON_TYPE))).toBe('403 CSRF')
    expect(await codeOf(await post('writer', { model: 'forum.topic', res_id: topic, body: 'x' }, { cookie: '' }))).toBe(
      '401 UNAUTHORIZED',
    )
  })
})

test('a user cannot post in the name of another one', async () => {
  const response = await post('writer', {
    model: 'forum.topic',
    res_id: topic,
    body: 'x',
    author_id: forum.members.lead,
  })
  expect(await response.json()).toMatchObject({ message: { author: [forum.members.writer, 'Member writer'] } })
})

describe('who may', () => {
  const topics = () => ({ topic, sealed, foreign, poll, ban })
  type Place = keyof ReturnType<typeof topics>
  const thread = (place: Place) => ({
    model: place === 'poll' ? 'forum.poll' : place === 'ban' ? 'forum.ban' : 'forum.topic',
    res_id: topics()[place],
  })
  const DENIED = '403 ACCESS_DENIED'

  test.each<[Member, Place, string, string]>([
    ['writer', 'topic', '200 OK', '200 OK'],
    ['reader', 'topic', '200 OK', DENIED],
    ['passer', 'topic', DENIED, DENIED],
    ['admin', 'topic', DENIED, DENIED],
    ['outsider', 'topic', '200 OK', '200 OK'],
    // A rule keeps writers from changing it.
    ['writer', 'sealed', '200 OK', DENIED],
    ['writer', 'foreign', DENIED, DENIED],
    ['reader', 'foreign', DENIED, DENIED],
    ['outsider', 'foreign', '200 OK', '200 OK'],
    // Its model says that readers may post.
    ['reader', 'poll', '200 OK', '200 OK'],
    ['writer', 'poll', '200 OK', '200 OK'],
    ['passer', 'poll', DENIED, DENIED],
    // Without chatter.
    ['writer', 'ban', '400 BAD_REQUEST', '400 BAD_REQUEST'],
    ['passer', 'ban', DENIED, DENIED],
  ])('W3: %s at %s: read %s, post %s', async (login, place, read, posted) => {
    expect(await codeOf(await messages(login, thread(place)))).toBe(read)
    expect(await codeOf(await post(login, { ...thread(place), body: 'x' }))).toBe(posted)
  })

  test('messages cannot be read or created except through the chatter', async () => {
    await say('writer', 'Secret of the topic')
    const rpc = (login: Member, method: string, args: readonly unknown[]) =>
      agents.get(login)!.rpc('mail.message', method, args)
    expect(await rpc('writer', 'search', [[]])).toMatchObject({ error: { code: 'ACCESS_DENIED' } })
    const { result } = await rpc('chief', 'search', [[]])
    expect(JSON.stringify(result)).not.toContain('Secret')
    expect(result).toContainEqual(expect.objectContaining({ model: 'forum.topic', kind: 'comment' }))
    expect(await rpc('admin', 'search', [[['body', 'ilike', 'secret']]])).toMatchObject({
      error: { code: 'ACCESS_DENIED' },
    })
    const made = await rpc('admin', 'create', [{ model: 'forum.topic', res_id: topic, kind: 'note', body: 'x' }])
    expect(made.ok).toBe(false)
  })
})

describe('GET /web/wc/chatter', () => {
  test('goes through the messages from the newest to the oldest', async () => {
    const id = await forum.as('writer', (env) => env.model('forum.topic').create({ name: 'Long' }))
    const place = { model: 'forum.topic', res_id: id }
    for (let i = 0; i < 7; i++) await say('writer', `Message ${i}`, place)
    const bodies: string[] = []
    let query: Record<string, unknown> = { ...place, limit: 3 }
    for (let more = true; more; ) {
      const answer = await page('reader', query)
      bodies.push(...answer.messages.map((message) => message.body))
      more = answer.more
      query = { ...query, before: answer.messages.at(-1)!.id }
    }
    expect(bodies).toEqual([6, 5, 4, 3, 2, 1, 0].map((i) => `<p>Message ${i}</p>`))
    expect(await page('reader', { ...place, limit: 7 })).toMatchObject({
      more: false,
      created: { author: [forum.members.writer, 'Member writer'], date: expect.any(String) },
    })
    expect(await page('reader', { ...place, limit: 6 })).not.toHaveProperty('created')
    expect((await page('reader', { ...place, limit: 5_000 })).messages).toHaveLength(7)
  })

  test('gives what people wrote and the changes apart', async () => {
    const id = await forum.as('writer', (env) => env.model('forum.topic').create({ name: 'Apart' }))
    const place = { model: 'forum.topic', res_id: id }
    for (const name of ['First', 'Second']) {
      await say('writer', name, place)
      await forum.as('writer', (env) => env.model('forum.topic').write([id], { name }))
    }
    await post('writer', { ...place, text: 'Note', kind: 'note' })
    const kinds = async (query: object) =>
      (await page('reader', { ...place, ...query })).messages.map(({ kind }) => kind)
    expect(await kinds({})).toEqual(['note', 'tracking', 'comment', 'tracking', 'comment'])
    expect(await kinds({ only: 'messages' })).toEqual(['note', 'comment', 'comment'])
    expect(await kinds({ only: 'changes' })).toEqual(['tracking', 'tracking'])
    expect(await page('reader', { ...place, only: 'messages', limit: 2 })).toMatchObject({ more: true })
  })

  test.each([
    ['no record', { model: 'forum.topic' }],
    ['a part that does not exist', { model: 'forum.topic', res_id: 1, only: 'gossip' }],
    ['a strange limit', { model: 'forum.topic', res_id: 1, limit: 0 }],
    ['a negative place', { model: 'forum.topic', res_id: 1, before: -1 }],
  ])('refuses %s', async (_what, query) => {
    expect(await codeOf(await messages('writer', query))).toBe('400 BAD_REQUEST')
  })

  test('is not for other sites', async () => {
    const place = { model: 'forum.topic', res_id: topic }
    expect(await codeOf(await messages('writer', place, { 'sec-fetch-site': 'cross-site' }))).toBe('403 CSRF')
    expect((await messages('writer', place, { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })
})

describe('a mention', () => {
  const toasts = async () => (await forum.events('toast')).map(({ payload, user_id }) => [user_id, payload])
  const text = (name: string) => ({ level: 'info', text: `Member writer mentioned you in ${name}.` })

  test('raises a toast for whom it names, once, if they may read the record', async () => {
    const before = (await toasts()).length
    const { lead, reader } = forum.members
    await say('writer', `Thanks @Lead, @reader. And @lead again, mail@lead.example, @nobody, @passer, @writer`)
    expect((await toasts()).slice(before)).toEqual([
      [lead, text('Tea')],
      [reader, text('Tea')],
    ])
  })

  test('is also mailed if there is a mail server, with the text and a link to the record', async () => {
    const { lead } = forum.members
    await forum.modules.asSystem((env) =>
      env.model('core.user').write([lead!], { email: 'lead@forum.example', lang: 'de' }),
    )
    const services = { ...forum.modules.services, mail: configuredMailPort(), publicUrl: 'https://forum.example' }
    await forum.as('writer', (env) =>
      postMessage(
        { ...env, services },
        { model: 'forum.topic', id: topic, kind: 'comment', body: 'Look at this, @lead' },
      ),
    )
    const mails = await sql<{ to_address: string; subject: string; text: string }>`
      select to_address, subject, text from sys_mail`.execute(forum.database.db)
    expect(mails.rows).toEqual([
      {
        to_address: 'lead@forum.example',
        subject: 'Member writer hat Sie in Tea erwähnt.',
        text: `Look at this, @lead\n\nhttps://forum.example/web?model=forum.topic&view_type=form&id=${topic}`,
      },
    ])
    await forum.modules.asSystem((env) => env.model('core.user').write([lead!], { lang: 'en' }))
  })

  test('on a record of any name is mailed once in a while, and never keeps the message from being posted', async () => {
    const services = { ...forum.modules.services, mail: configuredMailPort() }
    const id = await forum.modules.asSystem((env) =>
      env.model('forum.topic').create({ name: `Bell\u0007 turned\u202e ${'long '.repeat(60)}` }),
    )
    for (let i = 0; i < 3; i++)
      await forum.as('writer', (env) =>
        postMessage({ ...env, services }, { model: 'forum.topic', id, kind: 'comment', body: `Again ${i}, @lead` }),
      )
    const mails = await sql<{ subject: string }>`
      select subject from sys_mail where text like ${`%id=${id}`}`.execute(forum.database.db)
    expect(mails.rows).toHaveLength(1)
    expect(mails.rows[0]!.subject).toMatch(/^Member writer mentioned you in Bell {2}turned {2}long/)
  })

  test('may be a link of a client', async () => {
    const before = (await toasts()).length
    const { lead, passer } = forum.members
    const { body } = await say(
      'writer',
      `<p>Hi <a data-mention="${lead}">Lead</a> <a data-mention="${passer}">x</a></p>`,
    )
    expect(body).toContain(`<a data-mention="${lead}">Lead</a>`)
    expect((await toasts()).slice(before)).toEqual([[lead, text('Tea')]])
  })
})

test('a message on a record that is being deleted is refused, and none is left over', async () => {
  const id = await forum.as('writer', (env) => env.model('forum.topic').create({ name: 'Race' }))
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => post('writer', { model: 'forum.topic', res_id: id, body: 'x' })),
    agents.get('writer')!.rpc('forum.topic', 'unlink', [[id]]),
  ])
  expect(answers.at(-1)).toMatchObject({ ok: true })
  const left = await forum.modules.asSystem((env) =>
    env.model('mail.message').count([
      ['model', '=', 'forum.topic'],
      ['res_id', '=', id],
    ]),
  )
  expect(left).toBe(0)
})
