import { beforeEach, expect, test } from 'vitest'
import type { WireMail, WireMailTest, WireOperations } from '../../kernel/admin/wire-operations.ts'
import { canSendMail, readMailSetup } from '../../kernel/mail/mail-server.ts'
import type { MailTrial, TrialMail } from '../../kernel/mail/mail-trial.ts'
import { ratePolicies } from '../../kernel/serve/rate-policy.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { countWithMemory } from '../../runtime/rate-limiter.ts'
import type { Agent, Envelope } from '../support/agent.ts'
import { describeHost, type Host, SECRET_KEY } from '../support/hosts.ts'
import { configuredMailPort } from '../support/mail-port.ts'

const JSON_TYPE = { accept: 'application/json', 'content-type': 'application/json' }
const PASSWORD = 'violet harbour 42'
const SERVER = {
  host: 'smtp.example.com',
  port: 587,
  secure: false,
  user: 'erp',
  password: PASSWORD as string | null,
  from: 'Alder <erp@example.com>',
}

const read = async (agent: Agent): Promise<WireMail> =>
  (((await (await agent.get('/web/settings/operations', JSON_TYPE)).json()) as Envelope).result as WireOperations).mail

async function post(
  agent: Agent,
  path: string,
  server: object | null,
): Promise<Envelope & { readonly status: number }> {
  const init = { method: 'POST', body: JSON.stringify({ server }) }
  const response = await agent.fetch(`/web/settings/mail${path}`, init, JSON_TYPE)
  return { ...((await response.json()) as Envelope), status: response.status }
}

const secretKey = new TextEncoder().encode(SECRET_KEY)
/** Another process on the same database. */
const elsewhere = (host: Host, secret = secretKey) => ({
  services: {
    ...host.modules.services,
    secretKey: secret,
    mail: { configured: null, try: async () => ({ ok: true, isEncrypted: true }) as const },
  },
  tx: host.database.db,
})

let tried: { readonly server: object; readonly mail: TrialMail }[] = []
let trial: MailTrial = { ok: true, isEncrypted: true }

