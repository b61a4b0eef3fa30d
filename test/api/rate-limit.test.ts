import { expect, test } from 'vitest'
import { ratePolicies } from '../../kernel/serve/rate-policy.ts'
import { countWithMemory } from '../../runtime/rate-limiter.ts'
import type { Agent } from '../support/agent.ts'
import { describeHost, describeHosts, type Host, type OtherPorts } from '../support/hosts.ts'

/** So low that a call comes free only every twenty seconds, which no test takes on a busy machine. */
const LIMIT = 3
const FREE_S = 60 / LIMIT
const SEARCH = { model: 'core.tag', method: 'search', args: [] }

const statuses = async (agent: Agent, tries: number): Promise<Record<number, number>> => {
  const answers = await Promise.all(Array.from({ length: tries }, () => agent.send(SEARCH)))
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

function suite(host: Host): void {
  test('exactly the limit is admitted, and the next request gets Retry-After', async () => {
    const key = await host.apiKey('demo')
    expect(await statuses(key, LIMIT + 8)).toEqual({ 200: LIMIT, 429: 8 })
    const refused = await key.send(SEARCH)
    expect(refused).toMatchObject({ status: 429, ok: false, result: null, error: { code: 'RATE_LIMITED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(FREE_S)
    expect(refused.headers.get('ratelimit-policy')).toBe(`"rpc";q=${LIMIT};w=60`)
    expect(refused.headers.get('ratelimit')).toMatch(/^"rpc";r=0;t=\d+$/)
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
  })

  test('every answer has the remaining allowance in its headers, also an error', async () => {
    const key = await host.apiKey('demo')
    const left = async (body: unknown) => {
      const { headers } = await key.send(body)
      return ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`))
    }
    expect(await left(SEARCH)).toEqual([String(LIMIT), String(LIMIT - 1), String(FREE_S)])
    expect(await left({ ...SEARCH, model: 'no.model' })).toEqual([String(LIMIT), String(LIMIT - 2), String(2 * FREE_S)])
  })

  test('each key has its own limit, and so has the user who owns them', async () => {
    const [one, other, session] = [await host.apiKey('guest'), await host.apiKey('guest'), await host.signIn('guest')]
    expect(await statuses(one, LIMIT + 1)).toEqual({ 200: LIMIT, 429: 1 })
    expect((await other.send(SEARCH)).status).toBe(200)
    expect((await session.send(SEARCH)).status).toBe(200)
  })

  test('all sessions of a user share one limit', async () => {
    const [one, other] = [await host.signIn('demo'), await host.signIn('demo')]
    expect(await statuses(one, LIMIT)).toEqual({ 200: LIMIT })
    expect((await other.send(SEARCH)).status).toBe(429)
  })

  test('calls without a valid credential count for their address only', async () => {
    const bad = host.anonymous().with({ 'x-api-key': 'sk_wrong' })
    expect(await statuses(bad, LIMIT + 3)).toEqual({ 401: LIMIT, 429: 3 })
    expect((await host.anonymous().send(SEARCH)).status).toBe(429)
    expect((await (await host.apiKey('demo')).send(SEARCH)).status).toBe(200)
  })

  test('other routes have a separate limit, and those that cost nothing have none', async () => {
    const key = await host.apiKey('admin')
    await statuses(key, LIMIT)
    for (const path of ['/api/health', '/api/ready', '/nowhere']) {
      const response = await key.get(path)
      expect([path, response.status < 429, response.headers.get('ratelimit')]).toEqual([path, true, null])
    }
    const answers = []
    for (let i = 0; i <= LIMIT; i++) answers.push((await key.get('/api/openapi.json')).status)
    expect(answers).toEqual([...Array.from({ length: LIMIT }, () => 200), 429])
  })

  test('a refused call changes nothing', async () => {
    const key = await host.apiKey('admin')
    await statuses(key, LIMIT)
    const create = { model: 'core.tag', method: 'create', args: [{ name: 'refused' }] }
    expect((await key.send(create)).status).toBe(429)
    const named = await host.modules.asSystem((env) => env.model('core.tag').search([['name', '=', 'refused']]))
    expect(named).toEqual([])
  })
}

const ports =
  (rpm: number) =>
  (services: { readonly db: Host['database']['db'] }): OtherPorts => ({
    limiter: countWithMemory({
      db: services.db,
      policies: ratePolicies(rpm),
      clock: () => performance.now(),
      onAway: (error) => expect.unreachable(String(error)),
    }),
  })

describeHosts('a limit of calls', suite, {
  process: ports(LIMIT),
  workerd: { bindings: { RATE_LIMIT_RPM: String(LIMIT) } },
})

describeHost(
  'the cost of a limit',
  'process',
  (host) => {
    test('takes one statement, and a refused call none besides authentication', async () => {
      const key = await host.apiKey('demo')
      await key.send(SEARCH)
      const { statements } = host.database
      statements.length = 0
      await key.send(SEARCH)
      expect(statements).toHaveLength(3)
      await statuses(key, LIMIT)
      statements.length = 0
      expect((await key.send(SEARCH)).status).toBe(429)
      expect(statements).toHaveLength(1)
    })
  },
  ports(LIMIT),
)

describeHost(
  'a limit of 0',
  'process',
  (host) => {
    test('admits everything without a statement or a header', async () => {
      const key = await host.apiKey('demo')
      await key.send(SEARCH)
      host.database.statements.length = 0
      const { headers } = await key.send(SEARCH)
      expect(headers.get('ratelimit')).toBeNull()
      expect(host.database.statements).toHaveLength(2)
      expect(await statuses(key, 20)).toEqual({ 200: 20 })
    })
  },
  ports(0),
)
