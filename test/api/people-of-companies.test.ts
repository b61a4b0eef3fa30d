import { beforeAll, describe, expect, test } from 'vitest'
import type { Agent, Envelope } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { describeHost } from '../support/hosts.ts'

const JSON_TYPE = { accept: 'application/json', 'content-type': 'application/json' }
const REFUSED = { error: { code: 'ACCESS_DENIED', details: { reason: 'company_access' } } }

describeHost('users of companies that an administrator does not belong to', 'process', (host) => {
  let [local, whole]: Agent[] = []
  let [own, other, group, club] = [0, 0, 0, 0]
  /** Users: the administrator of the first company, its colleague, somebody of the other company, and of both. */
  const ids = { local: 0, near: 0, far: 0, both: 0 }
  let farKey = 0
  beforeAll(async () => {
    ids.local = await hire(host.modules, 'local', ['base.group_system'])
    ids.near = await hire(host.modules, 'near', ['base.group_user'])
    ids.far = await hire(host.modules, 'far', ['base.group_user'])
    ids.both = await hire(host.modules, 'both', ['base.group_user'])
    await host.modules.asSystem(async (env) => {
      const [first] = await env.model('core.company').searchRead([], ['currency_id'], { limit: 1 })
      own = first!.id
      other = await env.model('core.company').create({ name: 'Abroad', currency_id: first!.currency_id[0] })
      const members = [ids.far, ids.both]
      group = await env.model('core.group').create({ name: 'Gardeners', user_ids: members })
      club = await env.model('core.group').create({ name: 'Club' })
      await env.model('core.user').write([ids.far], { company_id: other, company_ids: [other] })
      const [admin] = await env.model('core.user').search([['login', '=', 'admin']])
      await env.model('core.user').write([ids.both, admin!], { company_ids: [own, other] })
      farKey = await env.model('core.api.key').create({ name: 'Theirs', user_id: ids.far })
    })
    local = await host.signIn('local')
    whole = await host.signIn('admin')
  })

  const tell = async (agent: Agent, path: string, body: unknown) =>
    (await (await agent.fetch(path, { method: 'POST', body: JSON.stringify(body) }, JSON_TYPE)).json()) as Envelope
  const key = (user_id: number) => ({ user_id, name: 'Bridge', expires_days: 1, scope: null })

  type ManagingCall = readonly [what: string, open: (agent: Agent, id: number) => Promise<Envelope>]
  const write = (values: (id: number) => object) => (agent: Agent, id: number) =>
    agent.rpc('core.user', 'write', [[id], values(id)])
  const MANAGING_CALLS: readonly ManagingCall[] = [
    ['a key', (agent, id) => tell(agent, '/web/settings/keys', key(id))],
    ['a key of the page', (agent, id) => tell(agent, '/web/action/create_api_key', { user_id: id, name: 'Bridge' })],
    ['a link', (agent, id) => tell(agent, `/web/settings/users/${id}/link`, { by: 'link' })],
    ['a reset link', (agent, id) => tell(agent, '/web/action/reset_password', { user_id: id })],
    ['the end of sessions', (agent, id) => tell(agent, `/web/settings/users/${id}/sessions`, { session: 'all' })],
    ['the login', write((id) => ({ login: `new-${id}` }))],
    ['the address', write((id) => ({ email: `new-${id}@example.com` }))],
    ['the name', write(() => ({ name: 'Renamed' }))],
    ['a group', write(() => ({ group_ids: [[4, group]] }))],
    ['a group taken away', write(() => ({ group_ids: [[3, group]] }))],
    ['a group again', write(() => ({ group_ids: [[4, group]] }))],
    ['a first password', write(() => ({ password: 'violet harbour 42' }))],
    ['a group, from its side', (agent, id) => agent.rpc('core.group', 'write', [[club], { user_ids: [[4, id]] }])],
    ['a new group', (agent, id) => agent.rpc('core.group', 'create', [{ name: `G${id}`, user_ids: [id] }])],
    ['a line', (agent, id) => agent.rpc('core.group', 'write', [[group], { user_ids: [[1, id, { tz: 'UTC' }]] }])],
    ['none of a group', (agent, id) => agent.rpc('core.group', 'write', [[group], { user_ids: [[3, id]] }])],
    [
      'a new company',
      (agent, id) =>
        agent.rpc('core.company', 'create', [
          { name: `C${id}-${agent === whole}`, currency_id: 1, user_ids: [[4, id]] },
        ]),
    ],
    ['an archive', write(() => ({ active: false }))],
    ['no archive', write(() => ({ active: true }))],
    ['a deletion', (agent, id) => agent.rpc('core.user', 'unlink', [[id]])],
  ]

  test.each(MANAGING_CALLS)('are not theirs to manage: %s', async (_what, open) => {
    const members = await host.modules.asSystem((env) =>
      env.model('core.user').read([ids.far, ids.both], ['group_ids']),
    )
    expect(await open(local!, ids.far)).toMatchObject(REFUSED)
    expect(await open(local!, ids.both)).toMatchObject(REFUSED)
    expect(
      await host.modules.asSystem((env) => env.model('core.user').read([ids.far, ids.both], ['group_ids'])),
    ).toEqual(members)
  })

  test('keep their keys', async () => {
    expect(await local!.rpc('core.api.key', 'write', [[farKey], { active: false }])).toMatchObject(REFUSED)
    expect(await local!.rpc('core.api.key', 'unlink', [[farKey]])).toMatchObject(REFUSED)
  })

  describe('and the companies themselves', () => {
    const GRANTS: readonly ManagingCall[] = [
      ['to oneself', (agent) => agent.rpc('core.user', 'write', [[ids.local], { company_ids: [[4, other]] }])],
      ['to a colleague', (agent) => agent.rpc('core.user', 'write', [[ids.near], { company_ids: [[4, other]] }])],
      ['as a new list', (agent) => agent.rpc('core.user', 'write', [[ids.near], { company_ids: [own, other] }])],
      [
        'to a new user',
        (agent) => agent.rpc('core.user', 'create', [{ name: 'N', login: 'n', company_ids: [own, other] }]),
      ],
      ['from its side', (agent) => agent.rpc('core.company', 'write', [[other], { user_ids: [[4, ids.local]] }])],
      [
        'to a new user, from its side',
        (agent) => agent.rpc('core.company', 'write', [[other], { user_ids: [[0, 0, { name: 'N', login: 'n' }]] }]),
      ],
      ['to a user of theirs', (agent) => agent.rpc('core.company', 'write', [[own], { user_ids: [[4, ids.far]] }])],
      [
        'by invitation',
        (agent) =>
          tell(agent, '/web/settings/invite', {
            name: 'N',
            email: 'n@example.com',
            group_ids: [],
            company_ids: [own, other],
            by: 'link',
          }),
      ],
    ]

    test.each(GRANTS)('are not theirs to give: %s', async (_what, open) => {
      expect(await open(local!, 0)).toMatchObject(REFUSED)
    })

    test('an administrator who is not in all companies of a user cannot take the user out of one', async () => {
      for (const company of [own, other])
        expect(await local!.rpc('core.company', 'write', [[company], { user_ids: [[3, ids.both]] }])).toMatchObject(
          REFUSED,
        )
      expect(await local!.rpc('core.user', 'write', [[ids.both], { company_ids: [own] }])).toMatchObject(REFUSED)
    })
  })

  test('an administrator of all companies manages all users', async () => {
    const calls = MANAGING_CALLS.filter(([what]) => what !== 'a deletion')
    for (const [what, open] of calls) expect([what, await open(whole!, ids.near)]).toMatchObject([what, { ok: true }])
    for (const [what, open] of calls) expect([what, await open(whole!, ids.far)]).toMatchObject([what, { ok: true }])
    expect(await whole!.rpc('core.company', 'write', [[other], { user_ids: [[4, ids.near]] }])).toMatchObject({
      ok: true,
    })
    expect(await whole!.rpc('core.user', 'unlink', [[ids.near]])).toMatchObject({ ok: true })
  })

  test('the creator of a company belongs to it and may give it to users at once', async () => {
    const made = await local!.must<number>('core.company', 'create', [
      { name: 'Founded', currency_id: 1, user_ids: [[0, 0, { name: 'First', login: 'first' }]] },
    ])
    const [self] = await local!.must<{ company_ids: number[] }[]>('core.user', 'read', [[ids.local], ['company_ids']])
    expect(self!.company_ids).toContain(made)
    expect(
      await local!.rpc('core.user', 'create', [{ name: 'S', login: 's', company_ids: [own, made] }]),
    ).toMatchObject({
      ok: true,
    })
  })
})
