import { execFile, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { Services } from '../../kernel/services.ts'
import { createMetrics } from '../../runtime/node/measure/metrics.ts'
import type { Agent } from '../support/agent.ts'
import { describeHosts, type Host } from '../support/hosts.ts'
import { parsePrometheusText, type Sample } from '../support/prometheus-text.ts'
import { repeats } from '../support/soak.ts'

const STATS = { open: 5, idle: 3, waiting: 1 }

function counting({ db, observe }: Services): Partial<Services> {
  const metrics = createMetrics({ db, pools: () => ({ main: STATS, system: { open: 0, idle: 0, waiting: 0 } }) })
  return {
    metrics: metrics.text,
    observe(observation) {
      metrics.observe(observation)
      observe(observation)
    },
  }
}

const scrape = async (agent: Agent): Promise<Sample[]> =>
  parsePrometheusText(await (await agent.get('/metrics')).text())

const figure = (samples: readonly Sample[], name: string, labels: Sample['labels'] = {}): number | undefined =>
  samples.find(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )?.value

const suite = (host: Host) => {
  const isProcess = host.kind === 'process'

  test('is for administrators, with a session or a key', async () => {
    for (const admin of [await host.signIn('admin'), await host.apiKey('admin')]) {
      const response = await admin.get('/metrics')
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  test('is refused to all other callers', async () => {
    const refused = async (agent: Agent) => {
      const response = await agent.get('/metrics')
      const { error } = (await response.json()) as { error: { code: string } }
      return [response.status, error.code]
    }
    expect(await refused(host.anonymous())).toEqual([401, 'UNAUTHORIZED'])
    expect(await refused(await host.signIn('demo'))).toEqual([403, 'ACCESS_DENIED'])
    expect(await refused(await host.apiKey('demo'))).toEqual([403, 'ACCESS_DENIED'])
    const scoped = await host.apiKey('admin', { scope: { models: { 'core.tag': ['read'] } } })
    expect(await refused(scoped)).toEqual([403, 'ACCESS_DENIED'])
  })

  test('accepts a key whose scope is only the metrics', async () => {
    const scraper = await host.apiKey('admin', { scope: { models: { metrics: ['read'] }, read_only: true } })
    expect((await scraper.get('/metrics')).status).toBe(200)
    expect(await scraper.rpc('core.tag', 'search')).toMatchObject({ error: { code: 'ACCESS_DENIED' } })
  })

  test('counts calls by model, method and outcome, and times them', async () => {
    const admin = await host.apiKey('admin')
    const tags = { model: 'core.tag', method: 'search' }
    const before = await scrape(admin)
    await admin.rpc('core.tag', 'search')
    await admin.rpc('core.tag', 'search')
    await admin.rpc('core.tag', 'search', [[['nothing', '=', 1]]])
    const after = await scrape(admin)
    const grown = (name: string, labels: Sample['labels']) =>
      (figure(after, name, labels) ?? 0) - (figure(before, name, labels) ?? 0)
    expect(grown('svc_rpc_requests_total', { ...tags, code: 'OK' })).toBe(2)
    expect(grown('svc_rpc_requests_total', { ...tags, code: 'BAD_REQUEST' })).toBe(1)
    expect(grown('svc_rpc_duration_seconds_count', tags)).toBe(3)
    expect(grown('svc_rpc_duration_seconds_bucket', { ...tags, le: '+Inf' })).toBe(3)
    expect(grown('svc_http_requests_total', { method: 'POST', route: '/api/rpc', status: '200' })).toBe(2)
  })

  // Only a host in this process can be given the low limit that refuses here.
  test.runIf(isProcess)('counts requests refused with 429', async () => {
    const admin = await host.apiKey('admin')
    expect((await host.anonymous().post('{}')).status).toBe(429)
    expect(figure(await scrape(admin), 'svc_rate_limited_total', { route: '/api/rpc' })).toBe(1)
  })

  test('has the mail queue and the jobs', async () => {
    const samples = await scrape(await host.apiKey('admin'))
    expect(figure(samples, 'svc_mail_queue_size', { state: 'queued' })).toBe(0)
    expect(figure(samples, 'svc_mail_queue_age_seconds')).toBe(0)
    expect(figure(samples, 'svc_jobs_failing')).toBe(0)
  })

  // A worker has none of them: each request opens its own connections.
  test.runIf(isProcess)('has pools, the event loop and the process', async () => {
    const samples = await scrape(await host.apiKey('admin'))
    expect(figure(samples, 'svc_db_pool_connections', { pool: 'main', state: 'used' })).toBe(2)
    expect(figure(samples, 'svc_db_pool_connections', { pool: 'main', state: 'idle' })).toBe(3)
    expect(figure(samples, 'svc_db_pool_waiting', { pool: 'main' })).toBe(1)
    for (const name of [
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ])
      expect([name, figure(samples, name)]).toEqual([name, expect.any(Number)])
  })

  test('tells the age of the mail that waits longest', async () => {
    await host.database.db
      .insertInto('sys_mail')
      .values(
        ['1 minute', '1 hour'].map((age) => ({
          ...{ message_id: age, to_name: 'Ann', to_address: 'ann@example.com', subject: 'Hello', text: 'Hello' },
          created_at: new Date(Date.now() - (age === '1 hour' ? 3_600_000 : 60_000)).toISOString(),
        })),
      )
      .execute()
    const samples = await scrape(await host.apiKey('admin'))
    expect(figure(samples, 'svc_mail_queue_size', { state: 'queued' })).toBe(2)
    expect(figure(samples, 'svc_mail_queue_age_seconds')).toBeGreaterThan(3_599)
  })

  test('has as many series as before after any number of made-up models, methods, paths and verbs', async () => {
    const admin = await host.apiKey('admin')
    const ask = async (i: number) => {
      await admin.rpc(`no.model.${i}`, 'search')
      await admin.rpc('core.tag', `method_${i}`)
      await host.fetch(`/nowhere/${i}`, { method: i % 2 ? 'PATCH' : 'DELETE' })
    }
    await ask(0)
    await ask(1)
    const own = async () => (await scrape(admin)).filter(({ name }) => name.startsWith('svc_'))
    const before = (await own()).length
    const rounds = isProcess ? repeats(100, 100_000) : 10
    for (let i = 2; i < rounds; i++) await ask(i)
    const after = await own()
    expect(after.length).toBe(before)
    expect(figure(after, 'svc_rpc_requests_total', { model: 'other' })).toBeGreaterThan(rounds - 3)
  })

  // promtool comes with Prometheus, which the suite does not install.
  const promtool = spawnSync('promtool', ['--version']).status === 0
  test.runIf(promtool)('passes promtool', async () => {
    const text = await (await (await host.apiKey('admin')).get('/metrics')).text()
    const complaint = await new Promise<string>((resolve) => {
      const child = execFile('promtool', ['check', 'metrics'], (error, stdout, stderr) =>
        resolve(`${error?.message ?? ''}${stdout}${stderr}`),
      )
      child.stdin!.end(text)
    })
    expect(complaint).toBe('')
  })
}

describeHosts('GET /metrics', suite, {
  process: (services) => ({
    ...counting(services),
    limiter: {
      admit: async ({ policy, subject }) => ({
        admitted: !(policy === 'rpc' && subject.startsWith('ip:')),
        retryAfter: 1,
        headers: {},
      }),
      charge: async () => {},
    },
  }),
  workerd: {},
})

describe('the parser of the tests', () => {
  const HEAD = '# HELP a_total x\n# TYPE a_total counter\n'

  test('takes labels with anything in them', () => {
    expect(parsePrometheusText(`${HEAD}a_total{x="a,}\\" {b",y="\\\\"} 1e3\n`)).toEqual([
      { name: 'a_total', labels: { x: 'a,}\\" {b', y: '\\\\' }, value: 1_000 },
    ])
  })

  test.each([
    'a_total 1',
    'a_total 1\n',
    `${HEAD}a_total x\n`,
    `${HEAD}a_total{x="1} 1\n`,
    `${HEAD}a_total{x="1",x="2"} 1\n`,
    `${HEAD}a_total 1\na_total 2\n`,
    `${HEAD}b_total 1\n`,
    '# HELP a x\n# TYPE a counter\na 1\n',
    '# HELP a_total x\n# TYPE a_total gauge\na_total 1\n',
  ])('refuses %j', (text) => {
    expect(() => parsePrometheusText(text)).toThrow()
  })
})
