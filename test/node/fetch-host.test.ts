import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServerAdapter } from '@whatwg-node/server'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import { type AppOptions, createApp, type EmbeddedApp } from '../../runtime/index.ts'
import { Agent } from '../support/agent.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { createServiceKey, SECRET_KEY } from '../support/service.ts'
import { waitForOutput } from '../support/svc.ts'

let database: TestDatabase
let key: string
const open: EmbeddedApp[] = []
const servers: Server[] = []

beforeAll(async () => {
  database = await createDatabase(baseTemplate)
  key = await createServiceKey(database.db)
})
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
  for (const app of open.splice(0)) await app.close()
})
afterAll(() => database.drop())

const settings = () => ({ db_dsn: database.dsn, secret_key: SECRET_KEY, rate_limit_rpm: 0, log_level: 'error' })

async function start(options: AppOptions = {}): Promise<EmbeddedApp> {
  const app = await createApp({ ...options, settings: { ...settings(), ...options.settings } })
  open.push(app)
  return app
}

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const call = (): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': key },
  body: JSON.stringify({ model: 'core.user', method: 'search_read', args: [[['login', '=', 'operator']], ['login']] }),
})
const OPERATOR = { ok: true, result: [{ login: 'operator' }] }

test('the service is a standard Fetch handler', async () => {
  const { fetch } = await start()
  const answer = await fetch(new Request('https://erp.example.com/api/rpc', call()))
  expect(answer).toBeInstanceOf(Response)
  expect(await answer.json()).toMatchObject(OPERATOR)
  const unknown = await fetch(new Request('https://erp.example.com/nowhere'))
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }])
})

test('node:http serves it through @whatwg-node/server, pages included', async () => {
  const { fetch: handle } = await start()
  const url = await listen(createServerAdapter(handle))
  expect(await (await fetch(`${url}/api/rpc`, call())).json()).toMatchObject(OPERATOR)
  const page = await fetch(`${url}/`, { redirect: 'manual' })
  expect([page.status, page.headers.get('location')]).toEqual([303, '/setup'])
  expect(await (await fetch(`${url}/setup`)).text()).toContain('setup_token')
})

test('Hono mounts it: the environment it hands over beside the request is no address', async () => {
  const seen: unknown[] = []
  const { fetch } = await start({
    address(_request, env) {
      seen.push(env)
      return '192.0.2.7'
    },
  })
  const environment = { incoming: 'a request of Node' }
  const execution = { waitUntil() {}, passThroughOnException() {} }
  expect(
    await (await fetch(new Request('http://a.test/api/rpc', call()), environment, execution)).json(),
  ).toMatchObject(OPERATOR)
  expect(seen).toEqual([environment])
})

test('Express mounts it behind a path, which is in `originalUrl` only', async () => {
  const { fetch: handle } = await start({ prefix: '/erp' })
  const adapter = createServerAdapter(handle)
  const url = await listen((req: IncomingMessage & { originalUrl?: string }, res) => {
    req.originalUrl = req.url!
    if (!req.url!.startsWith('/erp/')) return res.writeHead(200).end('the other app')
    req.url = req.url!.slice('/erp'.length)
    return void adapter(req, res)
  })
  expect(await (await fetch(`${url}/erp/api/rpc`, call())).json()).toMatchObject(OPERATOR)
  expect(await (await fetch(`${url}/`)).text()).toBe('the other app')
})

test('behind a prefix there are the routes for programs, and no pages whose links would lead out of it', async () => {
  const { fetch } = await start({ prefix: '/business/erp' })
  const statusOf = async (path: string) => (await fetch(new Request(`http://a.test${path}`))).status
  expect(await statusOf('/business/erp/api/health')).toBe(200)
  expect(await statusOf('/business/erp/api/openapi.json')).toBe(401)
  for (const path of ['', '/', '/web', '/web/login', '/web/home', '/setup', '/setup/progress'])
    expect([path, await statusOf(`/business/erp${path}`)]).toEqual([path, 404])
  for (const path of ['/api/health', '/business/erpapi/health', '/business']) expect(await statusOf(path)).toBe(404)
  await expect(createApp({ prefix: '/erp/' })).rejects.toThrow('prefix must be a path')
})

