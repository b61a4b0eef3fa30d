import { beforeAll, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { describeHosts, type Host } from '../support/hosts.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describeHosts('pictures of users', (host: Host) => {
  let admin: Agent
  let demo: Agent
  let pictured: number
  let plain: number

  beforeAll(async () => {
    admin = await host.signIn('admin')
    demo = await host.signIn('demo')
    ;[pictured, plain] = await host.modules.asSystem(async (env) => {
      const users = env.model('core.user')
      const [own] = await users.search([['login', '=', 'demo']])
      const [other] = await users.search([['login', '=', 'admin']])
      await users.write([own!], { image: PNG })
      return [own!, other!]
    })
  })

  test('are files that a browser may cache, for users who may read the user', async () => {
    const response = await admin.get(`/web/picture?id=${pictured}&v=1`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('cache-control')).toBe('private, max-age=86400')
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    expect(Buffer.from(await response.arrayBuffer()).toString('base64')).toBe(PNG)
  })

  test.each([
    ['of a user without one', () => plain, 404],
    ['of nobody', () => 999_999, 404],
    ['of no number', () => 'x', 400],
  ])('%s are refused', async (_what, id, status) => {
    expect((await demo.get(`/web/picture?id=${id()}`)).status).toBe(status)
  })

  test('are named by the style of the page, with their version', async () => {
    const version = await host.modules.asSystem(
      async (env) => (await env.model('core.user').read([pictured], ['version']))[0]!.version,
    )
    const page = await (await admin.get('/web/home', { accept: 'text/html' })).text()
    expect(page).toContain(`.av[data-user="${pictured}"]{background:url("/web/picture?id=${pictured}&v=${version}")`)
    expect(page).not.toContain(`[data-user="${plain}"]`)
  })
})
