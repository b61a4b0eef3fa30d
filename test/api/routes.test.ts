import { describe, expect, test } from 'vitest'
import { routes } from '../../handlers/index.ts'
import { describeHost, describeHosts } from '../support/hosts.ts'

const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': expect.stringContaining('camera=()'),
  'content-security-policy': expect.stringContaining("default-src 'none'"),
}

describeHosts('routes', (host) => {
  test('GET /api/health answers {ok: true} and asks the database nothing', async () => {
    host.database.statements.length = 0
    const response = await host.fetch('/api/health')
    expect([response.status, await response.json()]).toEqual([200, { ok: true }])
    if (host.kind === 'workerd') return
    expect(host.database.statements).toEqual([])
  })

  test('GET /api/ready answers {ok: true} on a database of this version', async () => {
    const response = await host.fetch('/api/ready')
    expect([response.status, await response.json()]).toEqual([200, { ok: true }])
  })

  test('HEAD is answered like GET, without a body', async () => {
    const response = await host.fetch('/api/health', { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test('an unknown address is NOT_FOUND: an envelope, or a page for a browser', async () => {
    const json = await host.fetch('/api/nothing')
    expect([json.status, await json.json()]).toMatchObject([
      404,
      { ok: false, result: null, error: { code: 'NOT_FOUND' } },
    ])
    const page = await host.fetch('/nothing', { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('<h1>Page not found</h1>')
  })

  test('a removed route does not exist', async () => {
    for (const [method, path] of [
      ['GET', '/web/rel/search'],
      ['POST', '/web/record/save'],
      ['POST', '/web/record/delete'],
      ['POST', '/web/kanban/move'],
      ['POST', '/web/action/object'],
    ] as const) {
      expect((await host.fetch(path, { method })).status).toBe(404)
    }
  })

  test('a method a path does not serve is METHOD_NOT_ALLOWED, with Allow', async () => {
    for (const [method, path, allow] of [
      ['GET', '/api/rpc', 'POST'],
      ['PUT', '/api/rpc', 'POST'],
      ['DELETE', '/api/health', 'GET, HEAD'],
      ['OPTIONS', '/api/rpc', 'POST'],
    ] as const) {
      const response = await host.fetch(path, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
      expect(await response.json()).toMatchObject({ ok: false, error: { code: 'METHOD_NOT_ALLOWED' } })
    }
  })

  test('every answer carries the security headers and none for other origins', async () => {
    const admin = await host.apiKey('admin')
    const answers = [
      await host.fetch('/api/health'),
      await host.fetch('/api/ready'),
      await host.fetch('/api/openapi.json'),
      await admin.get('/api/openapi.json'),
      await host.fetch('/nothing', { headers: { accept: 'text/html' } }),
      await host.fetch('/nothing', { headers: { origin: 'https://evil.test' } }),
      await host.fetch('/api/rpc'),
      await host.fetch('/api/rpc', { method: 'POST' }),
      await admin.post('{}'),
      await admin.post('nope'),
      await admin.post(JSON.stringify({ model: 'core.tag', method: 'search', args: [] }), {
        origin: 'https://evil.test',
      }),
    ]
    for (const { headers } of answers) {
      expect(Object.fromEntries(headers)).toMatchObject(SECURITY_HEADERS)
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })
})

describe('the route table', () => {
  test('names every route once, with a way to authenticate', () => {
    const names = routes.map((route) => `${route.method} ${route.path}`)
    expect(new Set(names).size).toBe(names.length)
    for (const route of routes) expect(['none', 'session', 'session-or-key', 'signed']).toContain(route.auth)
  })
})

describeHosts('a database of another version', (host) => {
  test('is not ready, and the answer is remembered for a second only', async () => {
    const status = async () => (await host.fetch('/api/ready')).status
    expect(await status()).toBe(200)
    await host.database.db.insertInto('sys_migration').values({ name: '9999_future', checksum: '' }).execute()
    expect(await status()).toBe(200)
    await expect.poll(status).toBe(503)
    await host.database.db.deleteFrom('sys_migration').where('name', '=', '9999_future').execute()
    await expect.poll(status).toBe(200)
  })
})

describeHost(
  'a service that shuts down',
  'process',
  (host) => {
    test('is alive but not ready, and still answers calls', async () => {
      const ready = await host.fetch('/api/ready')
      expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1'])
      expect(await ready.json()).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } })
      expect((await host.fetch('/api/health')).status).toBe(200)
      expect(await (await host.apiKey('admin')).rpc('core.tag', 'search')).toMatchObject({ ok: true })
    })
  },
  { stopping: () => true },
)

describeHost(
  'a service behind https',
  'process',
  (host) => {
    test('tells browsers to stay there, and checks the origin against its public address', async () => {
      expect((await host.fetch('/api/health')).headers.get('strict-transport-security')).toContain('max-age=')
      const demo = await host.signIn('demo')
      const search = { model: 'core.tag', method: 'search', args: [] }
      expect((await demo.send(search, { origin: 'https://erp.test' })).status).toBe(200)
      expect((await demo.send(search, { origin: 'http://modulus.test' })).status).toBe(403)
    })
  },
  { publicUrl: 'https://erp.test' },
)

describeHost(
  'a limiter',
  'process',
  (host) => {
    test('is asked for the key, the user or the address that calls, and may refuse', async () => {
      const [key, session] = [await host.apiKey('demo'), await host.signIn('demo')]
      const search = { model: 'core.tag', method: 'search', args: [] }
      expect((await key.send(search)).headers.get('ratelimit')).toMatch(/^k:\d+$/)
      expect((await session.send(search)).headers.get('ratelimit')).toMatch(/^u:\d+$/)
      const anonymous = await host.anonymous().send(search)
      expect(anonymous).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } })
      expect(anonymous.headers.get('retry-after')).toBe('7')
      expect(anonymous.headers.get('ratelimit')).toBe('ip:127.0.0.1')
    })
  },
  {
    limiter: {
      admit: async ({ subject }) => ({
        admitted: !subject.startsWith('ip:'),
        retryAfter: 6.2,
        headers: { ratelimit: subject },
      }),
      charge: async () => {},
    },
  },
)
