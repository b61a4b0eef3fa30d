import { expect, test } from 'vitest'
import { safeNext } from '../../kernel/http/next.ts'
import { Agent, formToken } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'
import { mistyped } from '../support/mistyped.ts'
import { OPEN_REDIRECTS, PAGES_OF_OURS } from '../support/open-redirects.ts'
import { sendRaw, statusOf } from '../support/raw-socket.ts'
import { cookieOf, countingPasswords, givePassword, isSignedIn, JSON_ONLY, logIn, PASSWORD } from './sign-in-tools.ts'

/** Threats A1 to A9 of `test/support/threats.ts`: sign-in and sessions. */

const passwords = countingPasswords()

describeHost(
  'threats to sign-in and sessions',
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

    test('A3: a form without its token, or from another site, starts no session; a new session replaces the old one', async () => {
      await givePassword(host, 'demo')
      const browser = host.anonymous()
      const token = formToken(await browser.page('/web/login'))
      const fields = { login: 'demo', password: PASSWORD }
      for (const [form, headers] of [
        [{ ...fields }, {}],
        [{ ...fields, csrf_token: mistyped(token, 0) }, {}],
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
      expect(OPEN_REDIRECTS.filter((address) => safeNext(address) !== '/web/home')).toEqual([])
      expect(PAGES_OF_OURS.map((address) => safeNext(address))).toEqual(PAGES_OF_OURS)
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
      if (host.kind === 'workerd') return
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
