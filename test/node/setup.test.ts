import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setupToken } from '../../kernel/auth/setup-token.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { Agent, formToken } from '../support/agent.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { SECRET_KEY, type Service, startService } from '../support/service.ts'
import { repeats } from '../support/soak.ts'

/** The first run of a new installation, with the program as its users start it. */

const PASSWORD = 'correct horse battery'
const FORM = {
  company: 'Alder & Finch',
  name: 'Elena Rossi',
  login: 'elena@alderfinch.example',
  password: PASSWORD,
  language: 'de',
  timezone: 'Europe/Berlin',
  currency: 'CHF',
}

/** Each round is a new database and two new processes. */
const ROUNDS = repeats(1, 100)

const visitorOf = ({ url }: Service) => new Agent((path, init) => fetch(url + path, init), {})

beforeAll(async () => {
  await buildOnce()
})

/** Runs `work` with services over one new database. */
async function withServices(count: number, work: (services: Service[], database: TestDatabase) => Promise<void>) {
  const database = await createDatabase(baseTemplate)
  const services: Service[] = []
  try {
    services.push(...(await Promise.all(Array.from({ length: count }, () => startService(database.dsn)))))
    await work(services, database)
  } finally {
    await Promise.all(services.map((service) => service.end('SIGINT')))
    await database.drop()
  }
}

