import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { retryMail } from '../../kernel/admin/operations.ts'
import { type MailDraft, queueMail } from '../../kernel/mail/mail-queue.ts'
import type { Observe } from '../../kernel/observation.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { type MailLoop, startMailLoop } from '../../runtime/node/mail/mail.ts'
import { openSmtp, type SmtpOptions } from '../../runtime/node/mail/smtp.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules, type TestModules } from '../support/modules.ts'
import { withClient } from '../support/own-postgres.ts'
import { createServiceKey, type Service, serviceSettings, startService } from '../support/service.ts'
import { type SmtpSink, startSmtpSink, type Trouble } from '../support/smtp-sink.ts'
import { runSvc } from '../support/svc.ts'

let database: TestDatabase
let modules: TestModules
let sink: SmtpSink

beforeAll(async () => {
  database = await createDatabase(baseTemplate)
  modules = openModules(database.db, bundledAddons)
})
afterAll(() => database?.drop())
beforeEach(async () => {
  await query('delete from sys_mail')
  sink = await startSmtpSink()
})
afterEach(() => sink.close())

const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows
const states = () => query('select state, attempts, last_error from sys_mail order by id')
const countSent = async () => (await query("select 1 from sys_mail where state = 'sent'")).length

const DRAFT: MailDraft = {
  to: { name: 'Ann Müller, "Boss"', address: 'ann@example.com' },
  subject: 'Grüße – your password',
  text: 'Open https://erp.example.com/web/reset\n.dot',
  html: '<p>Open</p>',
}
const queue = (more: Partial<MailDraft> = {}) => modules.asSystem((env) => queueMail(env, { ...DRAFT, ...more }))

