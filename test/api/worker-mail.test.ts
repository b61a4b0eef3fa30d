import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { queueMail } from '../../kernel/mail/mail-queue.ts'
import { type MailServer, storeMailServer } from '../../kernel/mail/mail-server.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { describeHost, SECRET_KEY } from '../support/hosts.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'

/** Mail where there is no loop: a trigger of the platform sends what is due. */
describeHost('mail on workerd', 'workerd', (host) => {
  let sink: SmtpSink
  beforeAll(async () => {
    sink = await startSmtpSink()
    await sql`update sys_cron set nextcall = now() + interval '1 day'`.execute(host.database.db)
  })
  afterAll(() => sink.close())
  beforeEach(() => sql`delete from sys_mail`.execute(host.database.db))

  const useServer = (more: Partial<MailServer> = {}) =>
    host.modules.asSystem((env) =>
      storeMailServer(
        { ...env, services: { ...env.services, secretKey: new TextEncoder().encode(SECRET_KEY) } },
        {
          ...{ host: '127.0.0.1', port: sink.port, secure: false, user: '', password: '' },
          from: { name: 'Modulus, the service', address: 'erp@example.com' },
          ...more,
        },
      ),
    )
  const queue = (subject = 'Hello') =>
    host.modules.asSystem((env) =>
      queueMail(env, {
        to: { name: 'Änne Ünal', address: 'anne@example.com' },
        subject,
        text: '.\nFirst line\n..and dots',
        html: '<p>Grüße</p>',
        attachments: [{ name: 'Übersicht.csv', type: 'text/csv', content: new TextEncoder().encode('a;b') }],
      }),
    )
  const mails = async () =>
    (
      await sql<{
        state: string
        last_error: string | null
      }>`select state, last_error from sys_mail order by id`.execute(host.database.db)
    ).rows
  const decoded = (base64: string) => Buffer.from(base64, 'base64').toString()

  test('without a mail server mails wait', async () => {
    await queue()
    await host.scheduled()
    expect(await mails()).toEqual([{ state: 'queued', last_error: null }])
  })

  test('a trigger sends what is due, each once, as it was written', async () => {
    await useServer()
    const subject = `Grüße von ${'weit '.repeat(20)}her`
    await queue(subject)
    await queue()
    await host.scheduled()
    await host.scheduled()
    expect(await mails()).toEqual([
      { state: 'sent', last_error: null },
      { state: 'sent', last_error: null },
    ])
    expect(sink.received.map(({ from, to, auth }) => ({ from, to, auth }))).toEqual(
      Array(2).fill({ from: 'erp@example.com', to: ['anne@example.com'], auth: null }),
    )
    const [{ headers, source }] = sink.received as [SmtpSink['received'][number]]
    const words = (text: string) =>
      text.replaceAll(/=\?UTF-8\?B\?([^?]*)\?=\s*/g, (_all, piece: string) => decoded(piece))
    expect(words(headers['subject']!)).toBe(subject)
    expect(words(headers['to']!)).toContain('Änne Ünal')
    expect(headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'message-id': expect.stringMatching(/^<\w+@modulus/),
    })
    const contents = [...source.matchAll(/base64\n(?:Content-Disposition: (.*)\n)?\n([\w+/=\n]+)\n--/g)].map(
      ([, kind, text]) => [kind, decoded(text!)],
    )
    expect(contents).toEqual([
      [undefined, '.\nFirst line\n..and dots'],
      [undefined, '<p>Grüße</p>'],
      ["attachment; filename*=UTF-8''%C3%9Cbersicht.csv", 'a;b'],
    ])
    expect(Math.max(...source.split('\n').map(({ length }) => length))).toBeLessThan(90)
  })

  test.each([
    ['end', '550 no such user', 'failed', '550 no such user'],
    ['rcpt', '450 later', 'queued', '450 later'],
    ['greeting', 'drop', 'queued', 'The mail server has ended the connection.'],
    ['greeting', 'SSH-2.0-OpenSSH', 'queued', 'What answers there is no mail server.'],
    ['end', 'drop', 'queued', 'The mail server has ended the connection.'],
  ] as const)('trouble at %s (%s) leaves a mail %s', async (at, answer, state, error) => {
    await useServer()
    sink.troubles.push({ at, answer })
    await queue()
    await host.scheduled()
    expect(await mails()).toEqual([{ state, last_error: error }])
  })

  test('a server that is not there leaves it queued', async () => {
    await useServer({ port: 1 })
    await queue()
    await host.scheduled()
    expect(await mails()).toEqual([{ state: 'queued', last_error: expect.any(String) }])
  })

  test('signs in with the password that was kept', async () => {
    await useServer({ user: 'erp', password: 'a secret of mail' })
    await queue()
    await host.scheduled()
    expect(sink.received.at(-1)?.auth).toBe('erp:a secret of mail')
  })

  test('encrypts where the server offers it, before it signs in, and gives up where the certificate is of another', async () => {
    sink.offersTls = true
    await useServer({ host: 'localhost', user: 'erp', password: 'a secret of mail' })
    await queue()
    await host.scheduled()
    expect(sink.received.at(-1)).toMatchObject({ isEncrypted: true, auth: 'erp:a secret of mail' })
    const before = sink.received.length
    await useServer({ user: 'erp', password: 'a secret of mail' })
    await queue()
    await host.scheduled()
    sink.offersTls = false
    expect(sink.received).toHaveLength(before)
    expect((await mails()).map(({ state }) => state)).toEqual(['sent', 'queued'])
  })

  test('sends no password unencrypted to another machine', async () => {
    // An address of this machine that does not look like one.
    await useServer({ host: '127.1', user: 'erp', password: 'a secret of mail' })
    const before = sink.received.length
    await queue()
    await host.scheduled()
    expect(sink.received).toHaveLength(before)
    expect(await mails()).toEqual([{ state: 'queued', last_error: 'The mail server offers no encryption.' }])
  })

  test('a test mail of an administrator reports which step failed', async () => {
    await sql`update core_user set email = 'admin@example.com' where login = 'admin'`.execute(host.database.db)
    const admin = await host.signIn('admin')
    const tried = async () => {
      const init = { method: 'POST', body: '{"server":null}' }
      const response = await admin.fetch('/web/settings/mail/test', init, {
        'content-type': 'application/json',
      })
      return ((await response.json()) as { result: unknown }).result
    }
    await useServer({ user: 'erp', password: 'a secret of mail' })
    expect(await tried()).toMatchObject({ ok: true })
    expect(sink.received.at(-1)?.to).toEqual(['admin@example.com'])
    sink.troubles.push({ at: 'auth', answer: '535 not with a secret of mail' })
    expect(await tried()).toMatchObject({
      ok: false,
      text: 'The mail server did not accept account and password.',
      answer: '535 not with …',
    })
    sink.troubles.push({ at: 'greeting', answer: 'SSH-2.0-OpenSSH' })
    expect(await tried()).toMatchObject({ ok: false, answer: null })
  })
})
