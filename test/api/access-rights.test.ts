import { expect, test } from 'vitest'
import type { WireAccessMatrix } from '../../kernel/admin/wire-access.ts'
import type { Agent, Envelope } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'

const JSON_TYPE = { accept: 'application/json' }

describeHost('GET /web/settings/access', 'process', (host) => {
  const matrixOf = async (agent: Agent, query: string): Promise<WireAccessMatrix> =>
    ((await (await agent.get(`/web/settings/access?${query}`, JSON_TYPE)).json()) as Envelope)
      .result as WireAccessMatrix

  test('says of every model what the calls of the user say', async () => {
    const [admin, demo] = [await host.signIn('admin'), await host.signIn('demo')]
    const [{ id }] = await admin.must<[{ id: number }]>('core.user', 'search_read', [
      [['login', '=', 'demo']],
      ['login'],
    ])
    const { rows, directIds, roles } = await matrixOf(admin, `user=${id}`)
    expect(rows.length).toBeGreaterThan(20)
    for (const { model, rights } of rows) {
      const answer = await demo.rpc(model, 'search_read', [[], ['id']], { limit: 1 })
      expect([model, answer.ok]).toEqual([model, rights.read.allowed])
      for (const right of Object.values(rights)) expect(right.allowed).toBe(right.groupIds.length > 0)
    }
    const groups = new Set(directIds.flatMap((group) => roles.includes[group] ?? []))
    const givers = rows.flatMap(({ rights }) => Object.values(rights).flatMap(({ groupIds }) => groupIds))
    expect(givers.every((group) => group === null || groups.has(group))).toBe(true)
  })

  test('is refused to all users but administrators', async () => {
    const [demo, key, admin] = [await host.signIn('demo'), await host.apiKey('admin'), await host.signIn('admin')]
    const status = async (agent: Agent, query = '') =>
      (await agent.get(`/web/settings/access${query}`, JSON_TYPE)).status
    expect(await status(host.anonymous())).toBe(401)
    expect(await status(key)).toBe(401)
    expect(await status(demo)).toBe(403)
    expect(await status(admin)).toBe(200)
    expect(await status(admin, '?user=999999')).toBe(404)
    expect(await status(admin, '?group=999999')).toBe(404)
  })
})
