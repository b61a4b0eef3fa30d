import { beforeAll, describe, expect, test } from 'vitest'
import type { WireHandOver, WireInvited, WirePeople, WirePersonDetails } from '../../kernel/admin/wire-people.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent, Envelope } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { describeHost } from '../support/hosts.ts'

const JSON_TYPE = { accept: 'application/json', 'content-type': 'application/json' }

const ask = async <T>(agent: Agent, path: string): Promise<T> => {
  const response = await agent.get(path, { accept: 'application/json' })
  const { result, error } = (await response.json()) as Envelope
  if (error) throw new Error(`${path}: ${error.code} ${error.message}`)
  return result as T
}

const tell = async (agent: Agent, path: string, body: unknown): Promise<Envelope> => {
  const response = await agent.fetch(path, { method: 'POST', body: JSON.stringify(body) }, JSON_TYPE)
  return (await response.json()) as Envelope
}

describeHost('the user administration', 'process', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
  })

  test('lists users with roles of each app as one choice', async () => {
    const { people, roles, companies, counts } = await ask<WirePeople>(admin, '/web/settings/users')
    expect(people.map(({ login }) => login)).toEqual(expect.arrayContaining(['admin', 'demo', 'guest']))
    expect(counts.active).toBe(people.length)
    expect(counts.unseen).toBe(people.filter(({ seenAt }) => seenAt === null).length)
    const general = roles.apps.find(({ module }) => module === 'base')!
    expect(general.roles.map(({ name }) => name)).toEqual(['User', 'Administrator'])
    const library = roles.apps.find(({ module }) => module === 'library')!
    const [reader, librarian] = library.roles
    expect(roles.includes[librarian!.id]).toEqual(expect.arrayContaining([reader!.id, general.roles[0]!.id]))
    expect(companies.length).toBeGreaterThan(0)
    const found = await ask<WirePeople>(admin, '/web/settings/users?q=DEM')
    expect(found.people.map(({ login }) => login)).toContain('demo')
    expect(found.people.map(({ login }) => login)).not.toContain('guest')
  })

  test('shows when each user was last active', async () => {
    await hire(host.modules, 'late', ['base.group_user'])
    const seen = async () => {
      const { people } = await ask<WirePeople>(admin, '/web/settings/users?q=late')
      return people[0]!.seenAt
    }
    expect(await seen()).toBeNull()
    await host.signIn('late')
    expect(Date.now() - Date.parse((await seen())!)).toBeLessThan(60_000)
    await sql`delete from sys_session where user_id = (select id from core_user where login = 'late')`.execute(
      host.database.db,
    )
    expect(await seen()).not.toBeNull()
  })

  test('an invitation is a user and a link that sets the first password, once', async () => {
    const { companies, roles } = await ask<WirePeople>(admin, '/web/settings/users')
    const role = roles.apps.find(({ module }) => module === 'library')!.roles[0]!
    const body = {
      name: 'Ines Barros',
      email: 'ines@example.com',
      group_ids: [role.id],
      company_ids: [companies[0]!.id],
      by: 'link',
    }
    const { result } = await tell(admin, '/web/settings/invite', body)
    const { id, link, mailed } = result as WireInvited
    expect([mailed, link]).toEqual([false, expect.stringContaining('/web/reset?token=')])
    const { people } = await ask<WirePeople>(admin, '/web/settings/users?q=ines')
    expect(people[0]).toMatchObject({ id, groupIds: [role.id], invitation: { state: 'sent' } })

    const path = link!.slice(link!.indexOf('/web/reset'))
    const guest = host.anonymous()
    const shown = await (await guest.get(path, { accept: 'text/html', 'accept-language': 'de' })).text()
    expect(shown).toContain('Sie sind zu My Company eingeladen. Ihr Login ist ines@example.com.')
    const answer = await guest.fill(path, { token: path.split('token=')[1]!, password: 'violet harbour 42' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/web/home'])
    expect((await guest.get('/web/home', { accept: 'text/html' })).status).toBe(200)
    expect((await ask<WirePersonDetails>(admin, `/web/settings/users/${id}`)).person.invitation).toBeNull()
    expect((await guest.get(path)).status).toBe(404)

    expect(await tell(admin, '/web/settings/invite', body)).toMatchObject({ error: { code: 'CONFLICT' } })
    expect(await tell(admin, '/web/settings/invite', { ...body, email: 'x@example.com', by: 'mail' })).toMatchObject({
      error: { code: 'VALIDATION', details: { fields: { email: expect.stringContaining('link') } } },
    })
    expect((await ask<WirePeople>(admin, '/web/settings/users?q=x@example')).total).toBe(0)
  })

  test('a new user has the language and time zone of the inviting administrator until they choose their own', async () => {
    const chief = await hire(host.modules, 'berliner', ['base.group_system'])
    await host.modules.asSystem((env) => env.model('core.user').write([chief], { lang: 'de', tz: 'Europe/Berlin' }))
    const inviter = await host.signIn('berliner')
    const { companies } = await ask<WirePeople>(inviter, '/web/settings/users')
    const body = { name: 'Uwe', email: 'uwe@example.com', group_ids: [], company_ids: [companies[0]!.id], by: 'link' }
    const { id } = (await tell(inviter, '/web/settings/invite', body)).result as WireInvited
    expect(await admin.must('core.user', 'read', [[id], ['lang', 'tz']])).toMatchObject([
      { lang: 'de', tz: 'Europe/Berlin' },
    ])
  })

  test('an invitation that has expired is kept, and another one replaces it', async () => {
    const id = await hire(host.modules, 'slow', ['base.group_user'])
    const state = async () =>
      (await ask<WirePersonDetails>(admin, `/web/settings/users/${id}`)).person.invitation?.state
    expect(await state()).toBe('none')
    await tell(admin, `/web/settings/users/${id}/link`, { by: 'link' })
    expect(await state()).toBe('sent')
    await sql`update sys_reset set expires_at = now() - interval '1 day' where user_id = ${id}`.execute(
      host.database.db,
    )
    expect(await state()).toBe('expired')
    await tell(admin, `/web/settings/users/${id}/link`, { by: 'link' })
    expect(await state()).toBe('sent')
  })

  test('sessions of others are listed and ended', async () => {
    const id = await hire(host.modules, 'worker', ['base.group_user'])
    const [one, two] = [await host.signIn('worker'), await host.signIn('worker')]
    const details = await ask<WirePersonDetails>(admin, `/web/settings/users/${id}`)
    expect(details.sessions).toHaveLength(2)
    await tell(admin, `/web/settings/users/${id}/sessions`, { session: details.sessions[0]!.id })
    const open = async () =>
      Promise.all([one, two].map(async (agent) => (await agent.rpc('core.tag', 'search', [[]])).ok))
    expect((await open()).filter(Boolean)).toHaveLength(1)
    const told = await admin.must<unknown[]>('sys.audit', 'search_read', [
      [['subject', '=', 'worker']],
      ['kind', 'actor'],
    ])
    expect(told[0]).toMatchObject({ kind: 'session_ended', actor: 'admin' })
    await tell(admin, `/web/settings/users/${id}/sessions`, { session: 'all' })
    expect(await open()).toEqual([false, false])
  })
})

