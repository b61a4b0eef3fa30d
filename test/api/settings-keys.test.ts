import { beforeAll, expect, test } from 'vitest'
import type { WireApiKeys, WireKeyModels, WireNewApiKey } from '../../kernel/admin/wire-keys.ts'
import type { Agent, Envelope } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { describeHost } from '../support/hosts.ts'

const JSON_TYPE = { accept: 'application/json', 'content-type': 'application/json' }

describeHost('the page of API keys', 'process', (host) => {
  let admin: Agent
  let demoId: number
  beforeAll(async () => {
    admin = await host.signIn('admin')
    const [demo] = await admin.must<[{ id: number }]>('core.user', 'search_read', [[['login', '=', 'demo']], ['login']])
    demoId = demo.id
  })

  const ask = async <T>(agent: Agent, path = ''): Promise<T> =>
    ((await (await agent.get(`/web/settings/keys${path}`, JSON_TYPE)).json()) as Envelope).result as T
  const make = async (agent: Agent, body: object): Promise<{ readonly status: number; readonly answer: Envelope }> => {
    const response = await agent.fetch('/web/settings/keys', { method: 'POST', body: JSON.stringify(body) }, JSON_TYPE)
    return { status: response.status, answer: (await response.json()) as Envelope }
  }
  const input = (more: object = {}) => ({
    user_id: demoId,
    name: 'Bridge',
    expires_days: 90,
    scope: { models: { 'core.partner': ['search', 'search_read', 'read', 'read_group', 'onchange'] } },
    ...more,
  })
  const made = async (more: object = {}): Promise<WireNewApiKey> =>
    (await make(admin, input(more))).answer.result as WireNewApiKey

  test('a new key does what its scope says, and is never shown again', async () => {
    const { key, id, owner } = await made()
    const program = host.anonymous().with({ 'x-api-key': key })
    expect((await program.rpc('core.partner', 'search_read', [[], ['name']], { limit: 1 })).ok).toBe(true)
    expect(await program.rpc('core.tag', 'search', [[]])).toMatchObject({ error: { code: 'ACCESS_DENIED' } })
    expect(await program.rpc('core.partner', 'create', [{ name: 'No' }])).toMatchObject({
      error: { code: 'ACCESS_DENIED' },
    })
    const { keys } = await ask<WireApiKeys>(admin)
    expect(keys.find((each) => each.id === id)).toMatchObject({
      name: 'Bridge',
      owner: { id: demoId, name: owner },
      active: true,
      scope: { isWhole: false, credentials: false, models: [{ model: 'core.partner', rights: ['read'] }] },
    })
    expect(JSON.stringify(keys)).not.toContain(key)
  })

  test('models are offered with the rights that the owner has', async () => {
    const { models, methods } = await ask<WireKeyModels>(admin, `/models?user=${demoId}`)
    const rightsOf = (name: string) => models.find(({ model }) => model === name)?.rights
    expect(rightsOf('core.partner')).toEqual(['read', 'write', 'create'])
    expect(rightsOf('sys.cron')).toBeUndefined()
    expect(methods.write).toEqual(['write', 'write_many'])
    const scope = { models: { 'core.partner': Object.values(methods).flat() } }
    expect((await make(admin, input({ scope }))).status).toBe(200)
  })

  test('a user sees and revokes only their own keys, and a revoked key is listed last', async () => {
    await hire(host.modules, 'owner', ['base.group_user'])
    const owner = await host.signIn('owner')
    expect(await ask<WireApiKeys>(owner)).toMatchObject({ keys: [], owners: [{ name: 'owner' }] })
    const [{ id: user_id }] = await admin.must<[{ id: number }]>('core.user', 'search_read', [
      [['login', '=', 'owner']],
      ['login'],
    ])
    const [first, second] = [await made({ user_id }), await made({ user_id, scope: null, name: 'Whole' })]
    const { keys } = await ask<WireApiKeys>(owner)
    expect(keys.map(({ id }) => id)).toEqual([second.id, first.id])
    expect(keys[0]!.scope).toEqual({ isWhole: true, isReadOnly: false, credentials: false, models: [] })
    await owner.must('core.api.key', 'write', [[second.id], { active: false }])
    expect((await ask<WireApiKeys>(owner)).keys.map(({ id, active }) => [id, active])).toEqual([
      [first.id, true],
      [second.id, false],
    ])
    expect((await host.anonymous().with({ 'x-api-key': second.key }).rpc('core.tag', 'search', [[]])).ok).toBe(false)
  })

  test('only administrators make keys of others, only after a recent password, and no key does', async () => {
    await hire(host.modules, 'elsewhere', ['base.group_user', 'library.group_librarian'])
    const others = [await host.signIn('demo'), await host.signIn('elsewhere')]
    for (const agent of others) {
      expect((await make(agent, input())).status).toBe(403)
      expect((await agent.get(`/web/settings/keys/models?user=${demoId}`, JSON_TYPE)).status).toBe(403)
    }
    const program = await host.apiKey('admin', { scope: { credentials: true } })
    expect((await make(program, input())).status).toBe(401)
    expect((await program.get('/web/settings/keys', JSON_TYPE)).status).toBe(401)
    const stale = await host.signIn('admin')
    await host.database.db.updateTable('sys_session').set({ reauth_at: null }).execute()
    expect((await make(stale, input())).answer).toMatchObject({ error: { details: { reason: 'confirm_password' } } })
    admin = await host.signIn('admin')
  })

  test('a user can create their own key after a recent password, not one for others nor for credentials', async () => {
    await hire(host.modules, 'maker', ['base.group_user'])
    const maker = await host.signIn('maker')
    const own = async (agent: Agent, more: object = {}) => {
      const { user_id: _, ...body } = input(more)
      const sent = { method: 'POST', body: JSON.stringify({ ...body, ...more }) }
      const response = await agent.fetch('/web/account/keys', sent, JSON_TYPE)
      return { status: response.status, answer: (await response.json()) as Envelope }
    }
    const offered = (await (await maker.get('/web/account/keys', JSON_TYPE)).json()) as Envelope
    expect((offered.result as WireKeyModels).models.map(({ model }) => model)).not.toContain('sys.cron')
    expect((await own(maker, { user_id: demoId })).answer).toMatchObject({ error: { code: 'BAD_REQUEST' } })
    const { key, id } = (await own(maker)).answer.result as WireNewApiKey
    expect((await ask<WireApiKeys>(maker)).keys).toMatchObject([{ id, owner: { name: 'maker' } }])
    const program = host.anonymous().with({ 'x-api-key': key })
    expect((await program.rpc('core.partner', 'search', [[]])).ok).toBe(true)
    expect((await own(program)).status).toBe(401)
    for (const scope of [{ credentials: true }, { models: { 'core.user': ['write'] }, credentials: true }])
      expect((await own(maker, { scope })).answer).toMatchObject({ error: { code: 'ACCESS_DENIED' } })
    await host.database.db.updateTable('sys_session').set({ reauth_at: null }).execute()
    expect((await own(maker)).answer).toMatchObject({ error: { details: { reason: 'confirm_password' } } })
    admin = await host.signIn('admin')
  })

  test('a user has fifty keys at most, and a user who may not see keys cannot create one', async () => {
    await hire(host.modules, 'collector', ['base.group_user'])
    await hire(host.modules, 'stranger', [])
    const post = async (login: string) => {
      const { user_id: _, ...body } = input()
      const agent = await host.signIn(login)
      return agent.fetch('/web/account/keys', { method: 'POST', body: JSON.stringify(body) }, JSON_TYPE)
    }
    await host.modules.asSystem(async (env) => {
      const [user_id] = await env.model('core.user').search([['login', '=', 'collector']])
      const keys = Array.from({ length: 50 }, (_, at) => ({ name: `Key ${at}`, user_id: user_id! }))
      await env.model('core.api.key').createMany(keys, { setsReadonly: true })
    })
    const refused = await post('collector')
    expect([refused.status, (await refused.json()).error.details]).toEqual([
      400,
      { reason: 'limit_exceeded', limit: 50 },
    ])
    expect((await post('stranger')).status).toBe(403)
    const { keys, total } = await ask<WireApiKeys>(admin, '?q=Key+7')
    expect([keys.map(({ name }) => name), total]).toEqual([['Key 7'], 1])
  })

  test('problems of the input are answered by field', async () => {
    for (const [more, code] of [
      [{ name: ' ' }, 'BAD_REQUEST'],
      [{ name: '\u200b' }, 'BAD_REQUEST'],
      [{ name: 'two\nlines' }, 'BAD_REQUEST'],
      [{ name: 'a\u001b[2J' }, 'BAD_REQUEST'],
      [{ name: 'a\u202eb' }, 'BAD_REQUEST'],
      [{ expires_days: 366 }, 'BAD_REQUEST'],
      [{ expires_days: 0 }, 'BAD_REQUEST'],
      [{ scope: { models: { 'no.model': ['read'] } } }, 'VALIDATION'],
      [{ scope: { models: { 'core.partner': ['fly'] } } }, 'VALIDATION'],
      [{ user_id: 999_999 }, 'NOT_FOUND'],
    ] as const)
      expect((await make(admin, input(more))).answer, JSON.stringify(more)).toMatchObject({ error: { code } })
  })
})
