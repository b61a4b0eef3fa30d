import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { type App, serveAll } from '../../runtime/app.ts'
import { Agent, formToken } from '../support/agent.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'
import { below, pick, randomOf } from '../support/seeded-random.ts'
import { repeats } from '../support/soak.ts'
import { openWorker } from '../support/worker.ts'

/** What is at which address before and after the set-up of a new database. */

const ORIGIN = 'http://modulus.test'
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const BODIES: readonly RequestInit[] = [
  {},
  { body: '{"company":', headers: { 'content-type': 'application/json' } },
  { body: 'company=Evil', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  { body: 'x'.repeat(2_000_000), headers: { 'content-type': 'text/plain' } },
]

const TOKEN = 'the token of the set-up'

/** Every method, and every body with those that have one. */
const requests = METHODS.flatMap((method): RequestInit[] =>
  method === 'GET' || method === 'HEAD' ? [{ method }] : BODIES.map((body) => ({ ...body, method })),
)

/** Where each request takes longer: every method once. */
const FEW = METHODS.map((method): RequestInit => ({ method }))

interface Open {
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>
  /** The handlers themselves, where they are in this process. */
  readonly app?: App
  close?(): Promise<unknown>
}

const HOSTS: Readonly<Record<'process' | 'workerd', (database: TestDatabase) => Promise<Open>>> = {
  async process({ db }) {
    const { services } = openModules(db, bundledAddons)
    const app = serveAll({ ...services, setup: { token: TOKEN, isLocal: true } })
    return { app, fetch: (path, init) => app.fetch(new Request(ORIGIN + path, init), '127.0.0.1') }
  },
  workerd: ({ dsn }) => openWorker(dsn, { bindings: { SETUP_TOKEN: TOKEN } }),
}

describe.each(['process', 'workerd'] as const)('the set-up [%s]', (kind) => {
  const isProcess = kind === 'process'
  let database: TestDatabase
  let open: Open
  const fetchPath = (path: string, init: RequestInit = {}) => open.fetch(path, { redirect: 'manual', ...init })
  const asked = isProcess ? requests : FEW

  beforeAll(async () => {
    database = await createDatabase(baseTemplate)
    open = await HOSTS[kind](database)
  })
  afterAll(async () => {
    await open.close?.()
    await database.drop()
  })

  test('before it every page leads to it; the API answers as usual', async () => {
    const paths = ['/web', '/web/', '/web/login', '/web/home?a=1', '/web/forgot', '/web/wc/workspace', '/web/nothing']
    for (const path of paths) {
      for (const init of asked) {
        const answer = await fetchPath(path, init)
        expect([path, init.method, answer.status, answer.headers.get('location')]).toEqual([
          path,
          init.method,
          303,
          '/setup',
        ])
      }
    }
    const stale = await fetchPath('/web/home', { headers: { cookie: 'svc_session=of-another-database' } })
    expect(stale.headers.get('location')).toBe('/setup')
    expect((await fetchPath('/web/static/no-such-file.js')).status).toBe(404)
    expect((await fetchPath('/api/rpc', { method: 'POST', body: '{}' })).status).toBe(401)
    expect((await fetchPath('/setup')).status).toBe(200)
    expect((await fetchPath('/setup', { method: 'DELETE' })).status).toBe(405)
  })

  // A worker has no local console: its own rule is tested next.
  test.runIf(isProcess)(
    'asks for the token unless a request came straight from this machine, whatever host name a proxy puts there',
    async () => {
      const app = open.app!
      const asks = async (host: string, headers: Record<string, string> = {}) => {
        const answer = await app.fetch(new Request(`http://${host}/setup`, { headers }), '127.0.0.1')
        return (await answer.text()).includes('name="setup_token"')
      }
      for (const host of ['127.0.0.1:8069', 'localhost', '[::1]:8069']) {
        expect([host, await asks(host)]).toEqual([host, false])
        for (const name of [
          'X-Forwarded-For',
          'X-Forwarded-Host',
          'X-Forwarded-Proto',
          'Forwarded',
          'Via',
          'X-Real-IP',
        ])
          expect([host, name, await asks(host, { [name]: '203.0.113.9' })]).toEqual([host, name, true])
      }
      expect(await asks('erp.example.com')).toBe(true)
      const visitor = new Agent((path, init) => app.fetch(new Request(`http://127.0.0.1${path}`, init), '127.0.0.1'), {
        'x-forwarded-for': '203.0.113.9',
      })
      const form = { company: 'Evil', login: 'eve@example.com', password: 'correct horse battery' }
      const csrf_token = formToken(await visitor.page('/setup'))
      expect((await visitor.submit('/setup/init', { ...form, csrf_token })).status).toBe(403)
    },
  )

  // The rule of Node is in the test before.
  test.runIf(kind === 'workerd')('always asks for the token on a worker, which is public', async () => {
    const visitor = new Agent(fetchPath, {})
    const form = { company: 'Evil', login: 'eve@example.com', password: 'correct horse battery', setup_token: 'guess' }
    expect(await visitor.page('/setup')).toContain('name="setup_token"')
    expect((await visitor.fill('/setup', form, '/setup/init')).status).toBe(403)
  })

  test('after it its addresses are NOT_FOUND, whatever the method and the body, and pages lead to the sign-in', async () => {
    const visitor = new Agent(fetchPath, {})
    const form = {
      company: 'Alder',
      name: 'Elena Alder',
      modules: ['contacts'],
      login: 'elena@alder.example',
      password: 'correct horse battery',
      setup_token: TOKEN,
    }
    const done = await visitor.submit('/setup/init', { ...form, csrf_token: formToken(await visitor.page('/setup')) })
    expect([done.status, done.headers.get('location')]).toEqual([303, '/web/login'])
    expect(await visitor.page('/web/home')).toContain('Elena')
    for (const path of ['/setup', '/setup/', '/setup?a=1', '/setup/init', '/setup/progress', '/setup/nothing']) {
      for (const init of asked) {
        expect([path, init.method, (await fetchPath(path, init)).status]).toEqual([path, init.method, 404])
      }
    }
    const random = randomOf(404)
    const pieces = [
      '/',
      '//',
      'init',
      'progress',
      '%2f',
      '%2finit',
      '?a=1',
      '#x',
      ';x',
      '.x',
      '%',
      '%zz',
      'é',
      'INIT',
      '*',
    ]
    for (let i = 0; i < (isProcess ? repeats(100, 20_000) : 10); i++) {
      const path = `/setup/${Array.from({ length: below(random, 4) }, () => pick(random, pieces)).join('')}`
      expect([path, (await fetchPath(path, pick(random, asked))).status]).toEqual([path, 404])
    }
    expect((await fetchPath('/web/login')).status).toBe(200)
    expect((await fetchPath('/web/home')).headers.get('location')).toBe('/web/login?next=%2Fweb%2Fhome')
  })
})
