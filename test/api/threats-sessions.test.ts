import { expect, test } from 'vitest'
import { createResetLink } from '../../kernel/auth/reset.ts'
import { safeNext } from '../../kernel/http/next.ts'
import type { PasswordPort } from '../../kernel/services.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { nativePasswords } from '../../runtime/node/passwords.ts'
import { Agent, formToken } from '../support/agent.ts'
import { describeHost, type Host } from '../support/hosts.ts'
import { OPEN_REDIRECTS, PAGES_OF_OURS } from '../support/open-redirects.ts'
import { sendRaw, statusOf } from '../support/raw-socket.ts'
import { threatsWithoutTest } from '../support/threats.ts'

/** Threats A1 to A17 of `test/support/threats.ts`: sign-in, sessions, keys and reset. */

const PASSWORD = 'correct horse battery'
const JSON_ONLY = { accept: 'application/json' }
/** How often many at once try what may happen once. */
const ROUNDS = process.env['SOAK'] ? 100 : 1

const TIMEOUT = ROUNDS * 60_000

/** Counts what costs a core half a second. */
function countingPasswords(): PasswordPort & { verified: number } {
  const port = nativePasswords({ ln: 2, r: 1, p: 1 })
  const counting = {
    ...port,
    verified: 0,
    verify(password: string, phc: string) {
      counting.verified++
      return port.verify(password, phc)
    },
  }
  return counting
}

const passwords = countingPasswords()

async function givePassword(host: Host, login: string, password = PASSWORD): Promise<number> {
  return host.modules.asSystem(async (env) => {
    const [id = 0] = await env.model('core.user').search([['login', '=', login]], { archived: 'include' })
    await env.model('core.user').write([id], { password })
    return id
  })
}

async function logIn(host: Host, login: string, password = PASSWORD): Promise<Agent> {
  const browser = host.anonymous()
  const answer = await browser.fill('/web/login', { login, password })
  expect(answer.status).toBe(303)
  return browser
}

const isSignedIn = async (agent: Agent): Promise<boolean> => (await agent.get('/web/account', JSON_ONLY)).status === 200

const count = async (host: Host, table: 'sys_session' | 'sys_flash' | 'sys_reset'): Promise<number> =>
  (await host.database.db.selectFrom(table).selectAll().execute()).length

