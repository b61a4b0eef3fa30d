import { afterAll, beforeAll, expect, test } from 'vitest'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { parsePrometheusText } from '../support/prometheus-text.ts'
import { openRpcClient, type Reply, type RpcClient } from '../support/rpc-client.ts'
import { createServiceKey, type Service, startService } from '../support/service.ts'

const LIMIT = 12
const PERIOD_MS = 60_000 / LIMIT
const CALL = { model: 'core.tag', method: 'search', args: [] }

let database: TestDatabase
let key: string
const services: Service[] = []

beforeAll(async () => {
  database = await createDatabase(baseTemplate)
  key = await createServiceKey(database.db)
  await buildOnce()
  const settings = { SVC_RATE_LIMIT_RPM: String(LIMIT), SVC_TRUSTED_PROXIES: '127.0.0.1, ::1' }
  services.push(...(await Promise.all([1, 2, 3].map(() => startService(database.dsn, settings)))))
})

afterAll(async () => {
  await Promise.all(services.map((service) => service.end('SIGINT')))
  await database.drop()
})

const anonymous = (service: Service, forwardedFor: string) =>
  fetch(`${service.url}/api/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': forwardedFor },
    body: '{}',
  })

test('three processes admit together exactly what one would', async () => {
  const clients = services.map(({ url }) => openRpcClient(url, key))
  const started = performance.now()
  const replies: Reply[] = []
  const ask = async (client: RpcClient) => {
    for (let i = 0; i < 5; i++) replies.push(await client.rpc(CALL))
  }
  await Promise.all([...clients, ...clients, ...clients].map(ask))
  const grownBack = Math.floor((performance.now() - started) / PERIOD_MS)
  for (const client of clients) client.close()
  const count = (status: number) => replies.filter((reply) => reply.status === status).length
  expect(count(200) + count(429)).toBe(45)
  expect(count(200)).toBeGreaterThanOrEqual(LIMIT)
  expect(count(200)).toBeLessThanOrEqual(LIMIT + grownBack)
})

test('three processes count an address together, as the trusted proxy before them tells it', async () => {
  const started = performance.now()
  const tries = services.flatMap((service) => Array.from({ length: 9 }, () => anonymous(service, '198.51.100.1')))
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  const grownBack = Math.floor((performance.now() - started) / PERIOD_MS)
  const passed = statuses.filter((status) => status === 401).length
  expect(new Set(statuses)).toEqual(new Set([401, 429]))
  expect(passed).toBeGreaterThanOrEqual(LIMIT)
  expect(passed).toBeLessThanOrEqual(LIMIT + grownBack)
  expect((await anonymous(services[0]!, '198.51.100.2')).status).toBe(401)
  // More than can have grown back meanwhile.
  const more = await Promise.all(
    Array.from({ length: LIMIT }, () => anonymous(services[0]!, '198.51.100.2, 198.51.100.1')),
  )
  expect(more.map(({ status }) => status)).toContain(429)
})

test('a process reports its metrics', async () => {
  let text = ''
  // The key has been used up before, perhaps by the other processes alone; one call grows back every five seconds.
  const client = openRpcClient(services[0]!.url, key)
  await expect.poll(async () => (await client.rpc(CALL)).status).toBe(200)
  client.close()
  await expect
    .poll(async () => {
      const response = await fetch(`${services[0]!.url}/metrics`, { headers: { 'x-api-key': key } })
      text = await response.text()
      return response.status
    })
    .toBe(200)
  const names = new Set(parsePrometheusText(text).map(({ name }) => name))
  for (const name of ['svc_rpc_requests_total', 'svc_rate_limited_total', 'svc_db_pool_connections'])
    expect([name, names.has(name)]).toEqual([name, true])
})
