import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isSecretOf, OTHER_SECRET } from '../../kernel/auth/secret-check.ts'
import { apiTemplate } from '../support/api-database.ts'
import { createDatabase, createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { type Front, openWorker, SECRET_KEY, type WorkerOptions } from '../support/worker.ts'

/** A worker that is not set up rightly says so: to its operator what is wrong, to strangers only that it is. */

let database: TestDatabase
let front: Front | undefined
let logged = ''
beforeAll(async () => {
  database = await createDatabase(apiTemplate)
})
afterEach(() => front?.close())
afterAll(() => database.drop())

async function open(bindings: NonNullable<WorkerOptions['bindings']>, dsn = database.dsn): Promise<Front> {
  logged = ''
  const log = (text: string) => {
    logged += text
  }
  front = await openWorker(dsn, { bindings, log })
  return front
}

const ask = async ({ fetch }: Front, path: string, accept = 'application/json') => {
  const response = await fetch(path, { headers: { accept } })
  return { status: response.status, text: await response.text() }
}

const NOT_SET_UP = 'The service has not been set up yet.'

describe('the bindings of a worker [workerd]', () => {
  test.each([
    ['SECRET_KEY', undefined, 'The binding SECRET_KEY is missing.'],
    ['SECRET_KEY', '', 'The binding SECRET_KEY is missing.'],
    ['SECRET_KEY', 'hunter2', 'The binding SECRET_KEY must be at least 32 characters.'],
    ['DB_DSN', undefined, 'The binding DB_DSN is missing.'],
    ['DB_DSN', 'hello', 'The binding DB_DSN must be of the form postgresql://user:password@host:port/database.'],
    ['PUBLIC_URL', 'not a url', 'The binding PUBLIC_URL must be of the form https://host, without a path.'],
  ])('%s %j stops every request and every trigger, and only the log says why', async (name, value, sentence) => {
    const worker = await open({ [name]: value })
    for (const path of ['/api/ready', '/api/health', '/web/login']) {
      const { status, text } = await ask(worker, path)
      expect([path, status, JSON.parse(text)]).toMatchObject([path, 503, { error: { message: NOT_SET_UP } }])
    }
    const page = await ask(worker, '/web/login', 'text/html')
    expect([page.status, page.text]).toEqual([503, expect.stringContaining(NOT_SET_UP)])
    expect(page.text).not.toContain(name)
    await expect.poll(() => logged).toContain(sentence)
    logged = ''
    await expect(worker.scheduled!()).rejects.toThrow('exception')
    await expect.poll(() => logged).toContain(sentence)
  })

  test('an unreachable database is named in the log, without its password', async () => {
    const worker = await open({}, 'postgresql://modulus:geheim@127.0.0.1:1/none')
    expect((await ask(worker, '/web/login')).status).toBe(503)
    await expect.poll(() => logged).toContain('127.0.0.1:1')
    expect(logged).toContain('DB_DSN')
    expect(logged).not.toContain('geheim')
  })

  describe('a secret that is not that of the database', () => {
    test('is logged once', async () => {
      await database.db
        .insertInto('sys_api_key_secret')
        .values({ key_id: 1, secret_hash: new Uint8Array(32) })
        .execute()
      expect(await isSecretOf(database.db, new TextEncoder().encode(SECRET_KEY))).toBe(true)
      const worker = await open({ SECRET_KEY: 'x'.repeat(40) })
      for (let i = 0; i < 3; i++) expect((await ask(worker, '/api/ready')).status).toBe(200)
      await expect.poll(() => logged).toContain(OTHER_SECRET)
      await ask(worker, '/api/ready')
      expect(logged.split(OTHER_SECRET)).toHaveLength(2)
    })
  })

  test('a database without tables is not ready, for pages too', async () => {
    const empty = await createEmptyDatabase()
    try {
      const worker = await open({ SETUP_TOKEN: 'the token of the set-up', RATE_LIMIT_RPM: '600' }, empty.dsn)
      for (const path of ['/', '/setup', '/web', '/web/login', '/metrics', '/api/ready']) {
        const { status, text } = await ask(worker, path, 'text/html')
        expect([path, status, text]).toEqual([path, 503, expect.not.stringContaining('went wrong')])
      }
    } finally {
      await front?.close()
      front = undefined
      await empty.drop()
    }
  })
})
