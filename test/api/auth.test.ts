import { beforeAll, describe, expect, test } from 'vitest'
import { generateApiKey } from '../../kernel/auth/api-key.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { Agent } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { describeHosts, type Host } from '../support/hosts.ts'
import { mistyped } from '../support/mistyped.ts'

const call = { model: 'core.country', method: 'search_read', args: [[['code', '=', 'PL']], ['name']] }
const change = { model: 'core.partner', method: 'create', args: [{ name: 'Somebody' }] }
const outcome = async (agent: Agent, body: unknown = call, headers: Record<string, string> = {}) => {
  const { status, error } = await agent.send(body, headers)
  return `${status} ${error?.code ?? 'OK'}`
}

describeHosts('who calls', (host) => {
  const bare = (headers: Record<string, string>) => new Agent(host.fetch, headers)

  test('neither session nor key is UNAUTHORIZED with 401', async () => {
    const answer = await host.anonymous().send(call)
    expect(answer).toMatchObject({
      ...{ status: 401, ok: false, result: null },
      error: { code: 'UNAUTHORIZED', details: { reason: 'credential_missing' } },
    })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    // What a script sends when the variable with its key is not set.
    const empty = await bare({ 'x-api-key': '' }).send(call)
    expect(empty).toMatchObject({ status: 401, error: { details: { reason: 'credential_missing' } } })
  })

  test('a session and both headers of a key are accepted', async () => {
    const { key } = await host.apiKey('demo')
    expect(await outcome(await host.signIn('demo'))).toBe('200 OK')
    expect(await outcome(bare({ 'x-api-key': key }))).toBe('200 OK')
    expect(await outcome(bare({ authorization: `Bearer ${key}` }))).toBe('200 OK')
    expect(await outcome(bare({ authorization: `bearer ${key}` }))).toBe('200 OK')
  })

  test('the acting user is the owner of the key or session', async () => {
    const books = { model: 'library.book', method: 'search_read', args: [[], ['title']] }
    expect(await outcome(await host.apiKey('demo'), books)).toBe('200 OK')
    expect(await outcome(await host.apiKey('guest'), books)).toBe('403 ACCESS_DENIED')
    expect(await outcome(await host.signIn('guest'), books)).toBe('403 ACCESS_DENIED')
  })

  test('a key takes precedence over a cookie, even if the key is not valid', async () => {
    const session = await host.signIn('demo')
    const { key } = await host.apiKey('guest')
    const books = { model: 'library.book', method: 'search_read', args: [[], ['title']] }
    expect(await outcome(session, books)).toBe('200 OK')
    expect(await outcome(session.with({ 'x-api-key': key }), books)).toBe('403 ACCESS_DENIED')
    expect(await outcome(session.with({ 'x-api-key': 'sk_wrong' }))).toBe('401 UNAUTHORIZED')
    expect(await outcome(session.with({ authorization: 'Bearer sk_wrong' }))).toBe('401 UNAUTHORIZED')
    expect(await outcome(session.with({ authorization: 'Basic dXNlcjpwYXNz' }))).toBe('200 OK')
  })

  test('two session cookies count as none', async () => {
    const session = await host.signIn('demo')
    const cookie = session.cookies.header!
    expect(await outcome(session.with({ cookie: `${cookie}; ${cookie}` }))).toBe('401 UNAUTHORIZED')
    expect(await outcome(session.with({ cookie: `svc_session=tossed; ${cookie}` }))).toBe('401 UNAUTHORIZED')
    expect(await outcome(session.with({ cookie: `other=1; ${cookie}` }))).toBe('200 OK')
  })

  test('a key in the query string is ignored', async () => {
    const { key } = await host.apiKey('demo')
    const answer = await host.fetch(`/api/rpc?api_key=${key}&x-api-key=${key}`, {
      method: 'POST',
      body: JSON.stringify(call),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(401)
  })

  describe('a key that is not good', () => {
    let answers: string[]
    beforeAll(async () => {
      const bodies: string[] = []
      for (const key of await badKeys(host)) {
        const response = await bare({ 'x-api-key': key }).post(JSON.stringify(call))
        bodies.push(`${response.status} ${await response.text()}`)
      }
      answers = bodies
    })

    test('is refused with the same message, whatever is wrong with it', () => {
      expect(answers.length).toBeGreaterThan(6)
      expect(new Set(answers).size).toBe(1)
      expect(answers[0]).toMatch(/^401 .*UNAUTHORIZED.*key_invalid/)
    })
  })

  test('a key at an address that takes only sessions is refused as such', async () => {
    const response = await (await host.apiKey('demo')).get('/web/settings', { accept: 'application/json' })
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: { details: { reason: 'key_not_taken' } } })
  })

  test('the time of last use of a key is noted', async () => {
    const agent = await host.apiKey('demo')
    await agent.rpc('core.country', 'search', [], { limit: 1 })
    await expect
      .poll(async () => {
        const { rows } = await sql<{ used: string | null }>`
          select last_used_at as used from core_api_key where id = ${agent.keyId}`.execute(host.database.db)
        return rows[0]?.used
      })
      .toMatch(/^\d{4}-/)
  })

  test('a scope restricts the rights of the owner', async () => {
    const readOnly = await host.apiKey('admin', { scope: { read_only: true } })
    expect(await outcome(readOnly)).toBe('200 OK')
    expect(await outcome(readOnly, change)).toBe('403 ACCESS_DENIED')
    expect(await outcome(readOnly, { model: 'core.partner', method: 'onchange', args: [{}, []] })).toBe('200 OK')
    const some = await host.apiKey('admin', {
      scope: { models: { 'core.country': ['search_read'], 'core.partner': ['create'] } },
    })
    expect(await outcome(some)).toBe('200 OK')
    expect(await outcome(some, change)).toBe('200 OK')
    expect(await outcome(some, { ...call, method: 'search', args: [] })).toBe('403 ACCESS_DENIED')
    expect(await outcome(some, { ...call, model: 'core.company' })).toBe('403 ACCESS_DENIED')
    expect(await outcome(some, { ...call, model: 'made.up' })).toBe('403 ACCESS_DENIED')
    const beyond = await host.apiKey('guest', { scope: { models: { '*': ['*'] } } })
    expect(await outcome(beyond, { model: 'library.book', method: 'search', args: [] })).toBe('403 ACCESS_DENIED')
  })

  test('a change of a user takes effect with the next request', async () => {
    const userId = await hire(host.modules, 'leaver', ['base.group_user', 'library.group_user'])
    const [session, key] = [await host.signIn('leaver'), await host.apiKey('leaver')]
    const books = { model: 'library.book', method: 'search', args: [] }
    expect([await outcome(session, books), await outcome(key, books)]).toEqual(['200 OK', '200 OK'])
    await host.modules.asSystem((env) => env.model('core.user').write([userId], { group_ids: [] }))
    expect([await outcome(session, books), await outcome(key, books)]).toEqual([
      '403 ACCESS_DENIED',
      '403 ACCESS_DENIED',
    ])
    await host.modules.asSystem((env) => env.model('core.user').write([userId], { active: false }))
    expect([await outcome(session, books), await outcome(key, books)]).toEqual(['401 UNAUTHORIZED', '401 UNAUTHORIZED'])
  })

  test('a raised credential epoch ends the sessions of a user and leaves the keys', async () => {
    const userId = await hire(host.modules, 'forgetful', ['base.group_user'])
    const [session, key] = [await host.signIn('forgetful'), await host.apiKey('forgetful')]
    await sql`insert into sys_credential (user_id, auth_epoch) values (${userId}, 1)
      on conflict (user_id) do update set auth_epoch = sys_credential.auth_epoch + 1`.execute(host.database.db)
    expect([await outcome(session), await outcome(key)]).toEqual(['401 UNAUTHORIZED', '200 OK'])
  })

  test.each([
    ['used a day ago', sql`last_seen_at = now() - interval '25 hours'`, '401 UNAUTHORIZED'],
    ['used this morning', sql`last_seen_at = now() - interval '23 hours'`, '200 OK'],
    ['two weeks old', sql`abs_expires_at = now() - interval '1 second'`, '401 UNAUTHORIZED'],
  ])('a session %s', async (_name, change, expected) => {
    const session = await host.signIn('demo')
    await sql`update sys_session set ${change} where token_hash = (select token_hash from sys_session order by created_at desc limit 1)`.execute(
      host.database.db,
    )
    expect(await outcome(session)).toBe(expected)
  })

  describe('a session that posts', () => {
    test('needs its own CSRF token', async () => {
      const [session, other] = [await host.signIn('demo'), await host.signIn('demo')]
      expect(await outcome(session)).toBe('200 OK')
      expect(await outcome(session.without('x-csrf-token'))).toBe('403 CSRF')
      expect(await outcome(session.with({ 'x-csrf-token': other.headers['x-csrf-token']! }))).toBe('403 CSRF')
      expect(await outcome(session.with({ 'x-csrf-token': 'A'.repeat(64) }))).toBe('403 CSRF')
    })

    test('must come from the same origin', async () => {
      const session = await host.signIn('demo')
      expect(await outcome(session, call, { 'sec-fetch-site': 'same-origin' })).toBe('200 OK')
      expect(await outcome(session, call, { 'sec-fetch-site': 'cross-site' })).toBe('403 CSRF')
      expect(await outcome(session, call, { origin: 'http://modulus.test' })).toBe('200 OK')
      expect(await outcome(session, call, { origin: 'https://evil.test' })).toBe('403 CSRF')
      expect(await outcome(session, call, { origin: 'null' })).toBe('403 CSRF')
    })

    test('with a key needs neither', async () => {
      const key = await host.apiKey('demo')
      expect(await outcome(key, call, { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' })).toBe('200 OK')
    })
  })

  test('a GET with a session needs no token', async () => {
    const session = await host.signIn('demo')
    const response = await session.without('x-csrf-token').get('/api/openapi.json')
    expect(response.status).toBe(200)
  })
})

/** One key for each thing that can be wrong. */
async function badKeys(host: Host): Promise<string[]> {
  const { db } = host.database
  const random = (size: number) => crypto.getRandomValues(new Uint8Array(size))
  const revoked = await host.apiKey('demo')
  await sql`update core_api_key set active = false where id = ${revoked.keyId}`.execute(db)
  const expired = await host.apiKey('demo', { expiresAt: '2020-01-01T00:00:00.000Z' })
  const good = await host.apiKey('demo')
  await hire(host.modules, 'gone', ['base.group_user'])
  const orphan = await host.apiKey('gone')
  await sql`update core_user set active = false where login = 'gone'`.execute(db)
  return [
    'nonsense',
    generateApiKey(random),
    mistyped(good.key),
    good.key.toUpperCase(),
    `${good.key} ${good.key}`,
    revoked.key,
    expired.key,
    orphan.key,
  ]
}
