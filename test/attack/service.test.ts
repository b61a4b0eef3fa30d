import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { nativePasswords } from '../../runtime/node/crypto/passwords.ts'
import { Agent, formToken } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'
import { sendRaw, statusOf } from '../support/raw-socket.ts'
import { below, pick, type Random, randomOf } from '../support/seeded-random.ts'
import { createServiceKey, residentMegabytes, type Service, startService } from '../support/service.ts'
import { isSoak, repeats } from '../support/soak.ts'

/** What one caller could do to take the service away from the others, at a process with few connections. */

const PASSWORD = 'correct horse battery'
const CHILDREN = 300
const NOTE = 'n'.repeat(60_000)

let database: TestDatabase
let service: Service
let hog: Agent
let other: Agent

const agentOf = (headers: Record<string, string> = {}) =>
  new Agent((path, init) => fetch(service.url + path, init), headers)

beforeAll(async () => {
  await buildOnce()
  database = await createDatabase(baseTemplate)
  const modules = openModules(database.db, bundledAddons)
  const id = await hire(modules, 'ann', ['base.group_user'])
  const password_hash = await nativePasswords({ ln: 2, r: 1, p: 1 }).hash(PASSWORD)
  await database.db.updateTable('sys_credential').set({ password_hash }).where('user_id', '=', id).execute()
  await modules.asSystem(async (env) => {
    const parent_id = await env.model('core.partner').create({ name: 'Root', is_company: true })
    const children = Array.from({ length: CHILDREN }, (_, i) => ({ name: `Child ${i}`, parent_id, note: NOTE }))
    await env.model('core.partner').createMany(children)
  })
  const keys = [await createServiceKey(database.db, 'hog'), await createServiceKey(database.db, 'other')]
  service = await startService(database.dsn, { SVC_DB_MAX_OPEN_CONNS: '6' })
  ;[hog, other] = keys.map((key) => agentOf({ 'x-api-key': key })) as [Agent, Agent]
})
afterAll(async () => {
  await service?.end('SIGINT')
  await database?.drop()
})

/**
 * Somebody else signs in, sees a page and reads a little, until that has worked so many times. On a busy machine a connection may
 * come too late, which is 503; nothing else may happen, and with a service that does not answer the loop never ends.
 */
async function serveOthers(times: number): Promise<void> {
  for (let served = 0; served < times; ) {
    const visitor = agentOf()
    const login = await visitor.get('/web/login', { accept: 'text/html' })
    const form = { login: 'ann', password: PASSWORD, csrf_token: login.ok ? formToken(await login.text()) : '' }
    const signedIn = login.ok ? await visitor.submit('/web/login', form) : login
    const page = signedIn.status === 303 ? await visitor.get('/web/home', { accept: 'text/html' }) : signedIn
    const { status: read } = await other.send({ model: 'core.tag', method: 'search_read', args: [[], ['name']] })
    const { status: health } = await fetch(`${service.url}/api/health`)
    if (page.status === 200 && read === 200) served++
    else expect([200, 503], `${page.status}, ${read}`).toEqual(expect.arrayContaining([page.status, read]))
    expect(health).toBe(200)
  }
}

/** A search or a group that costs as much as the limits allow, or just more. */
function costlyCall(random: Random): readonly [string, readonly unknown[], object] {
  const hops = 1 + below(random, 12)
  const link = (i: number) => (i % 2 === 0 ? 'child_ids' : 'parent_id')
  const path = [...Array.from({ length: hops }, (_, i) => link(i)), pick(random, ['name', 'note', 'email'])].join('.')
  const condition = [path, pick(random, ['ilike', '!=', '=', 'not ilike']), pick(random, ['nobody', 'n', '%n%n%'])]
  const conditions = Array.from({ length: 1 + below(random, 6) }, () => condition)
  const domain = pick<unknown[]>(random, [conditions, ['!', condition], ['|', condition, ...conditions]])
  return pick(random, [
    ['search_read', [domain, ['id']], { limit: 500 }],
    ['search_read', [domain, ['id']], { order: 'note desc', offset: 100 }],
    ['read_group', [{ domain, groupby: [path] }], {}],
    ['read_group', [{ domain, fields: [{ name: 'n', field: path, measure: 'count_distinct' }] }], {}],
    ['onchange', [{ child_ids: Array.from({ length: 300 }, (_, i) => [0, i, { name: `New ${i}` }]) }, 'child_ids'], {}],
  ] as const)
}

