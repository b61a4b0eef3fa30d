import { expect, test } from 'vitest'
import { routes } from '../../handlers/index.ts'
import { formToken } from '../support/agent.ts'
import { describeHosts, type Host } from '../support/hosts.ts'

const PASSWORD = 'correct horse battery'
const PAGE = { accept: 'text/html' }

/** Gives a user of the test installation a password. */
async function givePassword(host: Host, login: string, password = PASSWORD): Promise<void> {
  await host.modules.asSystem(async (env) => {
    const [id = 0] = await env.model('core.user').search([['login', '=', login]])
    await env.model('core.user').write([id], { password })
  })
}

describeHosts('signing in', (host) => {
  test('the form opens a session and redirects to the requested page', async () => {
    await givePassword(host, 'demo')
    const visitor = host.anonymous()
    const answer = await visitor.fill('/web/login?next=/web/account', {
      login: 'DEMO',
      password: PASSWORD,
      next: '/web/account',
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/web/account'])
    expect(answer.headers.getSetCookie().find((cookie) => cookie.startsWith('svc_session='))).toMatch(
      /^svc_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    )
    expect((await visitor.get('/web/account', { accept: 'text/html' })).status).toBe(200)
  })

  test('an administrator makes a key for a user through pages, after giving the password once more when that is long ago', async () => {
    await givePassword(host, 'admin')
    const admin = host.anonymous()
    await admin.fill('/web/login', { login: 'admin', password: PASSWORD })
    const [user] = await host.modules.asSystem((env) => env.model('core.user').search([['login', '=', 'demo']]))
    const path = `/web/action/create_api_key?user_id=${user}`
    await host.database.db.updateTable('sys_session').set({ reauth_at: '2020-01-01T00:00:00Z' }).execute()
    const sent = await admin.get(path, PAGE)
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/web/confirm?next=${encodeURIComponent(path)}`])
    expect(
      (await admin.fill(sent.headers.get('location')!, { password: PASSWORD, next: path })).headers.get('location'),
    ).toBe(path)
    const made = await admin.fill(path, { user_id: String(user), name: 'robot', expires_days: '30', scope: '' })
    expect(made.status).toBe(303)
    expect(await admin.page(made.headers.get('location')!)).toMatch(/sk_[0-9A-Za-z]{49}/)
    const guest = await host.signIn('guest')
    expect((await guest.get(path, PAGE)).status).toBe(403)
    expect((await guest.get(`/web/action/reset_password?user_id=${user}`, PAGE)).status).toBe(403)
  })

  test('a session calls with the token of its page, signs out, and is gone', async () => {
    await givePassword(host, 'demo')
    const visitor = host.anonymous()
    await visitor.fill('/web/login', { login: 'demo', password: PASSWORD })
    const csrf = formToken(await visitor.page('/web/account'))
    const search = { model: 'core.country', method: 'search', args: [], kwargs: { limit: 1 } }
    expect((await visitor.send(search, { 'x-csrf-token': csrf })).status).toBe(200)
    expect((await visitor.send(search)).error?.code).toBe('CSRF')
    const answer = await visitor.get('/web/logout', { accept: 'text/html' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/web/login'])
    expect((await visitor.send(search, { 'x-csrf-token': csrf })).status).toBe(401)
  })

  test('a wrong password shows the form again; the pages around it are there', async () => {
    const visitor = host.anonymous()
    const wrong = await visitor.fill('/web/login', { login: 'demo', password: 'not the password' })
    expect([wrong.status, wrong.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8'])
    expect((await visitor.get('/web/forgot', PAGE)).status).toBe(200)
    expect((await visitor.get('/web/reset?token=nonsense', PAGE)).status).toBe(404)
    expect((await visitor.get('/setup', PAGE)).status).toBe(404)
  })

  test('a caller that accepts JSON gets it; others are redirected to a page', async () => {
    await givePassword(host, 'demo')
    const logIn = async (headers: Record<string, string>) => {
      const visitor = host.anonymous()
      const csrf_token = formToken(await visitor.page('/web/login'))
      const answer = await visitor.submit('/web/login', { csrf_token, login: 'demo', password: PASSWORD }, headers)
      return [answer.status, answer.headers.get('location'), visitor.cookies.get('svc_session') !== undefined]
    }
    expect(await logIn({ accept: '*/*' })).toEqual([303, '/web/home', true])
    expect(await logIn({ accept: 'application/json' })).toEqual([200, null, true])
    const open = async (path: string, accept: string) => (await host.anonymous().get(path, { accept })).status
    for (const path of ['/web', '/web/home', '/web/account', '/web/settings/app-logs']) {
      expect([path, await open(path, '*/*'), await open(path, 'application/json')]).toEqual([path, 303, 401])
    }
    for (const path of ['/web/wc/workspace?model=core.tag', '/api/openapi.json', '/metrics']) {
      expect([path, await open(path, '*/*'), await open(path, 'text/html')]).toEqual([path, 401, 401])
    }
  })

  test('every page refuses other methods and lists those it accepts', async () => {
    const open = routes.filter(({ path }) => !path.includes(':') && !path.startsWith('/setup'))
    for (const { path } of open) {
      const methods = routes.filter((route) => route.path === path).map(({ method }) => method)
      const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      const answer = await host.fetch(path, { method: 'DELETE' })
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, allowed.join(', ')])
    }
  })

  test('a page is in the language of its reader: the account’s, else the browser’s', async () => {
    await givePassword(host, 'demo')
    const accept = { ...PAGE, 'accept-language': 'de-CH,de;q=0.9' }
    const visitor = host.anonymous()
    expect(await (await visitor.get('/web/login', accept)).text()).toContain('<html lang="de"')
    expect(await (await visitor.get('/nothing', accept)).text()).toContain('Seite nicht gefunden')
    await visitor.fill('/web/login', { login: 'demo', password: PASSWORD })
    expect(await (await visitor.get('/web/account', accept)).text()).toContain('Your account')
    expect(await (await visitor.get('/web/settings/app-logs', accept)).text()).toContain('Not allowed')
  })
})
