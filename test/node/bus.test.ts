import { request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { createSession } from '../../kernel/auth/session.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { installModules } from '../../kernel/module/install.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { hire } from '../support/api-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { type BusClient, type BusMessage, type ConnectOptions, connectBus } from '../support/bus-client.ts'
import { createDatabase, type TestDatabase, template } from '../support/database.ts'
import { openModules, type TestModules } from '../support/modules.ts'
import { type Service, startService } from '../support/service.ts'

const crmTemplate = template('bus_crm', async ({ db }) => {
  const { services, catalogue } = openModules(db, bundledAddons)
  await installModules(services, catalogue, ['base', 'crm'], { demo: true })
})

let database: TestDatabase
let modules: TestModules
const services: Service[] = []
const userIds = new Map<string, number>()
const opened: BusClient[] = []

beforeAll(async () => {
  database = await createDatabase(crmTemplate)
  modules = openModules(database.db, bundledAddons)
  for (const [login, groups] of Object.entries({
    boss: ['base.group_system', 'crm.group_manager'],
    sam: ['base.group_user', 'crm.group_user'],
    ann: ['base.group_user'],
  }))
    userIds.set(login, await hire(modules, login, groups))
  await buildOnce()
  services.push(...(await Promise.all([1, 2, 3].map(() => startService(database.dsn)))))
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.end('SIGINT')))
  await database.drop()
})

/** A browser in which somebody is signed in. */
async function signIn(login: string): Promise<ConnectOptions & { readonly token: string }> {
  const userId = userIds.get(login)!
  const { token } = await createSession(modules.services, database.db, { userId, ip: null, userAgent: null })
  return { token, cookie: `svc_session=${token}` }
}

async function open(login: string, service: Service = services[0]!): Promise<BusClient> {
  const client = await connectBus(service.url, await signIn(login))
  opened.push(client)
  return client
}

const createLead = (name: string, owner: string) =>
  modules.asSystem(async (env) => {
    const [company] = await env.model('core.company').search([], { limit: 1 })
    return env
      .inCompany(company!)
      .model('crm.lead')
      .create({ name, user_id: userIds.get(owner)! })
  })

const about =
  (channel: string, id: number) =>
  (message: BusMessage): boolean =>
    message.channel === channel && message.payload['id'] === id

/** Events of leads that somebody has got, without those of their messages. */
const leadEvents = ({ received }: BusClient) =>
  received
    .filter(({ channel, payload }) => channel.startsWith('record.') && payload['model'] === 'crm.lead')
    .map(({ channel, payload }) => `${channel} ${payload['id']}`)

test('an event of a record reaches those who may read it, whichever process serves them', async () => {
  const [sam, boss, ann] = await Promise.all([
    open('sam', services[0]),
    open('boss', services[1]),
    open('ann', services[2]),
  ])
  const mine = await createLead('For Sam', 'sam')
  const other = await createLead('For the boss', 'boss')
  await modules.asSystem((env) => env.model('crm.lead').write([mine], { name: 'For Sam alone' }))
  // Whether somebody may read a record is asked when its event is sent: of one that is gone by then only its end is told.
  await Promise.all([boss.until(about('record.created', other)), sam.until(about('record.updated', mine))])
  await modules.asSystem((env) => env.model('crm.lead').unlink([mine, other]))
  await Promise.all([boss.until(about('record.deleted', other)), sam.until(about('record.deleted', mine))])
  expect(leadEvents(sam)).toEqual([`record.created ${mine}`, `record.updated ${mine}`, `record.deleted ${mine}`])
  expect(leadEvents(boss).filter((text) => text.endsWith(String(other)))).toEqual([
    `record.created ${other}`,
    `record.deleted ${other}`,
  ])
  expect(leadEvents(ann)).toEqual([])
})

test('a socket that asks for records gets the events of these alone', async () => {
  const sam = await open('sam')
  const [one, two] = [await createLead('One', 'sam'), await createLead('Two', 'sam')]
  await sam.until(about('record.created', two))
  sam.send({ subscribe: [{ model: 'crm.lead', ids: [two] }, { model: 'crm.tag' }] })
  // Its answer shows that the message before it was read.
  sam.send({ since: sam.seq })
  await modules.asSystem((env) => env.model('crm.lead').write([one], { name: 'One more' }))
  await modules.asSystem((env) => env.model('crm.lead').write([two], { name: 'Two more' }))
  await sam.until(about('record.updated', two))
  expect(leadEvents(sam)).not.toContain(`record.updated ${one}`)
})

