import { expect, test } from 'vitest'
import { describeHosts, type Host } from '../support/hosts.ts'

const PASSWORD = 'correct horse battery'

/** Gives a user of the test installation a password. */
async function givePassword(host: Host, login: string, password = PASSWORD): Promise<void> {
  const { services } = host.modules
  await host.modules.asSystem(async (env) => {
    const [id = 0] = await env.model('core.user').search([['login', '=', login]])
    await env.model('core.user').write([id], { password })
  })
  void services
}

describeHosts('signing in', (host) => {
  test('the form opens a session and leads on to where one wanted to go', async () => {
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
})
