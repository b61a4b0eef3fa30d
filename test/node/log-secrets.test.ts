import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { issueCsrfToken } from '../../kernel/auth/csrf.ts'
import { createSession } from '../../kernel/auth/session.ts'
import { queueMail } from '../../kernel/mail/mail-queue.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules, type TestModules } from '../support/modules.ts'
import { createServiceKey, type Service, startService } from '../support/service.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'

type HeaderTable = Readonly<Record<string, string>>

/** Secrets that only their owners may ever see again. */
interface Secrets {
  readonly key: string
  readonly session: string
  readonly csrf: string
  readonly reset: string
  readonly password: string
}

let database: TestDatabase
let modules: TestModules
let sink: SmtpSink
let service: Service
let secrets: Secrets
let output = ''
/** Answers to programs. */
const answers: string[] = []

beforeAll(async () => {
  await buildOnce()
  database = await createDatabase(baseTemplate)
  modules = openModules(database.db, bundledAddons)
  sink = await startSmtpSink()
  const key = await createServiceKey(database.db)
  const { rows } = await sql<{ id: number }>`select id from core_user where login = 'operator'`.execute(database.db)
  const origin = { userId: rows[0]!.id, ip: null, userAgent: null }
  const { token, csrfSecret } = await createSession(modules.services, database.db, origin)
  secrets = {
    key,
    session: token,
    csrf: issueCsrfToken(csrfSecret, modules.services.random),
    reset: 'Reset7token8Q9wErTyUiOpAsDfGhJkLzXcVbNm1234',
    password: 'canary Pa55word "quoted" & more',
  }
  service = await startService(database.dsn, {
    SVC_LOG_LEVEL: 'debug',
    SVC_LOG_FORMAT: 'json',
    SVC_SMTP_HOST: '127.0.0.1',
    SVC_SMTP_PORT: String(sink.port),
    SVC_SMTP_FROM: 'erp@example.com',
    SVC_SMTP_USER: 'erp',
    SVC_SMTP_PASSWORD: secrets.password,
  })
  service.child.stdout!.on('data', (chunk) => {
    output += chunk
  })
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await sink?.close()
  await database?.drop()
})

async function send(path: string, init: RequestInit = {}, headers: HeaderTable = {}): Promise<number> {
  const response = await fetch(service.url + path, { redirect: 'manual', ...init, headers })
  const text = await response.text()
  // A page may give back what its own address or form brought: the reset form holds its token.
  if (response.headers.get('content-type')?.includes('json')) answers.push(text)
  return response.status
}

const rpc = (body: unknown, headers: HeaderTable) =>
  send('/api/rpc', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }, headers)

const inForm = (fields: HeaderTable) => ({ method: 'POST', body: new URLSearchParams(fields).toString() })

/** Everything the service has said so far that its operator can read. */
async function everythingTold(): Promise<string> {
  const { rows: entries } = await sql<{ text: string }>`select sys_log::text as text from sys_log`.execute(database.db)
  const { rows: mails } = await sql<{ text: string }>`
    select concat_ws(' ', state, owner, to_name, to_address, subject, last_error) as text from sys_mail`.execute(
    database.db,
  )
  return [output, service.log(), ...entries.map(({ text }) => text), ...mails.map(({ text }) => text)].join('\n')
}

const leaks = (text: string): string[] =>
  Object.entries(secrets).flatMap(([name, secret]: [string, string]) => {
    const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), secret.slice(0, 30)]
    return forms.some((form) => text.includes(form)) ? [name] : []
  })