const cookieOf = (answer: Response, name: string): string | undefined =>
  answer.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`))

describeHost(
  'threats to sign-in, sessions, keys and reset',
  'listener',
  (host) => {
    test('A1: an unknown login, a wrong password and a user without one get the same answer for the same work', async () => {
      await givePassword(host, 'demo')
      const answers = []
      for (const login of ['demo', 'nobody-at-all', 'guest']) {
        passwords.verified = 0
        const browser = host.anonymous()
        const answer = await browser.fill('/web/login', { login, password: 'wrong password' })
        const body = (await answer.text())
          .replaceAll(login, '')
          .replace(/name="csrf_token" value="[^"]+"/g, '')
          .replace(/nonce="[^"]+"/g, '')
        answers.push([answer.status, body, passwords.verified])
      }
      expect(answers[0]![0]).toBe(401)
      expect(answers[1]).toEqual(answers[0])
      expect(answers[2]).toEqual(answers[0])
    })

    test('A3: a form without its token, or from another site, signs nobody in; a new session replaces the old one', async () => {
      await givePassword(host, 'demo')
      const browser = host.anonymous()
      const token = formToken(await browser.page('/web/login'))
      const fields = { login: 'demo', password: PASSWORD }
      for (const [form, headers] of [
        [{ ...fields }, {}],
        [{ ...fields, csrf_token: token.replace(/^./, (char) => (char === 'A' ? 'B' : 'A')) }, {}],
        [{ ...fields, csrf_token: token }, { 'sec-fetch-site': 'cross-site' }],
        [{ ...fields, csrf_token: token }, { origin: 'https://evil.test' }],
        [{ ...fields, csrf_token: token }, { cookie: 'svc_pre=stolen' }],
      ] as const) {
        expect((await browser.submit('/web/login', form, headers)).status).toBe(403)
      }
      expect(browser.cookies.get('svc_session')).toBeUndefined()
      browser.cookies.set('svc_session', 'A'.repeat(43))
      await browser.submit('/web/login', { ...fields, csrf_token: token })
      const first = browser.cookies.get('svc_session')!
      expect(first).not.toBe('A'.repeat(43))
      await browser.submit('/web/login', { ...fields, csrf_token: token })
      expect(browser.cookies.get('svc_session')).not.toBe(first)
      expect(
        (await host.anonymous().get('/web/account', { ...JSON_ONLY, cookie: `svc_session=${first}` })).status,
      ).toBe(401)
    })

    test('A3: an open form can still be sent after other pages were loaded', async () => {
      await givePassword(host, 'demo')
      const browser = host.anonymous()
      const token = formToken(await browser.page('/web/login'))
      await Promise.all(['/favicon.ico', '/web/login', '/web/forgot', '/nothing'].map((path) => browser.page(path)))
      const answer = await browser.submit('/web/login', { login: 'demo', password: PASSWORD, csrf_token: token })
      expect(answer.status).toBe(303)
    })

    test('A4: `next` never redirects to another site', async () => {
      expect(OPEN_REDIRECTS.length).toBeGreaterThanOrEqual(300)
      expect(OPEN_REDIRECTS.filter((wish) => safeNext(wish) !== '/web/home')).toEqual([])
      expect(PAGES_OF_OURS.map((wish) => safeNext(wish))).toEqual(PAGES_OF_OURS)
      await givePassword(host, 'demo')
      const browser = host.anonymous()
      const token = formToken(await browser.page('/web/login'))
      for (const next of OPEN_REDIRECTS.filter((_, i) => i % 20 === 0)) {
        const answer = await browser.submit('/web/login', {
          login: 'demo',
          password: PASSWORD,
          csrf_token: token,
          next,
        })
        expect([next, answer.headers.get('location')]).toEqual([next, '/web/home'])
      }
      const away = await browser.get('/web/login?next=//evil.test', { accept: 'text/html' })
      expect(away.headers.get('location')).toBe('/web/home')
    })

    test('A5: scripts and other sites cannot read the cookie, and its token appears nowhere else', async () => {
      await givePassword(host, 'demo')
      const browser = host.anonymous()
      const answer = await browser.fill('/web/login', { login: 'demo', password: PASSWORD, remember: '1' })
      expect(cookieOf(answer, 'svc_session')).toMatch(
        /^svc_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=1209600$/,
      )
      const token = browser.cookies.get('svc_session')!
      expect(await browser.page('/web/account')).not.toContain(token)
      expect(JSON.stringify(host.observed)).not.toContain(token)
    })

    test('A5: a token is replaced after three hours, and the old one expires soon after the new one is used', async () => {
      await givePassword(host, 'demo')
      const browser = await logIn(host, 'demo')
      const old = browser.cookies.get('svc_session')!
      const { db } = host.database
      await db.updateTable('sys_session').set({ rotated_at: '2020-01-01T00:00:00Z' }).execute()
      await browser.page('/web/home')
      const fresh = browser.cookies.get('svc_session')!
      expect(fresh).not.toBe(old)
      const asOld = (): Promise<boolean> => isSignedIn(new Agent(host.fetch, { cookie: `svc_session=${old}` }))
      expect(await asOld()).toBe(true)
      expect(await isSignedIn(browser)).toBe(true)
      await expect
        .poll(async () => (await db.selectFrom('sys_session').select('prev_until').execute())[0]?.prev_until)
        .not.toBeNull()
      await db.updateTable('sys_session').set({ prev_until: '2020-01-01T00:00:00Z' }).execute()
      expect([await asOld(), await isSignedIn(browser)]).toEqual([false, true])
    })

    test.each([
      ['idle', { last_seen_at: '2020-01-01T00:00:00Z' }],
      ['absolute', { abs_expires_at: '2020-01-01T00:00:00Z' }],
    ] as const)('A5: a session past its %s lifetime is none', async (_name, past) => {
      await givePassword(host, 'demo')
      const browser = await logIn(host, 'demo')
      expect(await isSignedIn(browser)).toBe(true)
      await host.database.db.updateTable('sys_session').set(past).execute()
      expect(await isSignedIn(browser)).toBe(false)
    })

    test('A6: deactivating a user, removing a group and changing a password take effect with the next request', async () => {
      const userId = await givePassword(host, 'demo')
      const admin = await host.signIn('admin')
      const browser = await logIn(host, 'demo')
      const key = await host.apiKey('demo')
      const search = () => key.rpc('library.book', 'search', [[]], { limit: 1 })
      expect((await search()).ok).toBe(true)
      const [user] = await admin.must<{ group_ids: number[] }[]>('core.user', 'read', [[userId], ['group_ids']])
      await admin.must('core.user', 'write', [[userId], { group_ids: [] }])
      expect((await search()).error?.code).toBe('ACCESS_DENIED')
      await admin.must('core.user', 'write', [[userId], { group_ids: user!.group_ids, active: false }])
      expect([await isSignedIn(browser), (await search()).error?.code]).toEqual([false, 'UNAUTHORIZED'])
      await admin.must('core.user', 'write', [[userId], { active: true }])
      await givePassword(host, 'demo', `${PASSWORD}!`)
      expect(await isSignedIn(browser)).toBe(false)
    })

    test('A7: an image or link on another site cannot sign a user out', async () => {
      await givePassword(host, 'demo')
      const browser = await logIn(host, 'demo')
      for (const site of ['cross-site', 'same-site']) {
        const answer = await browser.get('/web/logout', { 'sec-fetch-site': site, accept: 'text/html' })
        expect([answer.status, await isSignedIn(browser)]).toEqual([200, true])
        expect(await answer.text()).toContain('href="/web/logout"')
      }
      for (const headers of [
        { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' },
        { 'sec-fetch-site': 'same-origin', 'sec-purpose': 'prefetch' },
      ]) {
        expect([(await browser.get('/web/logout', headers)).status, await isSignedIn(browser)]).toEqual([200, true])
      }
      await browser.fetch('/web/logout', { method: 'HEAD', redirect: 'manual' })
      expect(await isSignedIn(browser)).toBe(true)
      const token = browser.cookies.get('svc_session')!
      const visit = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' }
      const answer = await browser.get('/web/logout', visit)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/web/login'])
      expect(await isSignedIn(new Agent(host.fetch, { cookie: `svc_session=${token}` }))).toBe(false)
    })

    test('A8: the setup wizard is gone once the service is set up', async () => {
      const { db } = host.database
      await db
        .insertInto('sys_param')
        .values({ key: 'initialised', value: 'true' })
        .onConflict((row) => row.doNothing())
        .execute()
      const browser = host.anonymous()
      const token = formToken(await browser.page('/web/login'))
      const before = await db.selectFrom('sys_credential').selectAll().execute()
      expect((await browser.get('/setup', { accept: 'text/html' })).status).toBe(404)
      expect((await browser.get('/setup/progress')).status).toBe(404)
      const form = { csrf_token: token, company: 'Evil', login: 'evil', password: PASSWORD }
      expect((await browser.submit('/setup/init', form)).status).toBe(404)
      expect(await db.selectFrom('sys_credential').selectAll().execute()).toEqual(before)
    })

    test('A9: two hosts, an absolute target and forwarded names are refused or ignored', async () => {
      for (const head of [
        'GET /web/login HTTP/1.1\r\nHost: a.test\r\nHost: b.test',
        'GET http://evil.test/web/login HTTP/1.1\r\nHost: a.test',
        'GET /web/login HTTP/1.1',
      ]) {
        expect(statusOf(await sendRaw(host.url, `${head}\r\n\r\n`))).toBe(400)
      }
      const admin = await host.signIn('admin')
      const userId = await givePassword(host, 'demo')
      const answer = await admin.submit(
        '/web/action/reset_password',
        { user_id: String(userId) },
        { 'x-forwarded-host': 'evil.test' },
      )
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        `/web?model=core.user&view_type=form&id=${userId}`,
      ])
      const shown = await admin.page(answer.headers.get('location')!)
      expect(shown).toMatch(/http:\/\/localhost:8069\/web\/reset\?token=[\w-]{43}/)
      expect(shown).not.toContain('evil.test')
    })

    test(
      'A10: a link is used up by one POST, not by looking; a newer one voids it; a wrong one is nothing',
      async () => {
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
            token: token.replace(/^./, (char) => (char === 'A' ? 'B' : 'A')),
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
      },
      TIMEOUT,
    )

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

    test('A12: a key is taken from its two headers only, and every refusal looks the same', async () => {
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
      const refused = await ask('/api/rpc', { 'x-api-key': 'nonsense' })
      for (const [path, headers] of [
        [`/api/rpc?api_key=${key.key}`, {}],
        ['/api/rpc', { cookie: `api_key=${key.key}` }],
        ['/api/rpc', { authorization: `Basic ${key.key}` }],
        ['/api/rpc', { 'x-api-key': revoked.key }],
        ['/api/rpc', { 'x-api-key': expired.key }],
        ['/api/rpc', { 'x-api-key': `${key.key.slice(0, -1)}0` }],
      ] as const) {
        expect(await ask(path, headers)).toEqual(refused)
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

    test(
      'A14: a secret is shown by one page of the session that asked for it, and never again',
      async () => {
        const userId = await givePassword(host, 'demo')
        await givePassword(host, 'admin')
        const admin = await logIn(host, 'admin')
        const csrf = formToken(await admin.page('/web/account'))
        const form = { user_id: String(userId), name: 'once', csrf_token: csrf }
        const shows = async (agent: Agent, headers: Record<string, string> = {}) =>
          /sk_[0-9A-Za-z]{49}/.test(await (await agent.get('/web', { accept: 'text/html', ...headers })).text())
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
          const tries = await Promise.all(
            Array.from({ length: 50 }, () => shows(new Agent(host.fetch, {}), { cookie })),
          )
          expect(tries.filter(Boolean)).toHaveLength(1)
          expect(await shows(admin, { cookie })).toBe(false)
        }
      },
      TIMEOUT,
    )

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
      expect(await admin.page('/web/home')).toMatch(/sk_[0-9A-Za-z]{49}/)
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
  },
  { passwords },
)

describeHost(
  'a service on https',
  'process',
  (host) => {
    test('A5: cookies are sent over https only, and browsers are told to use https only', async () => {
      await givePassword(host, 'demo')
      const answer = await host.anonymous().fill('/web/login', { login: 'demo', password: PASSWORD })
      expect(cookieOf(answer, 'svc_session')).toMatch(/; Secure$/)
      expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=\d+/)
    })
  },
  { publicUrl: 'https://modulus.test' },
)

test('every row of the table has its test', () => {
  expect(threatsWithoutTest(import.meta.filename, 'A', { A2: 'test/node/sign-in-limit.test.ts' })).toEqual([])
})
