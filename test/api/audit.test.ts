import { beforeAll, expect, test } from 'vitest'
import type { WireNewApiKey } from '../../kernel/admin/wire-keys.ts'
import { OWN_REQUEST } from '../../kernel/own-request.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent, Envelope } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'

const JSON_TYPE = { accept: 'application/json', 'content-type': 'application/json' }

interface Entry {
  readonly kind: string
  readonly actor: string | null
  readonly subject: string | null
  readonly detail: string | null
  readonly address: string | null
}

describeHost('the audit trail', 'process', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
  })

  /** Lines since the last call, the oldest first. */
  let seen = 0
  async function added(): Promise<readonly Entry[]> {
    const lines = await admin.must<(Entry & { id: number })[]>('sys.audit', 'search_read', [
      [['id', '>', seen]],
      ['kind', 'actor', 'subject', 'detail', 'address'],
    ])
    seen = Math.max(seen, ...lines.map(({ id }) => id))
    return lines.toReversed()
  }
  const kinds = async () => (await added()).map(({ kind, subject }) => `${kind} ${subject}`)
  const tell = async (path: string, body: unknown): Promise<unknown> => {
    const response = await admin.fetch(path, { method: 'POST', body: JSON.stringify(body) }, JSON_TYPE)
    return ((await response.json()) as Envelope).result
  }

  test('records changes of users, rights, keys and settings with the acting user, and contains no secret', async () => {
    await added()
    const id = await admin.must<number>('core.user', 'create', [
      { name: 'Ines', login: 'ines', password: 'violet harbour 42' },
    ])
    expect(await kinds()).toEqual(['password_changed Ines', 'user_added Ines'])
    const group = host.modules.holder
      .latest()
      .then(({ access }) => access.groupIdByXmlid.get('library.group_librarian'))
    await admin.must('core.user', 'write', [[id], { group_ids: [[4, await group]] }])
    const [rights] = await added()
    expect(rights).toMatchObject({ kind: 'rights_changed', subject: 'Ines', actor: expect.any(String) })
    expect(rights!.detail).toContain('Librarian')

    const key = (await tell('/web/settings/keys', {
      ...{ user_id: id, name: 'Bridge', expires_days: 1 },
      scope: { models: { 'core.tag': ['read'] } },
    })) as WireNewApiKey
    await admin.must('core.api.key', 'write', [[key.id], { active: false }])
    const told = await added()
    expect(told.map(({ kind }) => kind)).toEqual(['key_made', 'key_revoked'])
    expect(told[0]!.detail).toContain('core.tag')
    expect(JSON.stringify(told)).not.toContain(key.key)

    const setting = await admin.must<number>('sys.setting', 'create', [{ key: 'mail.token', value: 'hush' }])
    await admin.must('sys.setting', 'write', [[setting], { value: 'hush hush' }])
    const settings = await added()
    expect(settings.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      'settings_changed mail.token',
      'settings_changed mail.token',
    ])
    expect(JSON.stringify(settings)).not.toContain('hush')

    await tell(`/web/settings/users/${id}/link`, { by: 'link' })
    await admin.submit('/web/action/reset_password', { user_id: String(id) })
    const links = await added()
    expect(links.map(({ kind, subject, detail }) => [kind, subject, detail])).toEqual([
      ['user_invited', 'Ines', 'link'],
      ['user_invited', 'Ines', 'link'],
    ])
    expect(new Set(links.map(({ actor }) => actor))).toEqual(new Set([rights!.actor]))
    await tell(`/web/settings/users/${id}/deactivate`, { takers: {} })
    expect(await kinds()).toEqual(['user_deactivated Ines'])
    const line = await admin.must<number>('sys.access', 'create', [
      { name: 'More', model: 'core.tag', perm_read: true },
    ])
    await admin.must('sys.access', 'unlink', [[line]])
    expect(await kinds()).toEqual(['rights_changed More', 'rights_changed More'])
  })

  test('a caller can neither suppress a line nor make it look like one of the service', async () => {
    await added()
    const marks = Object.values(OWN_REQUEST)
    for (const mark of marks) {
      const sent = { model: 'sys.setting', method: 'create', args: [{ key: `said.${mark}`, value: 'x' }] }
      const answer = await admin.send(sent, { 'x-request-id': mark })
      expect(answer.status, mark).toBe(200)
      expect(answer.headers.get('x-request-id'), mark).toBeNull()
    }
    expect(await kinds()).toEqual(marks.map((mark) => `settings_changed said.${mark}`))
    const { rows } = await sql<{ request_id: string }>`
      select request_id from sys_audit where subject like 'said.%'`.execute(host.database.db)
    expect(rows.filter(({ request_id }) => (marks as readonly string[]).includes(request_id))).toEqual([])
  })

  test('has one line for each changed module, not one for every record it adds', async () => {
    const { rows } = await sql<{ kind: string }>`
      select distinct kind from sys_audit where request_id = ${OWN_REQUEST.modules}`.execute(host.database.db)
    expect(rows).toEqual([{ kind: 'module_installed' }])
  })

  test('changes that are rolled back are not recorded', async () => {
    await added()
    const refused = await admin.rpc('core.user', 'create_many', [
      [
        { name: 'One', login: 'twice' },
        { name: 'Two', login: 'twice' },
      ],
    ])
    expect(refused.ok).toBe(false)
    expect(await added()).toEqual([])
  })

  test('records sign-ins, refusals once a minute, and never the typed text', async () => {
    const password = 'violet harbour 42'
    await admin.must('core.user', 'create', [{ name: 'walker', login: 'walker', password }])
    await added()
    const browser = host.anonymous()
    const login = (fields: Readonly<Record<string, string>>) => browser.fill('/web/login', fields)
    expect((await login({ login: 'walker', password: 'not the password' })).status).toBe(401)
    expect((await login({ login: 'walker', password: 'not it either' })).status).toBe(401)
    expect((await login({ login: 'my secret by mistake', password: 'x' })).status).toBe(401)
    const told = await added()
    expect(told.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['sign_in_refused', 'walker'],
      ['sign_in_refused', null],
    ])
    expect(JSON.stringify(told)).not.toMatch(/secret|password/)
    expect((await login({ login: 'walker', password })).status).toBe(303)
    expect((await added()).map(({ kind, actor }) => [kind, actor])).toEqual([['sign_in', 'walker']])
    const form = await browser.page('/web/account')
    const token = /name="csrf_token" value="([^"]+)"/.exec(form)![1]!
    await browser.submit('/web/account/sessions', { session: 'all', csrf_token: token })
    expect(await kinds()).toEqual(['sign_out_all walker'])
  })

  test('records an export before the file is sent', async () => {
    await added()
    for (const format of ['csv', 'xlsx']) {
      const response = await admin.get(`/web/export/${format}?model=core.tag&fields=name`)
      expect(response.status).toBe(200)
      await response.arrayBuffer()
    }
    expect((await added()).map(({ kind, subject, detail }) => [kind, subject, detail])).toEqual([
      ['exported', 'core.tag', 'csv · name'],
      ['exported', 'core.tag', 'xlsx · name'],
    ])
    for (const refused of ['fields=nothing', 'fields=name&order=nothing', 'fields=name&domain=[["nothing","=",1]]'])
      expect((await admin.get(`/web/export/csv?model=core.tag&${refused}`)).status, refused).toBe(400)
    expect(await added()).toEqual([])
    // Previews of the export dialog, which asks for the first rows after each choice.
    for (const fields of ['name', 'name', 'name,color'])
      expect(await (await admin.get(`/web/export/csv?model=core.tag&fields=${fields}&limit=4`)).text()).toMatch(/^name/)
    for (const fields of ['name,child_ids/name', 'name,tag_ids'])
      await (await admin.get(`/web/export/csv?model=core.partner&fields=${fields}&limit=4`)).text()
    expect(await added()).toEqual([])
    // A workbook is always a file, however few records it has.
    await (await admin.get('/web/export/xlsx?model=core.tag&fields=name&limit=4')).arrayBuffer()
    expect((await added()).map(({ detail }) => detail)).toEqual(['xlsx · name'])
  })

  test('a look at the first rows shows little, however many lines they have', async () => {
    const parent_id = await admin.must<number>('core.partner', 'create', [{ name: 'Zzz Parent' }])
    const children = Array.from({ length: 400 }, (_, at) => ({ name: `${at} ${'x'.repeat(100)}`, parent_id }))
    await admin.must('core.partner', 'create_many', [children])
    await added()
    const asked = `model=core.partner&fields=name,child_ids/name&domain=[["id","=",${parent_id}]]`
    const look = await (await admin.get(`/web/export/csv?${asked}&limit=4`)).text()
    const whole = await (await admin.get(`/web/export/csv?${asked}`)).text()
    expect(whole.startsWith(look)).toBe(true)
    expect(look.length).toBeLessThan(whole.length / 2)
    expect(await added()).toHaveLength(1)
  })

  test('names a line by what happened, in words of the reader, which find it', async () => {
    const names = async () => {
      const [line] = await admin.must<{ display_name: string }[]>(
        'sys.audit',
        'search_read',
        [[['kind', '=', 'user_added']], ['display_name']],
        { limit: 1 },
      )
      return line!.display_name
    }
    const found = async (operator: string, name: string) => {
      const domain = [
        ['display_name', operator, name],
        ['kind', '=', 'user_added'],
      ]
      return (await admin.must<unknown[]>('sys.audit', 'search_read', [domain, ['kind']], { limit: 1 })).length
    }
    expect(await names()).toBe('Added user')
    expect([await found('=', 'Added user'), await found('ilike', 'added us')]).toEqual([1, 1])
    const [me] = await admin.must<{ id: number }[]>('core.user', 'search_read', [[['login', '=', 'admin']], ['id']])
    await admin.must('core.user', 'write', [[me!.id], { lang: 'de' }])
    expect(await names()).toBe('Benutzer angelegt')
    expect([await found('=', 'Benutzer angelegt'), await found('ilike', 'angelegt')]).toEqual([1, 1])
    expect([await found('=', 'Added user'), await found('=', 'user_added')]).toEqual([0, 0])
    await admin.must('core.user', 'write', [[me!.id], { lang: 'en' }])
  })

  test('a line cannot be changed or removed, neither by an administrator nor with SQL', async () => {
    const [line] = await admin.must<{ id: number }[]>('sys.audit', 'search_read', [[], ['kind']], { limit: 1 })
    const { id } = line!
    for (const [method, args] of [
      ['write', [[id], { subject: 'x' }]],
      ['unlink', [[id]]],
      ['create', [{ kind: 'sign_in' }]],
    ] as const)
      expect((await admin.rpc('sys.audit', method, args as unknown as unknown[])).ok, method).toBe(false)
    const { db } = host.database
    for (const statement of [
      sql`update sys_audit set subject = 'x'`,
      sql`delete from sys_audit`,
      sql`truncate sys_audit`,
    ])
      await expect(statement.execute(db)).rejects.toThrow('never changed or removed')
    await expect(host.modules.asSystem((env) => env.model('sys.audit').unlink([id]))).rejects.toThrow()
  })

  test('only administrators read it', async () => {
    const demo = await host.signIn('demo')
    expect(await demo.rpc('sys.audit', 'search', [[]])).toMatchObject({ error: { code: 'ACCESS_DENIED' } })
    const scoped = await host.apiKey('admin', { scope: { models: { 'core.tag': ['read'] } } })
    expect(await scoped.rpc('sys.audit', 'search', [[]])).toMatchObject({ error: { code: 'ACCESS_DENIED' } })
  })
})
