import { expect, test } from 'vitest'
import type { AssetPort } from '../../kernel/services.ts'
import { describeHost } from '../support/hosts.ts'

const script = new TextEncoder().encode('export {}')
const assets: AssetPort = {
  find: (name, accepted) =>
    name === 'main-ABC.js'
      ? { body: script, type: 'text/javascript', encoding: accepted === 'br' ? 'br' : null }
      : null,
}

for (const kind of ['process', 'listener'] as const) {
  describeHost(
    'GET /web/static/:file',
    kind,
    (host) => {
      const get = (path: string, headers: Record<string, string> = {}) => host.fetch(`/web/static/${path}`, { headers })

      test('answers a built file to anybody, to be kept for ever', async () => {
        const response = await get('main-ABC.js')
        expect(response.status).toBe(200)
        expect(await response.text()).toBe('export {}')
        expect(Object.fromEntries(response.headers)).toMatchObject({
          'content-type': 'text/javascript',
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'accept-encoding',
          'x-content-type-options': 'nosniff',
        })
        expect(response.headers.get('content-encoding')).toBeNull()
      })

      test('answers the coding the caller asks for', async () => {
        const response = await host.fetch('/web/static/main-ABC.js', {
          method: 'HEAD',
          headers: { 'accept-encoding': 'br' },
        })
        expect(response.headers.get('content-encoding')).toBe('br')
      })

      test('has no other files', async () => {
        const answers = await Promise.all(['', 'other.js', '..%2f..%2fpackage.json', 'a/b.js'].map((path) => get(path)))
        expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
      })
    },
    { assets },
  )
}

describeHost('a host without a built client', 'workerd', (host) => {
  test('answers 404', async () => {
    expect((await host.fetch('/web/static/main-ABC.js')).status).toBe(404)
  })
})
