import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { Agent } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules, type TestModules } from '../support/modules.ts'
import { type Service, startService } from '../support/service.ts'
import { type ReceivedMail, type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'

/** Resetting a password, with a real mail server. */

let database: TestDatabase
let modules: TestModules
let sink: SmtpSink
let service: Service
const PUBLIC = 'https://erp.example.com'

beforeAll(async () => {
  await buildOnce()
  database = await createDatabase(baseTemplate)
  modules = openModules(database.db, bundledAddons)
  sink = await startSmtpSink()
  service = await startService(database.dsn, {
    SVC_SMTP_HOST: '127.0.0.1',
    SVC_SMTP_PORT: String(sink.port),
    SVC_SMTP_FROM: 'Modulus <erp@example.com>',
    SVC_PUBLIC_URL: PUBLIC,
  })
})
afterAll(async () => {
  await service.end('SIGINT')
  await sink.close()
  await database.drop()
})

const visitor = () => new Agent((path, init) => fetch(service.url + path, init), {})

/** The next mail to this address. */
async function mailTo(address: string, earlier = 0): Promise<ReceivedMail> {
  const found = () => sink.received.filter(({ to }) => to.includes(address))[earlier]
  await expect.poll(found).toBeDefined()
  return found()!
}

const linkIn = ({ source }: ReceivedMail): URL => {
  const text = source.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
  return new URL(/https?:\/\/\S+\/web\/reset\?token=[\w-]+/.exec(text)![0])
}

test('a mailed link leads to a new password, once; a notice follows', async () => {
  const id = await hire(modules, 'ann@example.com', ['base.group_user'])
  await modules.asSystem((env) => env.model('core.user').write([id], { password: 'the forgotten one' }))
  const ann = visitor()
  const asked = await ann.fill('/web/forgot', { login: 'ann@example.com' })
  expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining('a link is on its way')])
  const link = linkIn(await mailTo('ann@example.com'))
  expect(link.origin).toBe(PUBLIC)
  const done = await ann.fill(link.pathname + link.search, {
    token: link.searchParams.get('token')!,
    password: 'a much better one',
  })
  expect([done.status, done.headers.get('location')]).toEqual([303, '/web/login?msg=reset'])
  expect((await mailTo('ann@example.com', 1)).headers['subject']).toBe('Your password was changed')
  expect((await visitor().fill('/web/login', { login: 'ann@example.com', password: 'the forgotten one' })).status).toBe(
    401,
  )
  expect((await visitor().fill('/web/login', { login: 'ann@example.com', password: 'a much better one' })).status).toBe(
    303,
  )
  expect((await ann.get(link.pathname + link.search, { accept: 'text/html' })).status).toBe(404)
})

test('an administrator has a link mailed, to the address of the user', async () => {
  const userId = await hire(modules, 'bea', ['base.group_user'])
  const adminId = await hire(modules, 'chief', ['base.group_system'])
  await modules.asSystem(async (env) => {
    await env.model('core.user').write([userId], { email: 'bea@example.com', lang: 'de' })
    await env.model('core.user').write([adminId], { password: 'the one of the chief' })
  })
  const chief = visitor()
  await chief.fill('/web/login', { login: 'chief', password: 'the one of the chief' })
  const answer = await chief.fill('/web/account', { user_id: String(userId) }, '/web/action/reset_password')
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([303, []])
  const mail = await mailTo('bea@example.com')
  expect(mail.headers['subject']).toMatch(/Neues Passwort|=\?UTF-8\?/)
  expect(linkIn(mail).pathname).toBe('/web/reset')
})

test('neither the answer nor the mail reveals who has an account; the log reports a user without an address', async () => {
  const before = sink.received.length
  const id = await hire(modules, 'no-address', ['base.group_user'])
  const answers: unknown[] = []
  for (const login of ['nobody@example.com', 'no-address', 'ann@example.com']) {
    const answer = await visitor().fill('/web/forgot', { login })
    const text = (await answer.text()).replaceAll(/nonce="[^"]+"/g, '')
    answers.push([answer.status, [...answer.headers.keys()].sort(), answer.headers.get('set-cookie'), text])
  }
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).toEqual(answers[0])
  await expect.poll(() => sink.received.length).toBe(before + 1)
  await expect.poll(service.log).toContain(`User ${id} has asked for a new password and has no e-mail address`)
  expect(service.log()).not.toContain('no-address')
  const { rows } = await sql`select from sys_reset where user_id = ${id}`.execute(database.db)
  expect(rows).toEqual([])
})

test('links are built from the public address, not from the Host header', async () => {
  const response = await fetch(`${service.url}/web/login`, { headers: { 'x-forwarded-host': 'evil.test' } })
  expect(await response.text()).not.toContain('evil.test')
})