test('missed events are sent later, by any process, in order and once', async () => {
  const before = await open('sam')
  const first = await createLead('Seen', 'sam')
  await before.until(about('record.created', first))
  await before.close()
  const missed = [await createLead('Missed', 'sam'), await createLead('Missed too', 'sam')]
  const after = await open('sam', services[1])
  after.send({ since: before.seq })
  await after.until(about('record.created', missed[1]!))
  // The client may ask from there on, now that it has them.
  await expect.poll(() => after.seq).not.toBe(before.seq)
  const last = await createLead('After', 'sam')
  await after.until(about('record.created', last))
  expect(leadEvents(after)).toEqual([...missed, last].map((id) => `record.created ${id}`))
})

test('a client that missed more than is kept, or sends an invalid position, gets a resync', async () => {
  const { seq } = await open('sam')
  for (const since of ['nonsense', seq.replace(/\d+$/, '1000'), seq.replace(/^\w{8}/, '000000FF')]) {
    const sam = await open('sam')
    sam.send({ since })
    await sam.until(({ channel }) => channel === 'resync')
  }
})

test('a session without rights is refused before the protocol changes, and a page of another site too', async () => {
  const { url } = services[0]!
  const { cookie } = await signIn('sam')
  await expect(connectBus(url, { cookie: 'svc_session=none' })).rejects.toThrow('refused with 401')
  await expect(connectBus(url, { cookie, origin: 'https://evil.example' })).rejects.toThrow('refused with 403')
  await expect(connectBus(url, { cookie, origin: null })).rejects.toThrow('refused with 403')
})

test('a plain request gets 404, and nothing is logged as an error', async () => {
  const { cookie } = await signIn('sam')
  const before = services[0]!.log()
  for (const headers of [{}, { cookie }]) {
    const response = await fetch(`${services[0]!.url}/web/wc/bus`, { headers })
    expect(response.status).toBe(404)
  }
  expect(services[0]!.log().slice(before.length)).not.toMatch(/error/i)
})

test('a request that would like another protocol is served in this one, with its body', async () => {
  const { url } = services[0]!
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' }
  const body = JSON.stringify({ model: 'core.tag', method: 'search', args: [] })
  const ask = (path: string, method: string, more: Record<string, string>, sent = '') =>
    new Promise<string>((resolve, reject) => {
      const asked = request(url + path, { method, headers: { ...headers, ...more } }, (response) => {
        text(response).then((answer) => resolve(`${response.statusCode} ${answer}`), reject)
      })
      asked.on('error', reject).end(sent)
    })
  expect(await ask('/api/health', 'GET', {})).toBe('200 {"ok":true}')
  const length = { 'content-type': 'application/json', 'content-length': String(body.length) }
  expect(await ask('/api/rpc', 'POST', length, body)).toContain('credential_missing')
  expect(await ask('/nowhere', 'GET', { upgrade: 'websocket' })).toContain('404')
})

test('a request for another protocol behind one that has no answer yet is not begun', async () => {
  const { hostname, port } = new URL(services[0]!.url)
  const head = (more: string) => `GET /api/ready HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`
  const socket = connect(Number(port), hostname)
  socket.end(head('') + head('Connection: Upgrade\r\nUpgrade: h2c\r\n'))
  const answers = (await text(socket).catch(() => '')).split('HTTP/1.1').length - 1
  expect(answers).toBeLessThan(2)
})

test('a socket ends soon after its session does: signed out, expired, deactivated, or with another password', async () => {
  const ends: readonly (() => Promise<unknown>)[] = [
    () =>
      sql`update sys_session set abs_expires_at = now() where user_id = ${userIds.get('ann')!}`.execute(database.db),
    () => sql`delete from sys_session where user_id = ${userIds.get('ann')!}`.execute(database.db),
    () =>
      modules.asSystem((env) => env.model('core.user').write([userIds.get('ann')!], { password: 'quite another one' })),
    () => modules.asSystem((env) => env.model('core.user').write([userIds.get('ann')!], { active: false })),
  ]
  for (const end of ends) {
    const ann = await open('ann')
    await end()
    expect((await ann.closed).code).toBe(4401)
  }
})