describeHost('leaving', 'process', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
  })

  test('the records of a user go to others, keys and sessions end, and activating the user again restores none of it', async () => {
    const id = await hire(host.modules, 'leaver', ['base.group_user', 'library.group_librarian'])
    const heir = await hire(host.modules, 'heir', ['base.group_user', 'library.group_librarian'])
    const stranger = await hire(host.modules, 'stranger', ['base.group_user'])
    const loans = await host.modules.asSystem(async (env) => {
      const borrower_id = await env.model('core.partner').create({ name: 'Borrower' })
      return env.model('library.loan').createMany([1, 2].map(() => ({ borrower_id, user_id: id })))
    })
    const [session, key] = [await host.signIn('leaver'), await host.apiKey('leaver')]
    const preview = await ask<WireHandOver>(admin, `/web/settings/users/${id}/handover`)
    expect(preview).toMatchObject({ sessions: 1, keys: [{ id: key.keyId }] })
    const [item] = preview.items
    expect(item).toMatchObject({ key: 'library.loan.user_id', count: loans.length, elsewhere: 0, mayBeNobody: true })
    expect(item!.takers).toContain(heir)
    expect(item!.takers).not.toContain(stranger)
    expect(item!.takers).not.toContain(id)

    for (const takers of [
      { 'library.loan.user_id': stranger },
      { 'library.loan.user_id': id },
      { 'library.loan.user_id': 999_999 },
      { 'core.api.key.user_id': heir },
    ]) {
      const refused = await tell(admin, `/web/settings/users/${id}/deactivate`, { takers })
      expect(refused, JSON.stringify(takers)).toMatchObject({ ok: false, error: { code: 'VALIDATION' } })
    }
    expect((await session.rpc('core.tag', 'search', [[]])).ok).toBe(true)

    const takers = { 'library.loan.user_id': heir }
    expect(await tell(admin, `/web/settings/users/${id}/deactivate`, { takers })).toMatchObject({
      result: { moved: loans.length },
    })
    const read = await admin.must<{ user_id: [number, string] }[]>('library.loan', 'read', [loans, ['user_id']])
    expect(read.map(({ user_id }) => user_id[0])).toEqual(loans.map(() => heir))
    await admin.must('core.user', 'write', [[id], { active: true }])
    expect((await session.rpc('core.tag', 'search', [[]])).ok).toBe(false)
    expect((await key.rpc('core.tag', 'search', [[]])).ok).toBe(false)
  })

  test('archiving a user by an ordinary write ends keys, sessions and links for good as well', async () => {
    const id = await hire(host.modules, 'filed', ['base.group_user'])
    const [session, key] = [await host.signIn('filed'), await host.apiKey('filed')]
    const { result } = await tell(admin, `/web/settings/users/${id}/link`, { by: 'link' })
    const { pathname, search } = new URL((result as { link: string }).link)
    expect((await host.anonymous().get(pathname + search)).status).toBe(200)

    await admin.must('core.user', 'write', [[id], { active: false }])
    await admin.must('core.user', 'write', [[id], { active: true }])
    for (const agent of [session, key])
      expect(await agent.rpc('core.tag', 'search', [[]])).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
    expect((await host.anonymous().get(pathname + search)).status).toBe(404)
    const revoked = await admin.must('core.api.key', 'read', [[key.keyId], ['active']])
    expect(revoked).toMatchObject([{ active: false }])
    const told = await admin.must<unknown[]>('sys.audit', 'search', [
      [
        ['kind', '=', 'key_revoked'],
        ['detail', 'like', 'filed'],
      ],
    ])
    expect(told).toHaveLength(1)
  })

  test('if a user would get records they could not work with, nothing is handed over', async () => {
    const roles = ['base.group_user', 'library.group_librarian']
    const [id, here, both, reader] = [
      await hire(host.modules, 'mover', roles),
      await hire(host.modules, 'here', roles),
      await hire(host.modules, 'both', roles),
      await hire(host.modules, 'reader', ['base.group_user', 'library.group_user']),
    ]
    const self = await admin.must<{ company_id: [number] }[]>('core.user', 'read', [[here], ['company_id']])
    const own = self[0]!.company_id[0]
    const other = await host.modules.asSystem(async (env) => {
      const [row] = await env.model('core.company').read([own], ['currency_id'])
      const company = await env.model('core.company').create({ name: 'Elsewhere', currency_id: row!.currency_id[0] })
      const [user] = await env.model('core.user').search([['login', '=', 'admin']])
      await env.model('core.user').write([user!, both], { company_ids: [[4, company]] })
      const borrower_id = await env.model('core.partner').create({ name: 'Borrower of both' })
      await env
        .model('library.loan')
        .createMany([own, company, company].map((company_id) => ({ borrower_id, company_id, user_id: id })))
      return company
    })
    const path = `/web/settings/users/${id}`
    const key = 'library.loan.user_id'
    const { items } = await ask<WireHandOver>(admin, `${path}/handover`)
    expect(items).toMatchObject([{ key, count: 3 }])
    expect(items[0]!.takers).toContain(both)
    expect(items[0]!.takers).not.toContain(here)

    expect(await tell(admin, `${path}/deactivate`, { takers: { [key]: here } })).toMatchObject({
      error: { code: 'VALIDATION', details: { fields: { [key]: expect.stringContaining('2 of these 3 records') } } },
    })
    const [person] = await admin.must<{ active: boolean }[]>('core.user', 'read', [[id], ['active']])
    expect(person).toMatchObject({ active: true })
    expect((await ask<WireHandOver>(admin, `${path}/handover`)).items).toMatchObject([{ key, count: 3 }])

    await host.modules.asSystem((env) => env.model('core.user').write([reader], { company_ids: [[4, other]] }))
    expect(await tell(admin, `${path}/deactivate`, { takers: { [key]: both } })).toMatchObject({ result: { moved: 3 } })
    // The rule reads who holds the record, so it is checked after the record has got its new user.
    expect(await tell(admin, `/web/settings/users/${both}/deactivate`, { takers: { [key]: reader } })).toMatchObject({
      result: { moved: 3 },
    })
  })

  test('an administrator makes no reset link for a user of companies that are not theirs', async () => {
    const id = await hire(host.modules, 'abroad', ['base.group_user'])
    const link = async () => [
      await tell(admin, `/web/settings/users/${id}/link`, { by: 'link' }),
      await tell(admin, '/web/action/reset_password', { user_id: id }),
    ]
    expect(await link()).toMatchObject([{ ok: true }, { ok: true }])
    await host.modules.asSystem(async (env) => {
      const [row] = await env.model('core.company').searchRead([], ['currency_id'], { limit: 1 })
      const company = await env.model('core.company').create({ name: 'Abroad', currency_id: row!.currency_id[0] })
      await env.model('core.user').write([id], { company_ids: [[4, company]] })
    })
    const refused = { error: { code: 'ACCESS_DENIED', details: { reason: 'company_access' } } }
    expect(await link()).toMatchObject([refused, refused])
  })

  test('the last administrator cannot be deactivated, and no user can deactivate themselves', async () => {
    const { people } = await ask<WirePeople>(admin, '/web/settings/users?q=admin')
    const self = people.find(({ login }) => login === 'admin')!
    const answer = await tell(admin, `/web/settings/users/${self.id}/deactivate`, { takers: {} })
    expect(answer).toMatchObject({ ok: false })
  })
})