describeHost(
  'POST /web/settings/mail',
  'process',
  (host) => {
    let admin: Agent
    beforeEach(async () => {
      const { db } = host.database
      await sql`delete from sys_param where key = 'mail_server'`.execute(db)
      await sql`delete from sys_rate`.execute(db)
      await sql`update core_user set email = 'admin@example.com' where login = 'admin'`.execute(db)
      tried = []
      trial = { ok: true, isEncrypted: true }
      admin = await host.signIn('admin')
    })

    test('keeps a mail server, with the password encrypted and never shown; every process has it at once', async () => {
      expect(await read(admin)).toEqual({
        state: 'none',
        server: null,
        places: null,
        testAddress: 'admin@example.com',
      })
      expect(await canSendMail(elsewhere(host))).toBe(false)
      expect(await post(admin, '', SERVER)).toMatchObject({ status: 200 })
      const { password: _password, ...shown } = SERVER
      expect(await read(admin)).toMatchObject({ state: 'ready', server: { ...shown, hasPassword: true } })
      const other = elsewhere(host)
      expect(await readMailSetup(other.services, other.tx)).toEqual({
        kind: 'ready',
        server: { ...SERVER, from: { name: 'Alder', address: 'erp@example.com' } },
      })
      // Nowhere in the database, whatever the table.
      const { rows } = await sql<{ found: string }>`
        select t.table_name as found from information_schema.tables t
        where t.table_schema = 'public' and t.table_type = 'BASE TABLE' and query_to_xml(
          format('select * from %I', t.table_name), true, false, '')::text like ${`%${PASSWORD}%`}`.execute(
        host.database.db,
      )
      expect(rows).toEqual([])
      if (host.kind === 'workerd') return
      expect(JSON.stringify(host.observed)).not.toContain(PASSWORD)
    })

    test('is recorded in the audit trail with the names of the changed settings', async () => {
      const { rows: last } = await sql<{ id: number }>`select max(id) as id from sys_audit`.execute(host.database.db)
      await post(admin, '', SERVER)
      await post(admin, '', { ...SERVER, password: null, from: 'other@example.com' })
      await post(admin, '', { ...SERVER, password: null, from: 'other@example.com' })
      await post(admin, '', null)
      const { rows } = await sql`
        select kind, subject, detail from sys_audit where id > ${last[0]!.id} order by id`.execute(host.database.db)
      expect(rows).toEqual(
        ['host, port, secure, user, password, from', 'from', 'deleted'].map((detail) => ({
          kind: 'settings_changed',
          subject: 'outgoing mail',
          detail,
        })),
      )
      expect(await read(admin)).toMatchObject({ state: 'none', server: null })
    })

    test.each([
      ['host', { host: 'smtp.attacker.example' }],
      ['port', { port: 25 }],
      ['encryption', { secure: true }],
      ['account', { user: 'other' }],
    ])('the password that is kept goes to no other server or account: %s', async (_what, more) => {
      await post(admin, '', SERVER)
      for (const path of ['', '/test'])
        expect(await post(admin, path, { ...SERVER, ...more, password: null })).toMatchObject({
          status: 422,
          error: { details: { fields: { password: expect.stringContaining('Enter the password again') } } },
        })
      expect(tried).toEqual([])
      // The password is not used either if somebody changes the row in the database.
      await sql`update sys_param set value = value || ${JSON.stringify(more)}::jsonb where key = 'mail_server'`.execute(
        host.database.db,
      )
      expect(await read(admin)).toMatchObject({ state: 'locked' })
    })

    test('with another secret of the service the password is reported as locked and can be entered again', async () => {
      await post(admin, '', SERVER)
      const other = elsewhere(host, new TextEncoder().encode('another secret of an installation'))
      expect(await readMailSetup(other.services, other.tx)).toEqual({ kind: 'locked' })
      expect(await canSendMail(other)).toBe(false)
      await sql`update sys_param set value = jsonb_set(value, '{sealed}', '"not what was sealed"')
        where key = 'mail_server'`.execute(host.database.db)
      expect(await read(admin)).toMatchObject({ state: 'locked', server: { hasPassword: true } })
      expect((await post(admin, '/test', null)).error?.message).toContain('cannot be opened')
      expect((await post(admin, '', { ...SERVER, password: null })).status).toBe(422)
      expect((await admin.get('/web/home')).status).toBe(200)
      expect((await post(admin, '', SERVER)).status).toBe(200)
      expect(await read(admin)).toMatchObject({ state: 'ready' })
    })

    test('problems of the settings are answered by field', async () => {
      for (const [more, field] of [
        [{ host: 'http://x' }, 'host'],
        [{ from: 'nobody' }, 'from'],
        [{ user: 'a\u0007b' }, 'user'],
        [{ password: 'a\nb' }, 'password'],
        [{ password: null }, 'password'],
      ] as const)
        expect((await post(admin, '', { ...SERVER, ...more })).error?.details['fields']).toHaveProperty(field)
      expect((await post(admin, '', { ...SERVER, port: 0 })).status).toBe(400)
      expect((await post(admin, '', { ...SERVER, user: '', password: null })).status).toBe(200)
      expect(await read(admin)).toMatchObject({ state: 'ready', server: { user: '', hasPassword: false } })
    })

    test('is only for administrators who have just entered their password, not for keys', async () => {
      for (const [agent, status] of [
        [host.anonymous(), 401],
        [await host.apiKey('admin', { scope: { credentials: true } }), 401],
        [await host.signIn('demo'), 403],
      ] as const)
        for (const path of ['', '/test']) expect((await post(agent, path, SERVER)).status).toBe(status)
      await host.database.db.updateTable('sys_session').set({ reauth_at: null }).execute()
      for (const path of ['', '/test'])
        expect(await post(admin, path, SERVER)).toMatchObject({ error: { details: { reason: 'confirm_password' } } })
      expect(await read(admin)).toMatchObject({ server: null })
    })

    test('a test is sent with what is typed, or with what is saved', async () => {
      expect(await post(admin, '/test', null)).toMatchObject({
        status: 409,
        error: { message: 'No test can be sent: this service has no mail server.' },
      })
      expect(await post(admin, '/test', SERVER)).toMatchObject({
        result: { ok: true, text: 'The mail server has taken a test to admin@example.com.' },
      })
      expect(await read(admin)).toMatchObject({ server: null })
      await post(admin, '', SERVER)
      await post(admin, '/test', null)
      await post(admin, '/test', { ...SERVER, password: null, from: 'new@example.com' })
      expect(tried.map(({ server }) => server)).toMatchObject([
        { ...SERVER, from: { name: 'Alder' } },
        { ...SERVER, from: { name: 'Alder' } },
        { ...SERVER, from: { name: '', address: 'new@example.com' } },
      ])
      expect(tried[0]!.mail).toMatchObject({ to: { address: 'admin@example.com' }, subject: 'Test of outgoing mail' })
      await sql`update core_user set email = null where login = 'admin'`.execute(host.database.db)
      expect((await post(admin, '/test', null)).error?.message).toBe('No test can be sent: you have no mail address.')
    })

    test('a test says in plain words which step failed, in the language of the user', async () => {
      trial = { ok: false, isEncrypted: true, step: 'sign_in', trouble: 'sign_in_refused', answer: '535 no' }
      const { result } = await post(admin, '/test', SERVER)
      const { steps, ...rest } = result as WireMailTest
      expect(rest).toEqual({
        ok: false,
        text: 'The mail server did not accept account and password.',
        answer: '535 no',
      })
      expect(steps.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'failed', 'open'])
      await sql`update core_user set lang = 'de' where login = 'admin'`.execute(host.database.db)
      expect((await post(admin, '/test', SERVER)).result).toMatchObject({
        text: 'Der Mailserver hat Konto und Passwort nicht angenommen.',
        steps: expect.arrayContaining([{ label: 'Anmeldung', state: 'failed' }]),
      })
      await sql`update core_user set lang = 'en' where login = 'admin'`.execute(host.database.db)
    })

    test('a test over a connection that is not encrypted says so', async () => {
      trial = { ok: true, isEncrypted: false }
      const { result } = await post(admin, '/test', SERVER)
      expect(result).toMatchObject({
        ok: true,
        text: 'The mail server has taken a test to admin@example.com. The connection was not encrypted.',
      })
      expect((result as WireMailTest).steps.map(({ state }) => state)).toEqual([
        'done',
        'done',
        'without',
        'done',
        'done',
      ])
    })

    test('ten tests in five minutes are enough', async () => {
      for (let i = 0; i < 10; i++) expect((await post(admin, '/test', SERVER)).status).toBe(200)
      expect((await post(admin, '/test', SERVER)).status).toBe(429)
      expect(tried).toHaveLength(10)
    })
  },
  ({ db }) => ({
    mail: {
      configured: null,
      try: async (server, mail) => {
        tried.push({ server, mail })
        return trial
      },
    },
    limiter: countWithMemory({ db, policies: ratePolicies(0), clock: () => performance.now(), onAway: () => {} }),
  }),
)

describeHost(
  'a mail server in the settings of the process',
  'process',
  (host) => {
    test('is shown with where it stands, can be tested, and not be changed', async () => {
      const admin = await host.signIn('admin')
      await sql`update core_user set email = 'admin@example.com' where login = 'admin'`.execute(host.database.db)
      expect(await read(admin)).toMatchObject({
        state: 'ready',
        server: { host: 'mail.example.com', from: 'Modulus <erp@example.com>', hasPassword: false },
        places: { host: 'svc.ini:3', from: 'SVC_SMTP_FROM' },
      })
      expect((await post(admin, '/test', null)).result).toMatchObject({ ok: true })
      for (const path of ['', '/test'])
        expect(await post(admin, path, SERVER)).toMatchObject({
          status: 409,
          error: { message: 'The mail server is set by those who run the service, so it cannot be changed here.' },
        })
    })
  },
  { mail: configuredMailPort() },
)