test('a socket leaves the token of its session as it is, because its answer has no place for another', async () => {
  const session = await signIn('sam')
  await sql`update sys_session set rotated_at = now() - interval '4 hours'`.execute(database.db)
  const client = await connectBus(services[0]!.url, session)
  opened.push(client)
  const rotated = await sql`select from sys_session where rotated_at > now() - interval '3 hours'`.execute(database.db)
  expect(rotated.rows).toEqual([])
  await sql`update sys_session set rotated_at = now()`.execute(database.db)
})

test('rights that are lost count for the next event', async () => {
  const sam = await open('sam', services[2])
  const lead = await createLead('Still mine', 'sam')
  await sam.until(about('record.created', lead))
  const state = await modules.holder.latest()
  await modules.asSystem((env) =>
    env.model('core.user').write([userIds.get('sam')!], {
      group_ids: [[6, 0, [state.access.groupIdByXmlid.get('base.group_user')!]]] as never,
    }),
  )
  await modules.asSystem((env) => env.model('crm.lead').write([lead], { name: 'Not mine any more' }))
  const tag = await modules.asSystem((env) => env.model('core.tag').create({ name: 'After the loss' }))
  await sam.until(about('record.created', tag))
  expect(leadEvents(sam)).not.toContain(`record.updated ${lead}`)
})

test('a client that sends nonsense, too much at once or too large a message is cut off', async () => {
  const floods: readonly ((client: BusClient) => void)[] = [
    (client) => client.socket.send('no JSON'),
    (client) => client.socket.send(Buffer.from([1, 2])),
    (client) => client.send({ subscribe: [{ model: 'crm.lead', ids: ['x'] }] }),
    (client) => client.send({ since: 'x'.repeat(LIMITS.socketFrameBytes) }),
    (client) => {
      for (const since of [client.seq, client.seq]) client.send({ since })
    },
    (client) => {
      for (let i = 0; i < 2 * LIMITS.socketFrames; i++) client.send({})
    },
    (client) => {
      for (let i = 0; i < 2 * LIMITS.socketFrames; i++) client.socket.ping('x'.repeat(125))
    },
    (client) => client.send({ present: { model: 'core.country', id: 3_000_000_000 } }),
  ]
  for (const flood of floods) {
    const client = await open('boss')
    flood(client)
    expect([1008, 1009]).toContain((await client.closed).code)
  }
})

test('a session has a number of sockets at most, and another session is not affected', async () => {
  const options = await signIn('boss')
  const { url } = services[1]!
  const clients: BusClient[] = []
  const some = async () => void clients.push(await connectBus(url, options))
  const tries = await Promise.allSettled(Array.from({ length: LIMITS.sessionSockets + 8 }, some))
  expect(tries.filter(({ status }) => status === 'rejected')).toHaveLength(8)
  await expect(connectBus(url, options)).rejects.toThrow('refused with 429')
  await clients[0]!.close()
  await (await open('boss', services[1])).close()
  await Promise.all(clients.map((client) => client.close()))
})

test('a user has a number of sockets at most, over all sessions, and another user is not affected', async () => {
  const { url } = services[2]!
  const clients: BusClient[] = []
  userIds.set('crowd', await hire(modules, 'crowd', ['base.group_user']))
  while (clients.length < LIMITS.userSockets) {
    const options = await signIn('crowd')
    const some = Math.min(LIMITS.sessionSockets, LIMITS.userSockets - clients.length)
    clients.push(...(await Promise.all(Array.from({ length: some }, () => connectBus(url, options)))))
  }
  await expect(connectBus(url, await signIn('crowd'))).rejects.toThrow('refused with 429')
  await (await open('boss', services[2])).close()
  await clients.pop()!.close()
  await (await open('crowd', services[2])).close()
  await Promise.all(clients.map((client) => client.close()))
})

