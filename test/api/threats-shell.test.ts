import { describe, expect, test } from 'vitest'
import { sanitizeHtml } from '../../kernel/html/sanitize.ts'
import { jsonAnswer } from '../../kernel/http/respond.ts'
import { scriptJson } from '../../kernel/page/html.ts'
import { route } from '../../kernel/serve/route.ts'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'
import { sendRaw, statusOf } from '../support/raw-socket.ts'
import { SCRIPT_PAYLOADS } from '../support/script-payloads.ts'
import { threatsWithoutTest } from '../support/threats.ts'

/** Threats W1 to W14 of `test/support/threats.ts`: pages, workspace, chatter, modules and metrics. */

const JSON_ONLY = { accept: 'application/json' }

describe('values on a page', () => {
  test('W1: no value can end the script element that contains it', () => {
    expect(SCRIPT_PAYLOADS.length).toBeGreaterThanOrEqual(500)
    for (const payload of SCRIPT_PAYLOADS) {
      const { markup } = scriptJson({ payload })
      expect(markup).not.toMatch(/[<>&\u2028\u2029]/)
      expect(JSON.parse(markup)).toEqual({ payload })
    }
  })

  test('W2: sanitised markup contains nothing that runs', () => {
    for (const payload of SCRIPT_PAYLOADS) {
      const clean = sanitizeHtml(payload)
      const tags = [...clean.matchAll(/<\/?([a-zA-Z][^\s/>]*)([^>]*)>/g)]
      for (const [, , attributes] of tags)
        expect(attributes).not.toMatch(/\son\w+\s*=|javascript:|data:|vbscript:|style\s*=/i)
      expect(
        tags
          .map(([, tag]) => tag!.toLowerCase())
          .filter((tag) =>
            /^(script|iframe|svg|math|img|object|embed|style|link|meta|form|base|template|video|audio)$/.test(tag),
          ),
      ).toEqual([])
    }
  })
})