describe('the routes', () => {
  describeHost('of the user administration', 'process', (host) => {
    test('are refused to all but administrators who entered their password recently', async () => {
      const [guest, demo, admin] = [host.anonymous(), await host.signIn('demo'), await host.signIn('admin')]
      const key = await host.apiKey('admin')
      const id = await hire(host.modules, 'target', ['base.group_user'])
      const reads = ['/web/settings/users', `/web/settings/users/${id}`, `/web/settings/users/${id}/handover`]
      const posts: readonly (readonly [string, unknown])[] = [
        ['/web/settings/invite', { name: 'X', email: 'y@example.com', group_ids: [], company_ids: [1], by: 'link' }],
        [`/web/settings/users/${id}/deactivate`, { takers: {} }],
        [`/web/settings/users/${id}/link`, { by: 'link' }],
        [`/web/settings/users/${id}/sessions`, { session: 'all' }],
      ]
      for (const path of reads) {
        for (const [agent, status] of [
          [guest, 401],
          [key, 401],
          [demo, 403],
        ] as const)
          expect([path, (await agent.get(path, { accept: 'application/json' })).status]).toEqual([path, status])
      }
      const page = await demo.get('/web/settings/users', { accept: 'text/html' })
      expect(page.status).toBe(403)
      for (const [path, body] of posts) {
        expect(await tell(demo, path, body)).toMatchObject({ error: { details: { reason: 'group_required' } } })
        expect(await tell(key, path, body)).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
        expect(await tell(admin.with({ 'x-csrf-token': 'no' }), path, body)).toMatchObject({ error: { code: 'CSRF' } })
      }
      await sql`update sys_session set reauth_at = now() - interval '1 hour'`.execute(host.database.db)
      for (const [path, body] of posts)
        expect(await tell(admin, path, body)).toMatchObject({ error: { details: { reason: 'confirm_password' } } })
      for (const path of [`/web/settings/users/999999`, '/web/settings/users/999999/handover'])
        expect((await admin.get(path, { accept: 'application/json' })).status).toBe(404)
      expect((await admin.get('/web/settings/users/abc', { accept: 'application/json' })).status).toBe(400)
    })
  })
})