describe('the loop of one process', () => {
  let stop: (() => Promise<void>) | undefined
  afterEach(async () => {
    await stop?.()
    stop = undefined
    vi.restoreAllMocks()
  })

  function startLoop(more: Partial<SmtpOptions> = {}, warn: (text: string) => void = () => {}): MailLoop {
    const from = { name: 'Modulus', address: 'erp@example.com' }
    const smtp = openSmtp({ host: '127.0.0.1', port: sink.port, secure: false, user: '', password: '', from, ...more })
    const observe: Observe = (observation) => observation.kind === 'warning' && warn(observation.text)
    const loop = startMailLoop({ services: { ...modules.services, observe }, owner: 'test', sender: async () => smtp })
    stop = async () => {
      await loop.stop(1_000)
      smtp.close()
    }
    return loop
  }

  /** How long the loop waits for an answer. */
  const patience = ({ answer }: Trouble) => (answer === 'hang' ? 300 : 60_000)

  async function tryAgain(loop: MailLoop): Promise<void> {
    await query("update sys_mail set next_at = clock_timestamp() where state = 'queued'")
    loop.wake()
  }

  /** The timers of the loop: it looks about once a second, and earlier when it is woken. */
  function watchTimers() {
    const spy = vi.spyOn(globalThis, 'setTimeout')
    const waits = () => spy.mock.calls.map(([, ms]) => ms ?? 0)
    const looked = () => waits().filter((ms) => ms >= 750 && ms <= 1_250).length
    return {
      looked,
      last: () => waits().at(-1),
      count: () => waits().length,
      untilLooked: (times: number) => expect.poll(looked, { interval: 20 }).toBeGreaterThanOrEqual(times),
    }
  }
  test('sends a mail once, with the headers it needs', async () => {
    await queue()
    startLoop({ user: 'erp', password: 'pass word' })
    await expect.poll(countSent).toBe(1)
    const [row] = await query('select message_id from sys_mail')
    expect(sink.received).toHaveLength(1)
    expect(sink.received[0]).toMatchObject({
      from: 'erp@example.com',
      to: ['ann@example.com'],
      auth: 'erp:pass word',
      headers: {
        from: 'Modulus <erp@example.com>',
        to: expect.stringMatching(/^=\?UTF-8\?.*<ann@example\.com>$/),
        subject: expect.stringMatching(/^=\?UTF-8\?/),
        'message-id': row!['message_id'],
        'auto-submitted': 'auto-generated',
        'content-type': expect.stringContaining('multipart/alternative'),
      },
    })
    expect(sink.received[0]!.headers['bcc']).toBeUndefined()
  })

  test('looks at once for what this process has queued', async () => {
    const timers = watchTimers()
    const loop = startLoop()
    await timers.untilLooked(1)
    await queue()
    loop.wake()
    expect(timers.last()).toBe(100)
    const planned = timers.count()
    loop.wake()
    expect(timers.count(), 'a look that is due soon is not put off').toBe(planned)
    await expect.poll(countSent, { interval: 20 }).toBe(1)
  })

  test.each<readonly [Trouble, Record<string, unknown>]>([
    [
      { at: 'greeting', answer: '554 go away' },
      { state: 'queued', last_error: expect.stringContaining('554') },
    ],
    [{ at: 'greeting', answer: 'drop' }, { state: 'queued' }],
    [
      { at: 'mail', answer: '451 later' },
      { state: 'queued', last_error: expect.stringContaining('451 later') },
    ],
    [
      { at: 'rcpt', answer: '450 greylisted' },
      { state: 'queued', last_error: expect.stringContaining('450') },
    ],
    [
      { at: 'rcpt', answer: '550 no such user' },
      { state: 'failed', last_error: expect.stringContaining('550') },
    ],
    [{ at: 'data', answer: '421 closing' }, { state: 'queued' }],
    [
      { at: 'end', answer: '452 no space' },
      { state: 'queued', last_error: expect.stringContaining('452') },
    ],
    [
      { at: 'end', answer: '554 spam' },
      { state: 'failed', last_error: expect.stringContaining('554 spam') },
    ],
    [{ at: 'end', answer: 'drop' }, { state: 'queued' }],
    [
      { at: 'end', answer: 'hang' },
      { state: 'queued', last_error: expect.stringMatching(/^127\.0\.0\.1:\d+: Timeout$/) },
    ],
  ])('meets %j', async (trouble, expected) => {
    sink.troubles.push(trouble)
    await queue()
    const loop = startLoop({ answerMs: patience(trouble) })
    await expect.poll(states, { interval: 20 }).toEqual([expect.objectContaining({ attempts: 1, ...expected })])
    if (expected['state'] === 'failed') return
    const first = sink.received[0]?.headers['message-id']
    const sentAgain = async () => {
      await tryAgain(loop)
      return countSent()
    }
    await expect.poll(sentAgain).toBe(1)
    if (first !== undefined) expect(sink.received.at(-1)!.headers['message-id']).toBe(first)
  })

  test.each<readonly [Trouble, string]>([
    [{ at: 'end', answer: 'drop' }, 'unknown'],
    [{ at: 'end', answer: 'hang' }, 'unknown'],
    [{ at: 'end', answer: '451 later' }, 'queued'],
    [{ at: 'greeting', answer: '421 busy' }, 'queued'],
  ])('does not repeat what may have been taken where a mail must not come twice: %j', async (trouble, state) => {
    sink.troubles.push(trouble)
    await queue({ policy: 'at_most_once' })
    const loop = startLoop({ answerMs: patience(trouble) })
    const ended = async () => {
      // A machine that is busy for longer than a short patience may end an attempt before the trouble. Otherwise it would be sent again.
      if (trouble.answer === 'hang' && sink.troubles.length > 0) await tryAgain(loop)
      const [mail] = await query('select state, attempts > 0 as tried from sys_mail')
      return { ...mail, troubles: sink.troubles.length }
    }
    await expect.poll(ended, { interval: 20 }).toEqual({ state, tried: true, troubles: 0 })
  })

  test('without a server tries a few mails and leaves the others queued; the outage and its end are reported once each', async () => {
    const { port } = sink
    await sink.close()
    for (let i = 0; i < 10; i++) await queue()
    const timers = watchTimers()
    const warnings: string[] = []
    const loop = startLoop({}, (text) => warnings.push(text))
    const tried = async () => (await query('select 1 from sys_mail where attempts > 0')).length
    await expect.poll(tried, { interval: 20 }).toBeGreaterThanOrEqual(3)
    // It looks again twice, and leaves them alone.
    await timers.untilLooked(timers.looked() + 2)
    expect(await tried()).toBeLessThanOrEqual(4)
    expect(await query("select 1 from sys_mail where state = 'queued'")).toHaveLength(10)
    expect(warnings).toEqual(['The mail server took none of 3 mails: one is tried every 30 s, the others wait.'])
    // What a person wants tried again does not wait for that.
    const [mail] = await query('select id from sys_mail where attempts > 0 order by id limit 1')
    const retried = async () => (await query(`select attempts, state from sys_mail where id = ${mail!['id']}`))[0]
    await modules.asSystem((env) => retryMail(env, Number(mail!['id'])))
    // It counts as an attempt as soon as it begins, and has to end before there is a server.
    await expect.poll(retried, { interval: 20 }).toEqual({ attempts: 1, state: 'queued' })
    // When the time for a try has come, and there is a server again.
    sink = await startSmtpSink(port)
    const now = performance.now()
    vi.spyOn(performance, 'now').mockReturnValue(now + 60_000)
    await tryAgain(loop)
    await expect.poll(countSent, { interval: 20 }).toBe(10)
    expect(warnings.slice(1)).toEqual(['The mail server answers again, and what waits is sent.'])
  })

  test('finishes what it is sending when it stops', async () => {
    const answers: (() => void)[] = []
    sink.beforeTaking = () => new Promise((resolve) => answers.push(resolve))
    await queue()
    await queue()
    await queue()
    const loop = startLoop()
    // As many as are sent at once.
    await expect.poll(() => answers, { interval: 20 }).toHaveLength(2)
    const stopped = loop.stop(120_000)
    for (const answer of answers) answer()
    await stopped
    expect(await query("select 1 from sys_mail where state = 'sending'")).toEqual([])
    expect([await countSent(), sink.received.length]).toEqual([2, 2])
    expect(await query("select 1 from sys_mail where state = 'queued' and attempts = 0")).not.toEqual([])
  })
})