test('people at the same record see each other, over two processes, until they leave; who sees no users sees none there', async () => {
  const lead = await createLead('Looked at', 'boss')
  const boss = await open('boss', services[0])
  const other = await hire(modules, 'boss2', ['base.group_system', 'crm.group_manager'])
  userIds.set('boss2', other)
  const second = await open('boss2', services[1])
  const outsider = await open('sam', services[0])
  const stranger = await openStranger(services[1]!)
  // Its process knows of its rights.
  await modules.asSystem((env) => env.model('crm.lead').write([lead], { name: 'Looked at by a stranger' }))
  await stranger.until(about('record.updated', lead))
  outsider.send({ present: { model: 'core.country', id: 2_000_000_000 } })
  for (const client of [boss, second, outsider, stranger]) client.send({ present: { model: 'crm.lead', id: lead } })
  const names = ({ payload }: BusMessage) => (payload['users'] as { name: string }[]).map(({ name }) => name)
  const sees = (name: string) => (message: BusMessage) =>
    message.channel === 'presence' && names(message).includes(name)
  await Promise.all([boss.until(sees('boss2')), second.until(sees('boss')), boss.until(sees('stranger'))])
  await Promise.all([second.close(), stranger.close()])
  await boss.until((message) => message.channel === 'presence' && names(message).length === 0)
  for (const { received } of [outsider, stranger])
    expect(received.filter(({ channel }) => channel === 'presence')).toEqual([])
})

/** Somebody who may read leads and sees no users. */
async function openStranger(service: Service): Promise<BusClient> {
  const user = await hire(modules, 'stranger', ['base.group_user'])
  userIds.set('stranger', user)
  await modules.asSystem(async (env) => {
    const group_id = await env.model('core.group').create({ name: 'Strangers' })
    await env.model('sys.access').create({ name: 'strangers', model: 'crm.lead', group_id, perm_read: true })
    await env.model('core.user').write([user], { group_ids: [[6, 0, [group_id]]] as never })
  })
  return open('stranger', service)
}

test('people at a record see what the others do there, a board sees who drags a card, and only fields and cards they may read', async () => {
  const lead = await createLead('Busy', 'boss')
  const [boss, board, other, blind] = await Promise.all([
    open('boss', services[0]),
    open('boss2', services[1]),
    open('boss2', services[0]),
    open('sam', services[0]),
  ])
  const doing = (action: string | undefined) => (message: BusMessage) =>
    message.channel === 'presence' &&
    message.payload['id'] === lead &&
    (message.payload['users'] as { doing?: string }[]).some((user) => user.doing === action)
  board.send({ present: { model: 'crm.lead', id: null } })
  blind.send({ present: { model: 'crm.lead', id: null } })
  other.send({ present: { model: 'crm.lead', id: lead } })
  for (const [said, seen] of [
    ['name', 'name'],
    ['@writing', '@writing'],
    // Of a field that a reader does not know, or may not read, nothing is told.
    ['no_such_field', undefined],
    ['@dragging', '@dragging'],
  ] as const) {
    boss.send({ present: { model: 'crm.lead', id: lead, doing: said } })
    await other.until(doing(seen))
  }
  await board.until(doing('@dragging'))
  // What could not be stored is no message, so that presence goes on for everybody.
  for (const hostile of ['\0', '\ud800', '<b>']) {
    const rude = await open('boss', services[0])
    rude.send({ present: { model: 'crm.lead', id: lead, doing: hostile } })
    expect((await rude.closed).code).toBe(1008)
  }
  boss.send({ present: null })
  const isOver = ({ channel, payload }: BusMessage) =>
    channel === 'presence' && payload['id'] === lead && (payload['users'] as unknown[]).length === 0
  await board.until(isOver)
  const told = board.received.filter(({ channel }) => channel === 'presence')
  expect(told.map(({ payload }) => (payload['users'] as unknown[]).length)).toEqual([1, 0])
  expect(blind.received.filter(({ channel }) => channel === 'presence')).toEqual([])
})

test('a stopping process asks its clients to come back, and one that is killed loses no event of theirs', async () => {
  const extra = await startService(database.dsn)
  const moved = await open('boss', extra)
  await extra.end('SIGTERM')
  expect((await moved.closed).code).toBe(1012)
  const dying = await startService(database.dsn)
  const cut = await open('boss', dying)
  await dying.end('SIGKILL')
  const lead = await createLead('While it was dead', 'boss')
  const again = await open('boss', services[1])
  again.send({ since: cut.seq })
  await again.until(about('record.created', lead))
})
