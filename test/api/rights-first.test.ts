import { expect, test } from 'vitest'
import { routes } from '../../handlers/index.ts'
import { describeHost } from '../support/hosts.ts'

const JSON_TYPE = { accept: 'application/json', 'content-type': 'application/json' }

describeHost('routes for administrators', 'process', (host) => {
  const theirs = routes.filter(({ forAdministrators }) => forAdministrators !== undefined)
  test.each(theirs.map(({ method, path }) => [method, path] as const))(
    '%s %s refuses others before it looks at what they sent',
    async (method, path) => {
      const demo = await host.signIn('demo')
      const address = `${path.replaceAll(/:\w+/g, 'x')}?user=x&user_id=x&level=x`
      const answer = await demo.fetch(address, { method, ...(method === 'POST' && { body: '{"a":[' }) }, JSON_TYPE)
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({
        error: { code: 'ACCESS_DENIED', details: { reason: 'group_required' } },
      })
    },
  )

  test('are all of the administration', () => {
    const paths = theirs.map(({ method, path }) => `${method} ${path}`)
    expect(paths).toEqual(expect.arrayContaining(['GET /api/explain', 'POST /web/settings/keys']))
    expect(paths).toEqual(expect.arrayContaining(['POST /web/module/action', 'GET /web/module/plan']))
  })
})
