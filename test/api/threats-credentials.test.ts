import { expect, test } from 'vitest'
import { createResetLink } from '../../kernel/auth/reset.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { Agent, formToken } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'
import { mistyped } from '../support/mistyped.ts'
import { repeats } from '../support/soak.ts'
import { threatsWithoutTest } from '../support/threats.ts'
import { cookieOf, count, givePassword, isSignedIn, JSON_ONLY, logIn, PASSWORD } from './sign-in-tools.ts'

/** How often many at once try what may happen once. */
const ROUNDS = repeats(1, 100)

/** A key in the JSON of a page, in quotes: the token of a page's forms is random and may contain what looks like a key. */
const SECRET = /"sk_[0-9A-Za-z]{49}"/

/** Threats A10 to A17 of `test/support/threats.ts`: reset links, keys, secrets, companies and headers. */

describeHost('threats to keys, reset links and one-time secrets', 'listener', (host) => {
  test('A10: a link is used up by one POST, not by opening it; a newer one voids it; a wrong one is refused', async () => {
    const userId = await givePassword(host, 'demo')
    const link = () => host.modules.asSystem(async (env) => new URL(await createResetLink(env, userId)))
    const older = await link()
    const newer = await link()
    const visitor = host.anonymous()
    const open = async ({ pathname, search }: URL) =>
      (await visitor.get(pathname + search, { accept: 'text/html' })).status
    expect([await open(older), await open(newer), await open(newer)]).toEqual([404, 200, 200])
    const token = newer.searchParams.get('token')!
    const csrf = formToken(await visitor.page('/web/login'))
    const reset = async (fields: Record<string, string>) =>
      (await visitor.submit('/web/reset', { csrf_token: csrf, ...fields })).status
    expect(await reset({ token, password: 'short' })).toBe(422)
    expect(
      await reset({
        token: mistyped(token, 0),
        password: 'another long one',
      }),
    ).toBe(404)
    for (let round = 0; round < ROUNDS; round++) {
      const used = round === 0 ? newer : await link()
      const fields = { token: used.searchParams.get('token')! }
      const tries = await Promise.all(
        Array.from({ length: 50 }, (_, i) => reset({ ...fields, password: `another long one ${i}` })),
      )
      expect(tries.filter((status) => status === 303)).toHaveLength(1)
      expect(await open(used)).toBe(404)
    }
    const late = await link()
    await host.database.db.updateTable('sys_reset').set({ expires_at: '2020-01-01T00:00:00Z' }).execute()
    expect(await open(late)).toBe(404)
    const overtaken = await link()
    await givePassword(host, 'demo')
    expect(await open(overtaken)).toBe(404)
  })

  test('A10: a form of a page without referrer is accepted, although its origin is null', async () => {
    const userId = await givePassword(host, 'demo')
    const link = await host.modules.asSystem(async (env) => new URL(await createResetLink(env, userId)))
    const visitor = host.anonymous()
    const csrf_token = formToken(await visitor.page(link.pathname + link.search))
    const fields = { csrf_token, token: link.searchParams.get('token')!, password: 'chosen on plain http' }
    expect((await visitor.submit('/web/reset', fields, { origin: 'https://evil.test' })).status).toBe(403)
    const crossSite = { origin: 'null', 'sec-fetch-site': 'cross-site' }
    expect((await visitor.submit('/web/reset', fields, crossSite)).status).toBe(403)
    expect((await visitor.submit('/web/reset', fields, { origin: 'null' })).status).toBe(303)
    const demo = await host.signIn('demo')
    expect((await demo.submit('/web/account/sessions', { session: 'all' }, { origin: 'null' })).status).toBe(403)
  })

  test('A10: requesting a reset link gives the same answer whether or not the account exists', async () => {
    const answers = []
    for (const login of ['demo', 'nobody-at-all']) {
      const visitor = host.anonymous()
      const csrf_token = formToken(await visitor.page('/web/login'))
      const answer = await visitor.submit('/web/forgot', { login, csrf_token })
      answers.push([answer.status, (await answer.text()).replace(/nonce="[^"]+"/g, '')])
    }
    expect(answers[0]![0]).toBe(200)
    expect(answers[0]).toEqual(answers[1])
  })

  test('A11: an administrator who resets a password neither chooses nor sees the new one', async () => {
    const userId = await givePassword(host, 'demo')
    const admin = await host.signIn('admin')
    const answer = await admin.submit(
      '/web/action/reset_password',
      { user_id: String(userId), password: 'chosen by admin' },
      JSON_ONLY,
    )
    expect([answer.status, await answer.json()]).toMatchObject([200, { ok: true, mailed: false }])
    expect(await isSignedIn(await logIn(host, 'demo'))).toBe(true)
    const demo = await host.signIn('demo')
    expect((await demo.submit('/web/action/reset_password', { user_id: String(userId) }, JSON_ONLY)).status).toBe(403)
  })

  test('A12: a key is taken from its two headers only, and every key that is not valid is refused alike', async () => {
    const key = await host.apiKey('admin')
    const revoked = await host.apiKey('admin')
    await (await host.signIn('admin')).must('core.api.key', 'write', [[revoked.keyId], { active: false }])
    const expired = await host.apiKey('admin', { expiresAt: '2020-01-01T00:00:00Z' })
    const body = JSON.stringify({ model: 'core.tag', method: 'search', args: [[]] })
    const ask = async (path: string, headers: Record<string, string>) => {
      const answer = await host.fetch(path, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      })
      return [answer.status, answer.status === 200 ? null : await answer.text()]
    }
    expect(await ask('/api/rpc', { authorization: `Bearer ${key.key}` })).toEqual([200, null])
    expect(await ask('/api/rpc', { 'x-api-key': key.key })).toEqual([200, null])
    const missing = await ask('/api/rpc', {})
    for (const [path, headers] of [
      [`/api/rpc?api_key=${key.key}`, {}],
      ['/api/rpc', { cookie: `api_key=${key.key}` }],
      ['/api/rpc', { authorization: `Basic ${key.key}` }],
    ] as const) {
      expect(await ask(path, headers)).toEqual(missing)
    }
    const invalid = await ask('/api/rpc', { 'x-api-key': 'nonsense' })
    for (const sent of [revoked.key, expired.key, mistyped(key.key)]) {
      expect(await ask('/api/rpc', { 'x-api-key': sent })).toEqual(invalid)
    }
  })

  test('A12: an API key can neither open pages nor create keys', async () => {
    const key = await host.apiKey('admin')
    for (const path of ['/web/account', '/web/home', '/web/settings/app-logs']) {
      expect((await key.get(path, JSON_ONLY)).status).toBe(401)
    }
    const form = { user_id: '1', name: 'more' }
    expect((await key.submit('/web/action/create_api_key', form, JSON_ONLY)).status).toBe(401)
  })

  test('A13: only an administrator who has just given the password creates keys', async () => {
    const userId = await givePassword(host, 'demo')
    const form = { user_id: String(userId), name: 'robot' }
    const demo = await host.signIn('demo')
    expect((await demo.submit('/web/action/create_api_key', form, JSON_ONLY)).status).toBe(403)
    await givePassword(host, 'admin')
    const admin = await logIn(host, 'admin')
    const csrf = formToken(await admin.page('/web/account'))
    await host.database.db.updateTable('sys_session').set({ reauth_at: '2020-01-01T00:00:00Z' }).execute()
    const stale = await admin.submit('/web/action/create_api_key', { ...form, csrf_token: csrf }, JSON_ONLY)
    expect([stale.status, await stale.json()]).toMatchObject([
      403,
      { error: { code: 'ACCESS_DENIED', details: { confirm: '/web/confirm' } } },
    ])
    const referer = `${host.url}/web?model=core.user&id=${userId}`
    const refused = await admin.submit('/web/action/create_api_key', { ...form, csrf_token: csrf }, { referer })
    const next = encodeURIComponent(`/web?model=core.user&id=${userId}`)
    expect(await refused.text()).toContain(`href="/web/confirm?next=${next}"`)
    const wrong = await admin.submit('/web/confirm', { password: 'not the password', csrf_token: csrf }, JSON_ONLY)
    expect(wrong.status).toBe(403)
    const right = await admin.submit('/web/confirm', { password: PASSWORD, csrf_token: csrf, next: '/web/settings' })
    expect(right.headers.get('location')).toBe('/web/settings')
    const told = await admin.page('/web/confirm?next=//evil.test')
    expect(told).toContain('name="next" value="/web/home"')
    const answer = await admin.submit('/web/action/create_api_key', { ...form, csrf_token: csrf })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/web?model=core.user&view_type=form&id=${userId}`,
    ])
    const [created] = await host.modules.asSystem((env) =>
      env.model('core.api.key').searchRead([['name', '=', 'robot']], ['user_id', 'create_uid']),
    )
    expect([created?.user_id?.[0], created?.create_uid?.[1]]).toEqual([userId, 'admin'])
  })

  test('A14: a secret is shown by one page of the session that asked for it, and never again', async () => {
    const userId = await givePassword(host, 'demo')
    await givePassword(host, 'admin')
    const admin = await logIn(host, 'admin')
    const csrf = formToken(await admin.page('/web/account'))
    const form = { user_id: String(userId), name: 'once', csrf_token: csrf }
    const look = async (agent: Agent, headers: Record<string, string> = {}) => {
      const answer = await agent.get('/web', { accept: 'text/html', ...headers })
      const isShown = SECRET.test(await answer.text())
      return answer.status >= 429 ? 'refused' : isShown ? 'shown' : 'not shown'
    }
    const shows = async (agent: Agent, headers?: Record<string, string>) => (await look(agent, headers)) === 'shown'
    const stranger = await logIn(host, 'demo')
    for (let round = 0; round < ROUNDS; round++) {
      const answer = await admin.submit('/web/action/create_api_key', form)
      expect(cookieOf(answer, 'svc_flash')).toMatch(/; Path=\/web; HttpOnly; SameSite=Strict; Max-Age=120$/)
      const flash = admin.cookies.get('svc_flash')!
      const cookie = `svc_session=${admin.cookies.get('svc_session')}; svc_flash=${flash}`
      expect(
        await shows(stranger, { cookie: `svc_session=${stranger.cookies.get('svc_session')}; svc_flash=${flash}` }),
      ).toBe(false)
      expect(await shows(admin, { cookie, 'sec-purpose': 'prefetch' })).toBe(false)
      await host.fetch('/web', { method: 'HEAD', headers: { cookie } })
      const looks = await Promise.all(Array.from({ length: 50 }, () => look(new Agent(host.fetch, {}), { cookie })))
      // Only a service that is too busy for all of them leaves it to the next page.
      const isLeft = looks.every((each) => each === 'refused')
      const shown = looks.filter((each) => each === 'shown').length
      expect([shown, await shows(admin, { cookie })]).toEqual(isLeft ? [0, true] : [1, false])
      expect(await shows(admin, { cookie })).toBe(false)
    }
  })

  test('A14: a secret that a failed page did not show is shown by the next page', async () => {
    const userId = await givePassword(host, 'demo')
    await givePassword(host, 'admin')
    const admin = await logIn(host, 'admin')
    const csrf_token = formToken(await admin.page('/web/account'))
    await admin.submit('/web/action/create_api_key', { user_id: String(userId), name: 'kept', csrf_token })
    const { db } = host.database
    await sql`alter table core_company rename to core_company_away`.execute(db)
    const broken = await admin.get('/web/home', { accept: 'text/html' })
    await sql`alter table core_company_away rename to core_company`.execute(db)
    expect(broken.status).toBeGreaterThanOrEqual(500)
    expect(await admin.page('/web/home')).toMatch(SECRET)
  })

  test('A15: a user can only switch to their own companies', async () => {
    const admin = await host.signIn('admin')
    const own = await admin.must<{ company_id: [number, string] }[]>('core.user', 'search_read', [
      [['login', '=', 'demo']],
      ['company_id'],
    ])
    const [currency] = await admin.must<{ id: number }[]>('core.currency', 'search', [[]], { limit: 1 })
    const values = { name: 'Elsewhere', currency_id: currency!.id }
    const other = await admin.must<number>('core.company', 'create', [values])
    const demo = await host.signIn('demo')
    const switchTo = (id: number) => demo.submit('/web/company/switch', { company_id: String(id) }, JSON_ONLY)
    expect((await switchTo(other)).status).toBe(403)
    expect((await switchTo(999_999)).status).toBe(403)
    expect((await switchTo(own[0]!.company_id[0])).status).toBe(200)
  })

  test('A16: a visitor without account creates no row', async () => {
    const rows = () =>
      Promise.all((['sys_session', 'sys_flash', 'sys_reset'] as const).map((table) => count(host, table)))
    const before = await rows()
    for (let round = 0; round < 20; round++) {
      await Promise.all(Array.from({ length: 25 }, () => host.anonymous().page('/web/login')))
    }
    expect(await rows()).toEqual(before)
  })

  test('A17: every answer has the security headers', async () => {
    const admin = await host.signIn('admin')
    const answers = await Promise.all([
      host.fetch('/web/login'),
      host.fetch('/web/forgot'),
      host.fetch('/web/reset'),
      host.fetch('/', { redirect: 'manual' }),
      host.fetch('/web/account', { redirect: 'manual', headers: { accept: 'text/html' } }),
      host.fetch('/web/account'),
      host.fetch('/nothing', { headers: { accept: 'text/html' } }),
      host.fetch('/web/login', { method: 'POST' }),
      host.fetch('/web/login', { method: 'DELETE' }),
      admin.get('/web/account', { accept: 'text/html' }),
      admin.get('/web/confirm', { accept: 'text/html' }),
    ])
    for (const { headers } of answers) {
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': expect.stringMatching(/^(same-origin|no-referrer)$/),
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': expect.stringContaining('camera=()'),
        'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
        'cache-control': 'no-store',
      })
    }
    expect((await host.fetch('/web/reset')).headers.get('referrer-policy')).toBe('no-referrer')
  })
})

test('every row of the table has its test', () => {
  expect(
    threatsWithoutTest('A', [
      import.meta.filename,
      'test/api/threats-sessions.test.ts',
      'test/node/sign-in-limit.test.ts',
    ]),
  ).toEqual([])
})
