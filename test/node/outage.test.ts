import { expect, test, vi } from 'vitest'
import { unavailable } from '../../kernel/errors.ts'
import type { Observation } from '../../kernel/observation.ts'
import { watchOutages } from '../../runtime/node/database/outage.ts'

const away = (): Error => unavailable('database_away', 'The database is busy or away.', 1, new Error('No PostgreSQL.'))

function open() {
  const logged: Observation[] = []
  const database = { isThere: true, now: 0, probes: 0 }
  const outages = watchOutages({
    probe: async () => {
      database.probes++
      if (!database.isThere) throw away()
    },
    log: (observation) => logged.push(observation),
    clock: () => database.now,
  })
  const refuse = (n: number) => {
    outages.observe({ kind: 'failure', requestId: `r${n}`, error: away(), route: 'GET /' })
    const request = { kind: 'request', requestId: `r${n}`, method: 'GET', path: '/', ms: 1, userId: null } as const
    outages.observe({ ...request, status: 503, code: 'UNAVAILABLE' })
  }
  const texts = () => logged.map((entry) => (entry.kind === 'warning' ? entry.text : entry.kind))
  return { outages, database, refuse, texts }
}

test('an outage is reported when it begins and when it ends, with its length and the number of refused requests', async () => {
  vi.useFakeTimers()
  try {
    const { outages, database, refuse, texts } = open()
    database.isThere = false
    outages.lost(new Error('x'))
    for (let n = 0; n < 3; n++) refuse(n)
    await vi.advanceTimersByTimeAsync(0)
    for (let n = 3; n < 10; n++) refuse(n)
    await vi.advanceTimersByTimeAsync(5_000)
    const begin = 'The database is away: No PostgreSQL. Requests get 503 until it is back.'
    expect(texts()).toEqual([begin])
    database.isThere = true
    database.now = 5_400
    await vi.advanceTimersByTimeAsync(1_000)
    expect(texts()).toEqual([begin, 'The database is back after 5 s. Requests refused: 10.'])
    const { probes } = database
    await vi.advanceTimersByTimeAsync(10_000)
    expect(database.probes).toBe(probes)
    outages.close()
  } finally {
    vi.useRealTimers()
  }
})

test('a database that still answers while it ends its connections is reported as away, and only once', async () => {
  const { outages, database, texts } = open()
  outages.lost(new Error('x'))
  await expect.poll(() => database.probes).toBe(1)
  database.isThere = false
  await expect.poll(texts).toEqual(['The database is away: No PostgreSQL. Requests get 503 until it is back.'])
  outages.close()
})

test('a single connection that fails, or a pool that is too busy, is logged as it is', async () => {
  const { outages, refuse, texts } = open()
  outages.lost(new Error('x'))
  refuse(1)
  await expect.poll(texts).toEqual(['A database connection failed: x', 'failure', 'request'])
})

test('connections that fail together are one line, without their consequences in the process', async () => {
  const { outages, refuse, texts } = open()
  for (let n = 0; n < 10; n++) outages.lost(new Error('read ECONNRESET'))
  outages.observe({ kind: 'failure', requestId: 'bus', error: away() })
  outages.suspect({ kind: 'warning', text: 'Requests are counted by this process alone: x' })
  refuse(1)
  const line = '10 database connections failed: read ECONNRESET'
  await expect.poll(texts).toEqual([line, 'failure', 'request'])
  outages.suspect({ kind: 'warning', text: 'Requests are counted by this process alone: x' })
  await expect.poll(texts).toHaveLength(4)
})

test('other reports pass at once, also during an outage', async () => {
  const { outages, database, refuse, texts } = open()
  database.isThere = false
  refuse(1)
  await expect.poll(texts).toHaveLength(1)
  outages.observe({ kind: 'failure', requestId: 'r', error: new Error('a fault of ours') })
  expect(texts()[1]).toBe('failure')
  outages.close()
})