describe('the first run', () => {
  let database: TestDatabase
  let service: Service
  beforeAll(async () => {
    database = await createDatabase(baseTemplate)
    service = await startService(database.dsn)
  })
  afterAll(async () => {
    await service?.end('SIGINT')
    await database?.drop()
  })

  test('asks for the token of the console when it is reached by another name than this machine', async () => {
    const url = new URL(service.url)
    const token = setupToken(new TextEncoder().encode(SECRET_KEY))
    expect(service.greeting()).toContain(token)
    const send = (body?: string, cookie = '') =>
      requestAs('erp.example.com', url, body === undefined ? '/setup' : '/setup/init', body, cookie)
    const { text, cookies } = await send()
    expect(text).toContain('name="setup_token"')
    const form = (more: Record<string, string>) =>
      new URLSearchParams({ ...FORM, csrf_token: formToken(text), ...more }).toString()
    expect((await send(form({}), cookies)).status).toBe(403)
    expect((await send(form({ setup_token: 'guess' }), cookies)).status).toBe(403)
    // With the right token it is the password that is refused.
    expect((await send(form({ setup_token: token, password: 'short' }), cookies)).status).toBe(422)
  })

  test('shows the problems and keeps the typed values', async () => {
    const visitor = visitorOf(service)
    const csrf_token = formToken(await visitor.page('/setup'))
    const answer = await visitor.submit('/setup/init', { ...FORM, csrf_token, password: 'short' })
    expect(answer.status).toBe(422)
    const page = await answer.text()
    expect(page).toContain('Must have at least 10 characters.')
    expect(page).toContain('value="Alder &amp; Finch"')
    expect(page).not.toContain('value="short"')
    const again = await visitor.submit('/setup/init', { ...FORM, csrf_token: formToken(page), password: 'shorter' })
    expect(again.status).toBe(422)
  })

  test('names every wrong field at once', async () => {
    const visitor = visitorOf(service)
    const wrong = { company: ' ', login: '', password: 'short', language: 'xx-', timezone: 'Mars', currency: 'XXQ' }
    const csrf_token = formToken(await visitor.page('/setup'))
    const answer = await visitor.submit('/setup/init', { ...FORM, csrf_token, ...wrong, modules: ['nope'] })
    expect(answer.status).toBe(422)
    const page = await answer.text()
    for (const text of [
      'Company name: Must be given.',
      'Login or e-mail: Must be given.',
      'role="alert">Must have at least 10 characters.',
      'Language: Must be like en or pt-BR, not xx-.',
      'Time zone: Must be a time zone like Europe/Berlin, not Mars.',
      'Currency: There is no currency XXQ.',
      'Apps: There is no module nope.',
    ])
      expect(page).toContain(text)
  })

  test('leads from / to the wizard, sets everything up with few of all the currencies in use, and leaves no trace of it', async () => {
    const { db } = database
    const visitor = visitorOf(service)
    const start = await visitor.get('/')
    expect([start.status, start.headers.get('location')]).toEqual([303, '/setup'])
    const page = await visitor.page('/setup')
    expect(page).toContain('<option value="Europe/Berlin">')
    expect(page).toContain('name="modules" value="sale"')
    expect(page).toContain('<option value="ISK">')
    expect(page).not.toContain('name="setup_token"')
    const answer = await visitor.submit('/setup/init', {
      csrf_token: formToken(page),
      ...FORM,
      modules: ['contacts'],
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/web/login'])
    for (const path of ['/setup', '/setup/progress']) {
      expect((await visitor.get(path, { accept: 'text/html' })).status).toBe(404)
    }
    expect((await visitor.get('/')).headers.get('location')).toBe('/web/home')
    // The user is signed in already, so the sign-in page redirects.
    const signIn = await visitor.get('/web/login')
    expect([signIn.status, signIn.headers.get('location')]).toEqual([303, '/web/home'])
    expect((await visitor.get('/web/home')).status).toBe(200)
    const { rows } = await sql<Record<string, string>>`
      select u.name, u.lang, u.tz, c.name as company, m.name as currency from core_user u
        join core_company c on c.id = u.company_id join core_currency m on m.id = c.currency_id`.execute(db)
    expect(rows).toEqual([
      { name: 'Elena Rossi', lang: 'de', tz: 'Europe/Berlin', company: 'Alder & Finch', currency: 'CHF' },
    ])
    const inUse = await sql<{ name: string }>`select name from core_currency where active order by name`.execute(db)
    expect(inUse.rows.map(({ name }) => name)).toEqual(['CHF', 'EUR', 'USD'])
    const known = await sql<{ count: number }>`select count(*)::int as count from core_currency`.execute(db)
    expect(known.rows[0]!.count).toBeGreaterThan(150)
  })

  test('with demo data ends on a page of links, each of which lets a visitor in once as an example user', () =>
    withServices(1, async ([service], { db }) => {
      const visitor = visitorOf(service!)
      const csrf_token = formToken(await visitor.page('/setup'))
      const form = { ...FORM, csrf_token, language: 'en', demo: '1', modules: ['sale'] }
      const answer = await visitor.submit('/setup/init', form)
      const page = await answer.text()
      expect([answer.status, answer.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
      expect(answer.headers.get('cache-control')).toContain('no-store')
      expect(page).toContain('You are signed in as the administrator.')
      expect((await visitor.get('/web/home')).status).toBe(200)
      expect(page).toContain('tomas@example.com · Alder &amp; Finch · Sales: User: Own Documents')
      const paths = [...page.matchAll(/href="(\/web\/reset\?token=[\w-]{43})"/g)].map((match) => match[1]!)
      const { rows } = await sql<{ login: string }>`
        select login from core_user where login like '%@example.com' order by id`.execute(db)
      expect([new Set(paths).size, paths.length]).toEqual([rows.length, rows.length])
      for (const [i, path] of paths.entries()) {
        const guest = visitorOf(service!)
        const token = new URLSearchParams(path.split('?')[1]).get('token')!
        const choose = (csrf_token: string) => guest.submit('/web/reset', { csrf_token, token, password: PASSWORD })
        const csrf = formToken(await guest.page(path))
        expect((await choose(csrf)).status).toBe(303)
        expect((await choose(csrf)).status).toBe(404)
        expect((await guest.get('/web/home')).status).toBe(200)
        const again = visitorOf(service!)
        expect((await again.fill('/web/login', { login: rows[i]!.login, password: PASSWORD })).status).toBe(303)
      }
    }))

  test('happens once, however many try in several processes', async () => {
    for (let round = 0; round < ROUNDS; round++) await raceForSetup()
  })
})

/** Fifty at once, at two processes. */
const raceForSetup = () =>
  withServices(2, async (services, { db }) => {
    const tries = Array.from({ length: 50 }, async (_, i) => {
      const visitor = visitorOf(services[i % services.length]!)
      const fields = { ...FORM, login: `admin${i}@example.com` }
      const page = await visitor.page('/setup').catch(() => '')
      if (!page.includes('csrf_token')) return 404
      return (await visitor.submit('/setup/init', { csrf_token: formToken(page), ...fields })).status
    })
    const statuses = await Promise.all(tries)
    expect(statuses.filter((status) => status === 303)).toHaveLength(1)
    expect(await db.selectFrom('sys_credential').selectAll().execute()).toHaveLength(1)
  })

interface Answered {
  readonly status: number
  readonly text: string
  readonly cookies: string
}

/** Sends a request under a name that is not the listener's, which `fetch` does not let one do. */
function requestAs(name: string, url: URL, path: string, body: string | undefined, cookie: string): Promise<Answered> {
  const headers = {
    host: name,
    accept: 'text/html',
    cookie,
    ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
  }
  return new Promise((resolve, reject) => {
    const sent = request({
      host: url.hostname,
      port: url.port,
      path,
      headers,
      method: body === undefined ? 'GET' : 'POST',
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      const cookies = (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, cookies }))
    })
    sent.end(body)
  })
}