test('each address has its own allowance if the host reports addresses', async () => {
  const { fetch } = await start({
    settings: { rate_limit_rpm: 1 },
    address: (request) => request.headers.get('x-real-ip'),
  })
  const from = async (address: string) =>
    (await fetch(new Request('http://a.test/api/openapi.json', { headers: { 'x-real-ip': address } }))).status
  expect([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.2')]).toEqual([401, 429, 401])
})

test('without migrating it says what a database without tables lacks', async () => {
  const empty = await createEmptyDatabase()
  await expect(createApp({ settings: { ...settings(), db_dsn: empty.dsn }, migrate: false })).rejects.toThrow(
    'has no tables yet. Run: svc migrate',
  )
  await empty.drop()
})

test('a set-up needs the token, since a Fetch handler cannot know who reaches it', async () => {
  const { fetch, setupToken } = await start()
  const visitor = new Agent((path, init) => fetch(new Request(`http://a.test${path}`, init)), {})
  const form = { company: 'Acme', login: 'admin', password: 'short', timezone: 'UTC', currency: 'EUR' }
  const setUp = async (setup_token: string) =>
    (await visitor.fill('/setup', { ...form, setup_token }, '/setup/init')).status
  expect([await setUp('a guess'), await setUp(setupToken)]).toEqual([403, 422])
})

test('with `jobs` it runs what is scheduled', async () => {
  await sql`update sys_cron set nextcall = clock_timestamp() where active`.execute(database.db)
  await start({ jobs: true })
  const runs = async () =>
    Number((await sql<{ n: string }>`select count(*) n from sys_cron_run`.execute(database.db)).rows[0]!.n)
  await expect.poll(runs).toBeGreaterThan(0)
})

test('a setting that is wrong or unknown is named', async () => {
  await expect(createApp({ settings: { db_max_open_conns: 0 } })).rejects.toThrow('db_max_open_conns must be')
  const unknown = { db_dns: 'x' } as AppOptions['settings']
  await expect(createApp({ settings: unknown! })).rejects.toThrow('db_dns is not a setting.')
})

test('a database that cannot be reached is named, with what to do', async () => {
  const db_dsn = Object.assign(new URL(database.dsn), { pathname: '/nowhere' }).href
  await expect(createApp({ settings: { ...settings(), db_dsn } })).rejects.toThrow(
    /^PostgreSQL at \S+ has no database nowhere\. Create it, or check db_dsn\.$/,
  )
})

const FUNCTION = `
  import { createServer } from 'node:http'
  import { createServerAdapter } from '@whatwg-node/server'
  import { openServices, routes, serve } from 'modulus'
  const { services, close } = await openServices({ settings: JSON.parse(process.env.SETTINGS), migrate: false })
  const rpc = routes.find(({ method, path }) => method === 'POST' && path === '/api/rpc')
  const server = createServer(createServerAdapter(serve(rpc, services)))
  server.listen(0, '127.0.0.1', () => console.log('at http://127.0.0.1:' + server.address().port))
  process.once('SIGTERM', () => server.close(close))
`

test('one route of the package can be deployed as a separate function', async () => {
  await buildOnce()
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, SETTINGS: JSON.stringify(settings()) }
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module'], { env, stdio: 'pipe' })
  child.stdin!.end(FUNCTION)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    const [, url] = await waitForOutput(child, /at (\S+)/)
    expect(await (await fetch(`${url}/api/rpc`, call())).json()).toMatchObject(OPERATOR)
    const refused = await fetch(`${url}/api/rpc`)
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST'])
    for (const path of ['/api/health', '/web/login', '/setup']) expect((await fetch(url + path)).status).toBe(404)
  } finally {
    child.kill('SIGTERM')
  }
  expect(await ended).toBe(0)
})
