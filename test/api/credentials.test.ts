import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createResetLink } from '../../kernel/auth/reset.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { describeHost } from '../support/hosts.ts'
import { configuredMailPort } from '../support/mail-port.ts'

const PASSWORD = 'violet harbour 42'
const CONFIRM = { code: 'ACCESS_DENIED', details: { reason: 'confirm_password', confirm: '/web/confirm' } }
const OUT_OF_SCOPE = { code: 'ACCESS_DENIED', details: { reason: 'key_scope' } }

describeHost(
  'credentials of users',
  'process',
  (host) => {
    let userId: number
    let adminId: number
    let groupId: number
    let systemGroup: number
    let companyId: number
    /** A user and a group that a test may delete. */
    let spare: { readonly user: number; readonly group: number }
    beforeAll(async () => {
      await host.modules.asSystem(async (env) => {
        const idOf = async (login: string) => (await env.model('core.user').search([['login', '=', login]]))[0]!
        userId = await idOf('demo')
        adminId = await idOf('admin')
        systemGroup = env.access.groupIdByXmlid.get('base.group_system')!
        groupId = await env.model('core.group').create({ name: 'Gardeners' })
        companyId = await env.model('core.company').create({ name: 'Branch', currency_id: 1 })
        // Administrators give only companies they belong to.
        await env.model('core.user').write([adminId], { password: PASSWORD, company_ids: [[4, companyId]] })
      })
    })
    beforeEach(() =>
      host.modules.asSystem(async (env) => {
        await env.model('core.user').write([userId], { login: 'demo', email: 'demo@example.com' })
        spare = {
          user: await env.model('core.user').create({ name: 'Spare', login: login(), company_id: 1, company_ids: [1] }),
          group: await env.model('core.group').create({ name: 'Spare' }),
        }
        await sql`delete from sys_mail`.execute(env.tx)
      }),
    )

    let made = 0
    const login = () => `new${++made}@example.com`
    type Change = readonly [model: string, method: string, args: () => readonly unknown[]]
    const CHANGES: Readonly<Record<string, Change>> = {
      'the e-mail address': ['core.user', 'write', () => [[userId], { email: login() }]],
      'the login': ['core.user', 'write', () => [[userId], { login: login() }]],
      'the password': ['core.user', 'write', () => [[adminId], { password: `${PASSWORD}!` }]],
      'the groups': ['core.user', 'write', () => [[userId], { group_ids: [[4, groupId]] }]],
      'the companies': ['core.user', 'write', () => [[userId], { company_ids: [[4, companyId]] }]],
      'an archived user': ['core.user', 'write', () => [[spare.user], { active: false }]],
      'a user who is active again': ['core.user', 'write', () => [[spare.user], { active: true }]],
      'a new user': ['core.user', 'create', () => [{ name: 'New', login: login() }]],
      'a new user with a password': [
        'core.user',
        'create',
        () => [{ name: 'New', login: login(), password: PASSWORD }],
      ],
      'a new user with groups': [
        'core.user',
        'create',
        () => [{ name: 'New', login: login(), group_ids: [[6, 0, [systemGroup]]] }],
      ],
      'a user changed through its company': [
        'core.company',
        'write',
        () => [[1], { user_ids: [[1, userId, { email: login() }]] }],
      ],
      'a user made with a company': [
        'core.company',
        'create',
        () => [{ name: login(), currency_id: 1, user_ids: [[0, 0, { name: 'New', login: login() }]] }],
      ],
      'the users of a company': ['core.company', 'write', () => [[companyId], { user_ids: [[4, spare.user]] }]],
      'the users of a new company': [
        'core.company',
        'create',
        () => [{ name: login(), currency_id: 1, user_ids: [[4, userId]] }],
      ],
      'the members of a group': ['core.group', 'write', () => [[groupId], { user_ids: [[4, userId]] }]],
      'what a group implies': ['core.group', 'write', () => [[groupId], { implied_ids: [[4, systemGroup]] }]],
      'what implies a group': ['core.group', 'write', () => [[systemGroup], { implied_by_ids: [[4, groupId]] }]],
      'a new group with members': ['core.group', 'create', () => [{ name: 'Mine', user_ids: [userId] }]],
      'an access line': [
        'sys.access',
        'create',
        () => [{ name: 'Mine', model: 'core.group', group_id: groupId, perm_read: true }],
      ],
      'an access line made with its group': [
        'core.group',
        'write',
        () => [[groupId], { access_ids: [[0, 0, { name: 'Mine', model: 'core.tag', perm_read: true }]] }],
      ],
      'a record rule': ['sys.rule', 'create', () => [{ name: 'Mine', model: 'core.tag', domain: '[]' }]],
      'the rules of a group': [
        'core.group',
        'write',
        () => [[groupId], { rule_ids: [[0, 0, { name: 'Mine', model: 'core.tag', domain: '[]' }]] }],
      ],
      'a group of somebody that goes away': ['core.group', 'unlink', () => [[spare.group]]],
      'a user who goes away': ['core.user', 'unlink', () => [[spare.user]]],
    }

    /** The rows that a change of credentials touches. */
    const state = async () => {
      const { rows } = await sql`
        select (select json_agg(g order by id) from (select id from core_group) g) as all_groups,
          (select json_agg(c order by id) from (select id from core_company) c) as companies,
          (select json_agg(r order by source_id, target_id) from core_user_company_ids_rel r) as members,
          (select json_agg(u order by id) from (select id, login, email, active from core_user) u) as users,
          (select json_agg(r order by source_id, target_id) from core_user_group_ids_rel r) as groups,
          (select json_agg(r order by source_id, target_id) from core_group_implied_ids_rel r) as implied,
          (select json_agg(c order by user_id) from sys_credential c) as passwords,
          (select json_agg(k order by id) from (select id, active from core_api_key) k) as keys,
          (select json_agg(a order by id) from sys_access a) as lines,
          (select json_agg(r order by id) from sys_rule r) as rules,
          (select count(*) from sys_mail) as mails`.execute(host.database.db)
      return JSON.stringify(rows)
    }
    const age = () => sql`update sys_session set reauth_at = now() - interval '11 minutes'`.execute(host.database.db)

    async function expectRefused(agent: Agent, refusal: object): Promise<void> {
      const before = await state()
      for (const [what, [model, method, args]] of Object.entries(CHANGES)) {
        expect([what, (await agent.rpc(model, method, args())).error]).toMatchObject([what, refusal])
      }
      expect(await state()).toBe(before)
    }

    async function expectAllowed(agent: () => Promise<Agent>): Promise<void> {
      for (const [what, [model, method, args]] of Object.entries(CHANGES)) {
        expect([what, await (await agent()).rpc(model, method, args())]).toMatchObject([what, { ok: true }])
      }
    }

    test('are not changed by a session whose password was entered too long ago', async () => {
      const admin = await host.signIn('admin')
      await age()
      await expectRefused(admin, CONFIRM)
    })

    test('are changed by a session that has just entered the password', () => expectAllowed(() => host.signIn('admin')))

    test('are changed after the password was entered again', async () => {
      await host.modules.asSystem((env) => env.model('core.user').write([adminId], { password: PASSWORD }))
      const admin = await host.signIn('admin')
      await age()
      const change = () => admin.rpc('core.user', 'write', [[userId], { email: 'other@example.com' }])
      expect((await change()).error).toMatchObject(CONFIRM)
      expect((await admin.submit('/web/confirm', { password: PASSWORD }, { accept: 'application/json' })).status).toBe(
        200,
      )
      expect(await change()).toMatchObject({ ok: true })
    })

    test.each([
      ['without a scope', undefined],
      ['for every model', { models: { '*': ['*'] } }],
      ['that says no', { credentials: false }],
    ])('are not changed by a key %s', async (_what, scope) => {
      await expectRefused(await host.apiKey('admin', scope && { scope }), OUT_OF_SCOPE)
    })

    test('are changed by a key whose scope says so', () =>
      expectAllowed(() => host.apiKey('admin', { scope: { credentials: true } })))

    test('of the caller are protected like those of others, and harmless preferences are not', async () => {
      const demo = await host.signIn('demo')
      await age()
      expect((await demo.rpc('core.user', 'write', [[userId], { email: 'mine@example.com' }])).error).toMatchObject(
        CONFIRM,
      )
      for (const agent of [demo, await host.apiKey('demo')]) {
        const values = { lang: 'en', tz: 'Europe/Berlin', signature: '<p>Demo</p>' }
        expect(await agent.rpc('core.user', 'write', [[userId], values])).toMatchObject({ ok: true })
      }
    })

    test('API keys are revoked and deleted under the same rule', async () => {
      const { keyId } = await host.apiKey('demo')
      const admin = await host.signIn('admin')
      await age()
      const before = await state()
      const calls = [
        ['write', [[keyId], { active: false }]],
        ['call', [keyId, 'action_revoke']],
        ['unlink', [[keyId]]],
      ] as const
      for (const [method, args] of calls)
        expect((await admin.rpc('core.api.key', method, args)).error).toMatchObject(CONFIRM)
      expect(await state()).toBe(before)
      const key = await host.apiKey('admin')
      for (const [method, args] of calls)
        expect((await key.rpc('core.api.key', method, args)).error).toMatchObject(OUT_OF_SCOPE)
      const fresh = await host.signIn('admin')
      for (const [method, args] of calls)
        expect(await fresh.rpc('core.api.key', method, args)).toMatchObject({ ok: true })
    })

    test('creating a company or group without members needs no right to change credentials', async () => {
      const key = await host.apiKey('admin')
      expect(await key.rpc('core.company', 'create', [{ name: 'Empty', currency_id: 1 }])).toMatchObject({ ok: true })
      expect(await key.rpc('core.group', 'create', [{ name: 'Empty' }])).toMatchObject({ ok: true })
    })

    test('are not the address of the partner: mails about the account go to that of the user', async () => {
      const admin = await host.signIn('admin')
      await age()
      const [user] = await admin.must<{ partner_id: [number, string] }[]>('core.user', 'read', [
        [userId],
        ['partner_id'],
      ])
      await admin.must('core.partner', 'write', [[user!.partner_id[0]], { email: 'thief@example.com' }])
      await host.anonymous().fill('/web/forgot', { login: 'demo' })
      await expect.poll(mails).toEqual([{ to_address: 'demo@example.com', subject: 'Choose a new password' }])
    })

    test('of an invited user: requesting a new password mails a link and does not change the invitation', async () => {
      const id = await hire(host.modules, 'invited', ['base.group_user'])
      await sql`update core_user set email = 'invited@example.com' where id = ${id}`.execute(host.database.db)
      const invite = () => host.modules.asSystem((env) => createResetLink(env, id, { isInvitation: true }))
      const invitation = await invite()
      const before = await invitations(id)
      const visitor = host.anonymous()
      for (const _twice of [1, 2]) {
        const had = (await mails()).length
        await visitor.fill('/web/forgot', { login: 'invited' })
        await expect.poll(async () => (await mails()).length).toBe(had + 1)
      }
      expect(new Set((await mails()).map(({ to_address }) => to_address))).toEqual(new Set(['invited@example.com']))
      expect(await invitations(id)).toEqual(before)
      const open = async (link: string) =>
        (await visitor.get(link.slice(link.indexOf('/web/reset')), { accept: 'text/html' })).status
      expect(await open(invitation)).toBe(200)
      // What an administrator sends replaces both.
      const admin = await host.signIn('admin')
      expect((await admin.submit('/web/action/reset_password', { user_id: String(id) })).status).toBe(303)
      expect(await open(invitation)).toBe(404)

      const again = await invite()
      const token = new URL(again).searchParams.get('token')!
      const mailed = await host.modules.asSystem((env) => createResetLink(env, id))
      expect([await open(again), await open(mailed)]).toEqual([200, 200])
      expect((await visitor.fill(`/web/reset?token=${token}`, { token, password: 'violet harbour 42' })).status).toBe(
        303,
      )
      expect([await open(again), await open(mailed)]).toEqual([404, 404])
      // The trail names who had the link, not the service.
      const { rows } = await sql`
        select actor_number, actor = subject as is_own, detail, address is not null as has_address
        from sys_audit where kind = 'password_changed' order by id desc limit 1`.execute(host.database.db)
      expect(rows).toEqual([{ actor_number: id, is_own: true, detail: 'link', has_address: true }])
    })

    const invitations = async (id: number) =>
      (await sql`select * from sys_reset where user_id = ${id} and invited_at is not null`.execute(host.database.db))
        .rows

    const mails = async () => {
      const { rows } = await sql<{ to_address: string; subject: string }>`
        select to_address, subject from sys_mail order by id`.execute(host.database.db)
      return rows
    }

    describe('that change', () => {
      const subject = 'Your login or e-mail address was changed'

      test.each([
        ['e-mail address', { email: 'thief@example.com' }],
        ['login', { login: 'thief' }],
      ])('are told to the old address: %s', async (_what, values) => {
        await (await host.signIn('admin')).must('core.user', 'write', [[userId], values])
        expect(await mails()).toEqual([{ to_address: 'demo@example.com', subject }])
      })

      test.each([
        ['e-mail address', { email: 'other@example.com' }],
        ['login', { login: 'other' }],
      ])('end the links mailed to the old address: %s', async (_what, values) => {
        const links = async () =>
          (await sql`select from sys_reset where user_id = ${userId}`.execute(host.database.db)).rows
        await host.modules.asSystem((env) => createResetLink(env, userId))
        expect(await links()).toHaveLength(1)
        await (await host.signIn('admin')).must('core.user', 'write', [[userId], values])
        expect(await links()).toEqual([])
      })

      test('are mailed to the user: a password replaced by another', async () => {
        const admin = await host.signIn('admin')
        await sql`update core_user set email = 'admin@example.com' where id = ${adminId}`.execute(host.database.db)
        await admin.must('core.user', 'write', [[adminId], { password: `${PASSWORD}?` }])
        expect(await mails()).toEqual([{ to_address: 'admin@example.com', subject: 'Your password was changed' }])
      })

      test('are not mailed when the value stays the same', async () => {
        await (await host.signIn('admin')).must('core.user', 'write', [[userId], { email: 'demo@example.com' }])
        expect(await mails()).toEqual([])
      })
    })
  },
  { mail: configuredMailPort() },
)