describe('secrets sent in every place', () => {
  test('appear in no line, no stored entry, no metric and no refusal', async () => {
    const { key, session, csrf, reset } = secrets
    const json = { 'content-type': 'application/json' }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const asKey = { ...json, 'x-api-key': key }
    const asUser = { cookie: `svc_session=${session}`, 'x-csrf-token': csrf }
    const all = Object.values(secrets)

    // Headers, the good ones and others.
    expect(await rpc({ model: 'core.tag', method: 'search', args: [[]] }, asKey)).toBe(200)
    expect(await rpc({ model: 'core.tag', method: 'search', args: [[]] }, { ...json, ...asUser })).toBe(200)
    await rpc({}, { ...json, authorization: `Bearer ${key}` })
    await rpc({}, { ...json, authorization: `Bearer ${key}x` })
    await rpc({}, { ...json, cookie: `svc_session=${session}; svc_session=${session}` })
    for (const name of [
      'referer',
      'user-agent',
      'x-forwarded-for',
      'accept',
      'idempotency-key',
      'origin',
      'x-api-key',
    ]) {
      for (const secret of all) await rpc({}, { ...json, ...asUser, [name]: secret })
    }
    for (const id of [key, session, csrf, reset]) await rpc({}, { ...asKey, 'x-request-id': id })

    // Paths and queries.
    for (const secret of all.map(encodeURIComponent)) {
      await send(`/${secret}`, {}, { accept: 'text/html' })
      await send(`/web/reset?token=${secret}`, {}, { accept: 'text/html' })
      await send(`/web/login?next=/web/${secret}&password=${secret}`, {}, { accept: 'text/html' })
      await send(`/api/explain?user=1&model=core.tag&id=1&operation=${secret}`, {}, asKey)
      await send(`/web/${secret}?token=${secret}`, {}, { ...asUser, accept: 'text/html' })
    }

    // Bodies, right and wrong.
    for (const secret of all) {
      await rpc(
        { model: 'core.user', method: 'create', args: [{ login: `u ${all.indexOf(secret)}`, password: secret }] },
        asKey,
      )
      await rpc({ model: 'core.user', method: 'write', args: [[1], { password: secret, name: 3 }] }, asKey)
      await rpc({ model: 'core.tag', method: 'create', args: [{ name: secret, color: secret }] }, asKey)
      await rpc({ model: 'core.tag', method: 'search', args: [[['color', '=', secret]]] }, asKey)
      await rpc(`{"model":"core.tag","method":"create","args":[{"name":"${secret}`, asKey)
      await send('/web/login', inForm({ login: 'operator', password: secret, csrf_token: csrf }), form)
      await send('/web/reset', inForm({ token: reset, password: secret, csrf_token: csrf }), form)
      await send('/web/forgot', inForm({ login: secret, csrf_token: csrf }), form)
      const server = { host: 'x', port: 587, secure: false, user: 'erp', password: secret, from: secret }
      for (const path of ['/web/settings/mail', '/web/settings/mail/test'])
        await send(path, { method: 'POST', body: JSON.stringify({ server }) }, { ...json, ...asUser })
      await send('/setup/init', inForm({ setup_token: secret, password: secret, csrf_token: csrf }), form)
    }

    // A mail server that repeats what it was sent, in a refusal.
    sink.troubles.push({ at: 'end', answer: `554 I do not like https://erp.example.com/web/reset?token=${reset}` })
    await modules.asSystem((env) =>
      queueMail(env, { to: { name: '', address: 'ann@example.com' }, subject: 'Reset', text: `token=${reset}` }),
    )
    const refusedMails = () => sql`select from sys_mail where last_error is not null`.execute(database.db)
    await expect.poll(async () => (await refusedMails()).rows.length).toBe(1)

    // Faults of ours, with the values of the caller at hand.
    await sql`alter table core_tag rename to core_tag_gone`.execute(database.db)
    for (const secret of all) {
      const status = await rpc({ model: 'core.tag', method: 'create', args: [{ name: secret }] }, asKey)
      expect(status).toBe(500)
    }

    const metrics = await fetch(`${service.url}/metrics`, { headers: asUser })
    expect(metrics.status).toBe(200)
    expect(leaks(await metrics.text())).toEqual([])
    await rpc({}, { ...asKey, 'x-request-id': 'the-end' })
    const lastEntry = () => sql`select from sys_log where request_id = 'the-end'`.execute(database.db)
    await expect.poll(async () => (await lastEntry()).rows.length).toBeGreaterThan(0)
    const told = await everythingTold()
    expect(told).toContain('core_tag')
    expect(told).toContain('"code":"INTERNAL"')
    expect(told.match(/"requestId"/g)!.length).toBeGreaterThan(100)
    expect(leaks(told)).toEqual([])
    expect(leaks(answers.join('\n'))).toEqual([])
  })

  test('each line has its request id, and the stored entries equal the lines', async () => {
    await rpc(
      { model: 'core.nothing', method: 'read', args: [[1]] },
      { 'x-api-key': secrets.key, 'x-request-id': 'find-me', 'content-type': 'application/json' },
    )
    const lines = service
      .log()
      .split('\n')
      .filter((line) => line.includes('find-me'))
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([
      { source: 'rpc', requestId: 'find-me', model: 'other', code: 'NOT_FOUND' },
      {
        source: 'request',
        requestId: 'find-me',
        path: '/api/rpc',
        status: 404,
        code: 'NOT_FOUND',
        userId: expect.any(Number),
      },
    ])
    const stored = async () =>
      (
        await sql<{ source: string }>`select source from sys_log where request_id = 'find-me' order by id`.execute(
          database.db,
        )
      ).rows
    await expect.poll(stored).toEqual([{ source: 'rpc' }, { source: 'request' }])
  })

  test('the service keeps running when the reader of its log ends', async () => {
    service.child.stderr!.destroy()
    service.child.stdout!.destroy()
    for (let i = 0; i < 20; i++) expect(await send(`/nothing-${i}`)).toBe(404)
    expect(await send('/api/health')).toBe(200)
    expect(service.child.exitCode).toBeNull()
  })
})
