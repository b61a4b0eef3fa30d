import { utf8ToBytes } from '@noble/hashes/utils.js'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { queueMail } from '../../kernel/mail/mail-queue.ts'
import { forgetMailServer, type MailServer, storeMailServer } from '../../kernel/mail/mail-server.ts'
import type { Services } from '../../kernel/services.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { type MailLoop, openMail } from '../../runtime/node/mail/mail.ts'
import { tryMail } from '../../runtime/node/mail/try-mail.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules, type TestModules } from '../support/modules.ts'
import { type Service, startService } from '../support/service.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'

const SECRET = 'the secret of the processes of this test'

let database: TestDatabase
let modules: TestModules
let sinks: SmtpSink[]

beforeAll(async () => {
  database = await createDatabase(baseTemplate)
  modules = openModules(database.db, bundledAddons)
})
afterAll(() => database?.drop())
beforeEach(async () => {
  await query('delete from sys_mail')
  sinks = await Promise.all([startSmtpSink(), startSmtpSink()])
  await forget()
})
afterEach(() => Promise.all(sinks.map((sink) => sink.close())))

const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows
const countSent = async () => (await query("select 1 from sys_mail where state = 'sent'")).length
const servicesWith = (secret: string): Services => ({
  ...modules.services,
  secretKey: utf8ToBytes(secret),
  mail: { configured: null, try: tryMail },
})

/** Keeps a mail server, as an administrator does. */
const keep = (sink: SmtpSink, more: Partial<MailServer> = {}, secret = SECRET) =>
  modules.asSystem((env) =>
    storeMailServer(
      { ...env, services: servicesWith(secret) },
      {
        ...{ host: '127.0.0.1', port: sink.port, secure: false, user: 'erp', password: 'pass word' },
        from: { name: '', address: 'erp@example.com' },
        ...more,
      },
    ),
  )
const forget = () => modules.asSystem((env) => forgetMailServer(env))
const queue = (subject: string) =>
  modules.asSystem((env) => queueMail(env, { to: { name: '', address: 'ann@example.com' }, subject, text: 'Hello' }))
const subjects = ({ received }: SmtpSink) => received.map(({ headers }) => headers['subject'])

describe('the loop of one process', () => {
  let loop: MailLoop | undefined
  let warnings: string[]
  beforeEach(() => {
    warnings = []
  })
  afterEach(() => loop?.stop(1_000))
  const start = (secret = SECRET) => {
    const observe: Services['observe'] = (seen) => void (seen.kind === 'warning' && warnings.push(seen.text))
    loop = openMail({ services: { ...servicesWith(secret), observe }, system: database.db })
  }

  test('takes no mail before there is a server, and sends the next one to the server of now', async () => {
    const [first, second] = sinks as [SmtpSink, SmtpSink]
    start()
    await queue('one')
    await keep(first)
    await expect.poll(countSent).toBe(1)
    expect(first.received[0]).toMatchObject({ auth: 'erp:pass word' })
    await keep(second, { password: 'another' })
    await queue('two')
    await expect.poll(countSent).toBe(2)
    expect([subjects(first), subjects(second)]).toEqual([['one'], ['two']])
    expect(second.received[0]).toMatchObject({ auth: 'erp:another' })
    expect(await query('select distinct attempts from sys_mail')).toEqual([{ attempts: 1 }])
  })

  test('ends its pause for an unreachable server when the settings change', async () => {
    const [gone, there] = sinks as [SmtpSink, SmtpSink]
    const { port } = gone
    await gone.close()
    await keep({ ...gone, port })
    for (let i = 0; i < 6; i++) await queue(`mail ${i}`)
    start()
    await expect.poll(() => warnings).toHaveLength(1)
    await keep(there)
    // Those that were tried wait for their time, the others are sent although half a minute is not over.
    const untried = async () => (await query('select 1 from sys_mail where attempts = 0')).length
    await expect.poll(untried).toBe(0)
    await query("update sys_mail set next_at = clock_timestamp() where state = 'queued'")
    await expect.poll(countSent).toBe(6)
    sinks = [there]
  })

  test('with another secret leaves the queue alone and says so once, until the password is entered again', async () => {
    const [sink] = sinks as [SmtpSink]
    await keep(sink, {}, 'the secret that the installation had before')
    await queue('one')
    start()
    await expect.poll(() => warnings).toHaveLength(1)
    expect(warnings[0]).toContain('cannot be opened')
    expect(await query('select state, attempts from sys_mail')).toEqual([{ state: 'queued', attempts: 0 }])
    await keep(sink)
    await expect.poll(countSent).toBe(1)
    expect(warnings).toHaveLength(1)
  })
})

describe('processes', () => {
  const running: Service[] = []
  beforeAll(buildOnce)
  afterEach(async () => {
    for (const service of running.splice(0)) await service.end('SIGKILL')
  })

  test('follow a change without a restart, all of them', async () => {
    const [first, second] = sinks as [SmtpSink, SmtpSink]
    const start = () => startService(database.dsn, { SVC_SECRET_KEY: SECRET })
    running.push(...(await Promise.all([start(), start()])))
    for (const [sink, name] of [
      [first, 'a'],
      [second, 'b'],
    ] as const) {
      const before = await countSent()
      await keep(sink)
      // Both processes take mails before one of them could send them all.
      const owners = () =>
        query(`select distinct owner from sys_mail where subject like '${name} %' and state <> 'queued'`)
      sink.beforeTaking = () => expect.poll(owners).toHaveLength(2)
      for (let i = 0; i < 12; i++) await queue(`${name} ${i}`)
      await expect.poll(countSent).toBe(before + 12)
      expect(sink.received).toHaveLength(12)
    }
    expect(running.map(({ log }) => log()).join('')).not.toContain('pass word')
  })
})
