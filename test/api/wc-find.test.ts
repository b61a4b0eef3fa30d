import { expect, test } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import { describeHosts } from '../support/hosts.ts'

const find = (query: Readonly<Record<string, string>>) => `/web/wc/find?${new URLSearchParams(query)}`

describeHosts('GET /web/wc/find', (host) => {
  test('answers records of several models at once', async () => {
    const agent = await host.signIn('admin')
    const id = await agent.must<number>('library.author', 'create', [{ name: 'Grete Zinnober' }])
    const response = await agent.get(find({ q: ' zinnob ', models: 'library.author,core.partner,' }))
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      found: [{ model: 'library.author', records: [{ id, display_name: 'Grete Zinnober' }] }],
    })
  })

  test('needs a session, and is not for pages of other sites', async () => {
    expect((await host.anonymous().get(find({ models: 'core.partner' }))).status).toBe(401)
    const agent = await host.signIn('admin')
    expect((await agent.get(find({ models: 'core.partner' }), { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })

  test('refuses an invalid search: no models, too many of them, too long a text, no id', async () => {
    const agent = await host.signIn('admin')
    const status = async (query: Readonly<Record<string, string>>) => (await agent.get(find(query))).status
    const models = (count: number) => Array.from({ length: count }, (_, at) => `model${at}`).join()
    expect(await status({ q: 'x' })).toBe(400)
    expect(await status({ models: models(LIMITS.foundModels) })).toBe(200)
    expect(await status({ models: models(LIMITS.foundModels + 1) })).toBe(400)
    expect(await status({ models: 'core.partner', q: 'x'.repeat(LIMITS.likeOperandChars) })).toBe(200)
    expect(await status({ models: 'core.partner', q: 'x'.repeat(LIMITS.likeOperandChars + 1) })).toBe(400)
    expect(await status({ models: 'core.partner', of_model: 'core.partner', of_id: 'x' })).toBe(400)
  })
})