describeHost('threats to the shell', 'listener', (host) => {
  test('W1: the shell escapes names that users chose', async () => {
    await host.modules.asSystem(async (env) => {
      const [id = 0] = await env.model('core.user').search([['login', '=', 'demo']])
      await env.model('core.user').write([id], { name: '</script><script>alert(1)</script><!-- \u2028' })
    })
    const demo = await host.signIn('demo')
    const page = await demo.page('/web/home')
    expect(page).not.toContain('</script><script>alert')
    expect(page).toContain('\\u003c/script\\u003e')
  })

  test('W4: an address cannot open what the menus hide', async () => {
    const guest = await host.signIn('guest')
    const open = async (query: string) => (await guest.get(`/web/wc/workspace?${query}`, JSON_ONLY)).status
    expect(await open('model=library.book')).toBe(403)
    expect(await open('model=sys.rule')).toBe(403)
    expect(await open('action=999999')).toBe(404)
    expect(await open('model=core.partner&view_type=nonsense')).toBe(400)
    expect(await open('model=core.partner&filter=no_such_filter')).toBe(400)
    expect(await open('model=core.partner&sort=password')).toBe(400)
  })

  test('W5: a view definition with entities, depth or size beyond the caps is refused', async () => {
    const admin = await host.signIn('admin')
    for (const arch of [
      '<!DOCTYPE list [<!ENTITY a "b">]><list><field name="name"/></list>',
      `<list>${'<group>'.repeat(100)}${'</group>'.repeat(100)}</list>`,
      `<list>${'<field name="name"/>'.repeat(6_000)}</list>`,
      `<list ${Array.from({ length: 100 }, (_, i) => `a${i}="x"`).join(' ')}/>`,
    ]) {
      const { error } = await admin.rpc('sys.view', 'create', [{ name: 'bomb', model: 'core.tag', type: 'list', arch }])
      expect(error?.code).toBe('VALIDATION')
    }
  })

  test('W6: pinned apps are a short list of installed modules', async () => {
    const demo = await host.signIn('demo')
    const pin = async (body: string) => {
      const headers = { 'content-type': 'application/json' }
      return (await demo.fetch('/web/user/pinned-apps', { method: 'POST', body }, headers)).status
    }
    expect(await pin('{"apps":["base"]}')).toBe(200)
    expect(await pin('{"apps":["nonsense"]}')).toBe(422)
    expect(await pin('{"apps":{"length":1}}')).toBe(400)
    expect(await pin('{"apps":"base"}')).toBe(400)
    expect(await pin('{"__proto__":{"apps":["base"]}}')).toBe(400)
    expect(await pin(`{"apps":[${'"base",'.repeat(201)}"base"]}`)).toBe(400)
    expect(await pin(`{"apps":["${'x'.repeat(70_000)}"]}`)).toBe(413)
  })

  test('W7: modules are changed by administrators, by names of the catalogue, and base stays', async () => {
    const act = async (login: string, module: string, action: string) =>
      (await (await host.signIn(login)).submit('/web/module/action', { module, action }, JSON_ONLY)).status
    expect(await act('demo', 'library_extra', 'install')).toBe(403)
    for (const module of ['../../etc', '__proto__', 'constructor', 'nothing', '']) {
      expect(await act('admin', module, 'install')).toBe(404)
    }
    expect(await act('admin', 'base', 'uninstall')).toBe(409)
    expect(await act('admin', 'library', 'explode')).toBe(400)
    const admin = await host.signIn('admin')
    const cross = await admin.submit(
      '/web/module/action',
      { module: 'library', action: 'deactivate' },
      { 'sec-fetch-site': 'cross-site' },
    )
    expect(cross.status).toBe(403)
    const twice = await Promise.all([
      act('admin', 'library_extra', 'install'),
      act('admin', 'library_extra', 'install'),
    ])
    expect(twice).toEqual([200, 200])
    expect(await act('admin', 'library_extra', 'uninstall')).toBe(200)
  })

  test('W8: only administrators read the metrics', async () => {
    const demo = await host.signIn('demo')
    expect([(await host.fetch('/metrics')).status, (await demo.get('/metrics')).status]).toEqual([401, 403])
  })

  test('W9: the health check never queries the database', async () => {
    host.database.statements.length = 0
    await Promise.all(Array.from({ length: 500 }, () => host.fetch('/api/health')))
    expect(host.database.statements).toEqual([])
  })

  test('W10: the log is for administrators, and the markup of its page contains no text of an entry', async () => {
    await host.modules.asSystem((env) =>
      env.model('sys.log').create({ level: 'warning', source: 'test', message: '<script>alert(1)</script>' }),
    )
    const [demo, admin] = [await host.signIn('demo'), await host.signIn('admin')]
    expect((await demo.get('/web/settings/app-logs', { accept: 'text/html' })).status).toBe(403)
    expect(await admin.page('/web/settings/app-logs')).not.toContain('alert(1)')
  })

  test('W12: routes that were removed are gone', async () => {
    const admin = await host.signIn('admin')
    for (const [method, path] of [
      ['GET', '/web/rel/search'],
      ['POST', '/web/record/save'],
      ['POST', '/web/record/delete'],
      ['POST', '/web/kanban/move'],
      ['POST', '/web/action/object'],
    ] as const) {
      expect((await admin.fetch(path, { method })).status).toBe(404)
    }
  })

  test('W12: a plain GET on the bus is answered with 404 and not logged as an error', async () => {
    const admin = await host.signIn('admin')
    host.observed.length = 0
    expect((await admin.get('/web/wc/bus')).status).toBe(404)
    expect(host.observed.filter(({ kind }) => kind === 'failure' || kind === 'warning')).toEqual([])
  })

  test.each([
    [
      'both lengths',
      'POST /api/rpc HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'POST /api/rpc HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
    ['an unknown encoding', 'POST /api/rpc HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\nhello'],
    ['bare line feeds', 'GET /api/health HTTP/1.1\nHost: a\n\n'],
    ['a NUL', 'GET /api/health\u0000 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['no host', 'GET /api/health HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET /api/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['an absolute target', 'GET http://evil.test/api/health HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a space before the colon', 'GET /api/health HTTP/1.1\r\nHost : a\r\n\r\n'],
  ])('W13: a request with %s is refused', async (_name, bytes) => {
    expect(statusOf(await sendRaw(host.url, bytes))).toBe(400)
  })

  test('W14: other sites cannot load data of the service', async () => {
    const admin = await host.signIn('admin')
    for (const site of ['cross-site', 'same-site']) {
      const answer = await admin.get('/web/wc/workspace?model=core.partner', { ...JSON_ONLY, 'sec-fetch-site': site })
      expect(answer.status).toBe(403)
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
    expect(
      (await admin.get('/web/wc/workspace?model=core.partner', { ...JSON_ONLY, 'sec-fetch-site': 'same-origin' }))
        .status,
    ).toBe(200)
  })
})

describeHost(
  'routes of addons',
  'process',
  (host) => {
    test('W11: every route goes through the same pipeline, which checks caller and origin', async () => {
      const admin = await host.signIn('admin')
      const post = async (agent: Agent) => (await agent.fetch('/web/careless', { method: 'POST' }, JSON_ONLY)).status
      expect(await post(host.anonymous())).toBe(401)
      expect(await post(admin)).toBe(200)
      expect(await post(admin.without('x-csrf-token'))).toBe(403)
      expect(await post(admin.with({ 'sec-fetch-site': 'cross-site' }))).toBe(403)
      expect((await host.fetch('/web/open', { method: 'POST' })).status).toBe(403)
    })
  },
  {
    routes: [
      route({
        method: 'POST',
        path: '/web/careless',
        auth: 'session',
        tx: 'none',
        handle: () => jsonAnswer({ ok: true }),
      }),
      route({ method: 'POST', path: '/web/open', auth: 'none', tx: 'none', handle: () => jsonAnswer({ ok: true }) }),
    ],
  },
)

test('every row of the table has its test', () => {
  expect(threatsWithoutTest('W', [import.meta.filename, 'addons/mail/test/chatter.test.ts'])).toEqual([])
})