describe('processes', () => {
  const services: Service[] = []
  beforeAll(buildOnce)
  // One that is left over would take the mails of the next test.
  afterEach(async () => {
    for (const service of services.splice(0)) await service.end('SIGKILL')
  })

  const smtpSettings = () => ({
    SVC_SMTP_HOST: '127.0.0.1',
    SVC_SMTP_PORT: String(sink.port),
    SVC_SMTP_FROM: 'Modulus <erp@example.com>',
  })
  async function start(settings: Readonly<Record<string, string>> = smtpSettings()): Promise<Service> {
    const service = await startService(database.dsn, settings)
    services.push(service)
    return service
  }

  test('share the queue: each mail is sent once, and a process without a sender in its settings sends none', async () => {
    const senders = await Promise.all([start(), start(), start({ SVC_SMTP_HOST: '127.0.0.1' })])
    senders.pop()
    // Both take mails before one of them could send them all.
    const sending = () => query("select distinct owner from sys_mail where state <> 'queued'")
    sink.beforeTaking = () => expect.poll(sending).toHaveLength(2)
    for (let i = 0; i < 40; i++) await queue({ subject: `mail ${i}` })
    await expect.poll(countSent).toBe(40)
    expect(sink.received.map(({ headers }) => headers['subject']).sort()).toEqual(
      Array.from({ length: 40 }, (_, i) => `mail ${i}`).sort(),
    )
    const owners = await query('select distinct owner from sys_mail order by owner')
    const pids = owners.map(({ owner }) => Number(String(owner).split(' ').at(-1)))
    expect(pids.sort()).toEqual(senders.map(({ child }) => child.pid).sort())
  })

  test('killed between the answer of the mail server and the commit: the mail comes again under the same id', async () => {
    const service = await start()
    const locked = await withClient(database.dsn, async (client) => {
      let answered = 0
      sink.beforeTaking = async () => {
        // The answer reaches the process, which then has to wait for this row.
        if (answered++ === 0) await client.query("BEGIN; SELECT FROM sys_mail WHERE state = 'sending' FOR UPDATE")
      }
      const id = await queue()
      const waits = () =>
        query("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
      await expect.poll(async () => (await waits()).length, { interval: 20 }).toBe(1)
      service.child.kill('SIGKILL')
      await once(service.child, 'exit')
      // The server rolls back what no client waits for any more.
      await expect.poll(async () => (await waits()).length).toBe(0)
      return id
    })
    expect(await query('select id, state from sys_mail')).toEqual([{ id: locked, state: 'sending' }])
    await start()
    await query("update sys_mail set lease_until = clock_timestamp() - interval '1 second'")
    await expect.poll(countSent).toBe(1)
    expect(sink.received).toHaveLength(2)
    expect(sink.received[1]!.headers['message-id']).toBe(sink.received[0]!.headers['message-id'])
  })

  test('answer requests while the mail server says nothing, also those that queue a mail', async () => {
    const key = await createServiceKey(database.db)
    const service = await start({ ...smtpSettings(), SVC_DB_MAX_OPEN_CONNS: '2' })
    sink.beforeTaking = () => new Promise(() => {})
    await queue()
    await queue()
    // All that a process sends at once is on its way, and stays there.
    await expect.poll(() => sink.received).toHaveLength(2)
    const rpc = async (method: string, args: readonly unknown[]) => {
      const headers = { 'content-type': 'application/json', 'x-api-key': key }
      const body = JSON.stringify({ model: 'core.user', method, args })
      return (await (await fetch(`${service.url}/api/rpc`, { method: 'POST', headers, body })).json()).result
    }
    const user = { login: 'slow', name: 'Slow', email: 'old@example.com' }
    const id = await rpc('create', [user])
    for (let i = 0; i < 10; i++) expect(await rpc('write', [[id], { email: `new${i}@example.com` }])).toBe(true)
    // Whether the first two still wait for the server or were given up meanwhile.
    expect(await query("select count(*)::int as mails from sys_mail where state in ('queued', 'sending')")).toEqual([
      { mails: 12 },
    ])
  })

  test('show the queue on the command line, without the content of mails, and send a mail again', async () => {
    const id = await queue()
    await query(`update sys_mail set state = 'failed', attempts = 10, last_error = '550 no',
      created_at = now() - interval '200 min'`)
    const settings = serviceSettings(database.dsn)
    const [list, asJson] = await Promise.all([
      runSvc(['mail', 'list'], settings),
      runSvc(['mail', 'list', '--json'], settings),
    ])
    expect(list.stdout).toContain('ann@example.com')
    expect(list.stdout).toContain('550 no')
    expect(list.stdout).not.toContain('reset')
    expect(list.stdout).toMatch(/ID +STATE +TRIES +AGE +NEXT TRY .*\n\d+ +failed +10 +3 h +no /)
    expect(asJson.json).toMatchObject({
      ok: true,
      mails: [{ id, state: 'failed', attempts: 10 }],
    })
    expect(await runSvc(['mail', 'retry', String(id)], settings)).toMatchObject({ code: 0 })
    expect(await states()).toEqual([{ state: 'queued', attempts: 0, last_error: '550 no' }])
    await query("update sys_mail set next_at = now() + interval '30 min'")
    expect((await runSvc(['mail', 'list'], settings)).stdout).toMatch(/\d+ +queued +0 +3 h +in \d\d min /)
    expect(await runSvc(['mail', 'retry', '999999'], settings)).toMatchObject({ code: 1 })
    expect(await runSvc(['mail', 'retry', 'x'], settings)).toMatchObject({ code: 2 })
  })
})
