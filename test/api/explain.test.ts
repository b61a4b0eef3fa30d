import { expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { describeHosts } from '../support/hosts.ts'

const idOf = async (agent: Agent, login: string): Promise<number> => {
  const answer = await agent.rpc('core.user', 'search_read', [[['login', '=', login]], ['login']])
  return (answer.result as readonly { readonly id: number }[])[0]!.id
}

describeHosts('GET /api/explain', (host) => {
  test('explains to an administrator why a user may or may not do something', async () => {
    const admin = await host.apiKey('admin')
    const user = await idOf(admin, 'demo')
    const response = await admin.get(`/api/explain?user=${user}&model=core.user&id=${user}&operation=unlink`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ ok: true, result: { allowed: false, access: { allowed: false } } })
    const read = await admin.get(`/api/explain?user=${user}&model=core.user&id=${user}&operation=read&field=group_ids`)
    expect(await read.json()).toMatchObject({ ok: true, result: { allowed: false, access: { allowed: true } } })
  })

  test('is for administrators only, and for well-formed questions', async () => {
    const [admin, demo] = [await host.apiKey('admin'), await host.apiKey('demo')]
    const question = '/api/explain?user=1&model=core.user&id=1&operation=read'
    expect((await host.fetch(question)).status).toBe(401)
    expect((await demo.get(question)).status).toBe(403)
    expect((await admin.get('/api/explain?user=1&model=core.user&id=1&operation=look')).status).toBe(400)
    expect((await admin.get('/api/explain?user=999999&model=core.user&id=1&operation=read')).status).toBe(404)
    expect((await admin.get('/api/explain?user=1&model=no.model&id=1&operation=read')).status).toBe(404)
  })

  test('refuses other users before it validates the question', async () => {
    const answer = await (await host.apiKey('demo')).get('/api/explain?user=x')
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({
      error: { code: 'ACCESS_DENIED', details: { reason: 'group_required' } },
    })
  })

  test('is restricted to the scope of the key', async () => {
    const question = '/api/explain?user=1&model=core.user&id=1&operation=read'
    const ask = async (scope: Readonly<Record<string, unknown>>) =>
      (await (await host.apiKey('admin', { scope })).get(question)).status
    expect(await ask({ models: { 'core.tag': ['*'] } })).toBe(403)
    expect(await ask({ models: { 'core.user': ['read'] } })).toBe(403)
    expect(await ask({ models: { 'core.user': ['explain'] } })).toBe(200)
    expect(await ask({ read_only: true })).toBe(200)
  })
})
