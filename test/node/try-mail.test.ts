import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MailServer } from '../../kernel/mail/mail-server.ts'
import { parseSettings } from '../../runtime/config.ts'
import { configuredMail } from '../../runtime/node/mail/configured-mail.ts'
import { tryMail } from '../../runtime/node/mail/try-mail.ts'
import { type SmtpSink, startSmtpSink, type Trouble } from '../support/smtp-sink.ts'

let sink: SmtpSink
beforeEach(async () => {
  sink = await startSmtpSink()
})
afterEach(() => sink.close())

const MAIL = {
  to: { name: 'Ann', address: 'ann@example.com' },
  subject: 'Test',
  text: 'It works.',
  messageId: '<1@example.com>',
}
const attempt = (more: Partial<MailServer> = {}, answerMs?: number) =>
  tryMail(
    {
      host: '127.0.0.1',
      port: sink.port,
      secure: false,
      user: 'erp',
      password: 'pass word',
      from: { name: 'Modulus', address: 'erp@example.com' },
      ...more,
    },
    MAIL,
    answerMs,
  )

describe('a test of a mail server', () => {
  test('signs in and gives it the mail', async () => {
    expect(await attempt()).toEqual({ ok: true, isEncrypted: false })
    expect(sink.received).toMatchObject([
      { from: 'erp@example.com', to: ['ann@example.com'], auth: 'erp:pass word', headers: { subject: 'Test' } },
    ])
  })

  test.each<readonly [Trouble, string, string, string | null]>([
    [{ at: 'greeting', answer: '554 go away' }, 'connection', 'turned_away', '554 go away'],
    [{ at: 'greeting', answer: 'SSH-2.0-OpenSSH_9.9' }, 'connection', 'no_mail_server', null],
    [{ at: 'greeting', answer: 'drop' }, 'connection', 'broken', null],
    [{ at: 'auth', answer: '535 unknown: pass word' }, 'sign_in', 'sign_in_refused', '535 unknown: …'],
    [{ at: 'mail', answer: '550 not your address' }, 'message', 'sender_refused', '550 not your address'],
    [{ at: 'rcpt', answer: '550 no such user' }, 'message', 'recipient_refused', '550 no such user'],
    [{ at: 'end', answer: '554 spam' }, 'message', 'message_refused', '554 spam'],
    [{ at: 'end', answer: 'drop' }, 'message', 'broken', null],
  ])('meets %j: %s, %s', async (trouble, step, name, answer) => {
    sink.troubles.push(trouble)
    expect(await attempt()).toMatchObject({ ok: false, step, trouble: name, answer })
  })

  test('finds no server: by its name, at its port', async () => {
    expect(await attempt({ host: 'mail.invalid' })).toMatchObject({ step: 'name', trouble: 'host_unknown' })
    const { port } = sink
    await sink.close()
    expect(await attempt({ port })).toMatchObject({ step: 'connection', trouble: 'refused' })
    sink = await startSmtpSink()
  })

  test('encrypts where the server offers it, and gives up where the certificate is of another', async () => {
    sink.offersTls = true
    expect(await attempt({ host: 'localhost' })).toMatchObject({ ok: true, isEncrypted: true })
    expect(sink.received).toMatchObject([{ isEncrypted: true, auth: 'erp:pass word' }])
    expect(await attempt()).toMatchObject({ step: 'encryption', trouble: 'certificate' })
    expect(sink.received).toHaveLength(1)
  })

  test('sends no password where there is no encryption', async () => {
    // This machine by an address that is not one of its own names.
    expect(await attempt({ host: '0.0.0.0' })).toMatchObject({ step: 'encryption', trouble: 'no_tls' })
    expect(await attempt({ secure: true })).toMatchObject({ step: 'encryption', trouble: 'tls' })
    expect(sink.received).toEqual([])
  })

  test('ends although the server says nothing', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}))
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    expect(await attempt({ port }, 1_000)).toMatchObject({ step: 'connection', trouble: 'no_mail_server' })
    silent.close()
  })
})

describe('settings of mail that a process was started with', () => {
  test('hold as a whole, and know where they stand', () => {
    expect(configuredMail(parseSettings({}))).toBeNull()
    expect(configuredMail(parseSettings({ smtp_host: '' }))).toBeNull()
    expect(configuredMail(parseSettings({ smtp_from: 'erp@example.com' }))).toEqual({
      server: null,
      places: { from: 'smtp_from' },
    })
    expect(configuredMail(parseSettings({ smtp_host: 'x', smtp_from: 'A <erp@example.com>' }))).toEqual({
      server: {
        ...{ host: 'x', port: 587, secure: false, user: '', password: '' },
        from: { name: 'A', address: 'erp@example.com' },
      },
      places: { host: 'smtp_host', from: 'smtp_from' },
    })
  })
})