test('while one user sends expensive calls without end, others sign in, see pages and read', async () => {
  const random = randomOf(66)
  let isOver = false
  const waves = async () => {
    while (!isOver) {
      const calls = Array.from({ length: 30 }, () => costlyCall(random))
      const answers = await Promise.all(
        calls.map(([method, args, kwargs]) => hog.rpc('core.partner', method, args, { ...kwargs })),
      )
      const codes = new Set(answers.flatMap(({ error }) => (error === null ? [] : [error.code])))
      expect([...codes].filter((code) => !['BAD_REQUEST', 'UNAVAILABLE', 'RATE_LIMITED'].includes(code))).toEqual([])
    }
  }
  const served = serveOthers(repeats(2, 200)).finally(() => {
    isOver = true
  })
  await Promise.all([waves(), served])
})

test('no answer is larger than its limit, and memory stays bounded', async () => {
  const random = randomOf(67)
  for (let i = 0; i < repeats(3, 200); i++) {
    const limit = below(random, 500)
    const fields = pick(random, [['note'], ['name', 'note'], ['note', 'display_name', 'parent_id']])
    const body = { model: 'core.partner', method: 'search_read', args: [[], fields], kwargs: { limit } }
    const texts = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const response = await hog.post(JSON.stringify(body))
        return { status: response.status, text: await response.text() }
      }),
    )
    for (const { status, text } of texts) {
      expect([200, 400]).toContain(status)
      expect(text.length).toBeLessThanOrEqual(LIMITS.answerBytes + 1_000)
    }
  }
  expect(await residentMegabytes(service)).toBeLessThan(1_200)
})

test('callers that do not read their answers do not slow down others', async () => {
  const { hostname, port } = new URL(service.url)
  const kwargs = { limit: 200 }
  const body = JSON.stringify({ model: 'core.partner', method: 'search_read', args: [[], ['note']], kwargs })
  const head = `POST /api/rpc HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${hog.headers['x-api-key']}\r\nContent-Type: application/json`
  const sockets: Socket[] = Array.from({ length: repeats(12, 200) }, () => {
    const socket = connect(Number(port), hostname).on('error', () => {})
    socket.pause()
    socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    return socket
  })
  await serveOthers(1)
  // The service closes them by itself after a while; a normal run does not wait for that.
  if (isSoak) await Promise.all(sockets.map((socket) => once(socket.resume(), 'close')))
  for (const socket of sockets) socket.destroy()
  await serveOthers(1)
})

test('no Host header leads to another address than the one that was asked for', async () => {
  const random = randomOf(68)
  const pieces = [
    ...['[::1]', '127.0.0.1', 'LOCALHOST', 'erp.example', '[', ']', ':', ':80', ':99999', '..', '.', '0x7f.1', '%'],
    ...['/metrics', '/', '//', '?', '#', '@', '\\', '%2f', '%00', ' ', '\t', ';', ',', '"', 'é', '::1', 'http://'],
  ]
  const plain = await sendRaw(service.url, 'GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  const bodyOf = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n'))
  expect(statusOf(plain)).toBe(200)
  const noUrls = ['0x7f.10x7f.1', '1.2.3.4.5', '256.1.1.1', 'erp.08', 'xn--a', 'xn--.example']
  const made = Array.from({ length: repeats(60, 20_000) }, () =>
    Array.from({ length: 1 + below(random, 4) }, () => pick(random, pieces)).join(''),
  )
  for (const host of [...noUrls, ...made]) {
    const answer = await sendRaw(service.url, `GET /api/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    if (statusOf(answer) === 200) expect([host, bodyOf(answer)]).toEqual([host, bodyOf(plain)])
    else expect([host, statusOf(answer)]).toEqual([host, 400])
  }
})
