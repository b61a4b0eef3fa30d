import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { createSession } from '../../kernel/auth/session.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { openBus } from '../../runtime/node/bus/bus.ts'
import { hire } from '../support/api-database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { connectBus } from '../support/bus-client.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules, type TestModules } from '../support/modules.ts'
import { type Service, startService } from '../support/service.ts'

/** Of the usual setting: sockets that a user, or an address without a session, may open in a minute. */
const UPGRADES = 60
const PERIOD_MS = 60_000 / UPGRADES

let database: TestDatabase
let modules: TestModules
const services: Service[] = []

beforeAll(async () => {
  database = await createDatabase(baseTemplate)
  modules = openModules(database.db, bundledAddons)
  await buildOnce()
  const settings = { SVC_RATE_LIMIT_RPM: '600' }
  services.push(...(await Promise.all([1, 2].map(() => startService(database.dsn, settings)))))
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.end('SIGINT')))
  await database.drop()
})

async function cookieOf(userId: number): Promise<string> {
  const { token } = await createSession(modules.services, database.db, { userId, ip: null, userAgent: null })
  return `svc_session=${token}`
}

/** Opens a socket and closes it again; returns the outcome. */
async function knock(service: Service, cookie: string): Promise<string> {
  try {
    await (await connectBus(service.url, { cookie })).close()
    return 'opened'
  } catch (error) {
    return String(error)
  }
}

/** How many sockets were opened, and how many could have been, since the allowance grows with time. */
async function knockOften(cookie: string, passes: string) {
  const started = performance.now()
  const answers: string[] = []
  for (let i = 0; i < UPGRADES + 20; i++) answers.push(await knock(services[i % services.length]!, cookie))
  const grownBack = Math.floor((performance.now() - started) / PERIOD_MS)
  const passed = answers.filter((answer) => answer === passes).length
  expect(new Set(answers)).toEqual(new Set([passes, ...(passed < answers.length ? ['Error: refused with 429'] : [])]))
  return { passed, atMost: UPGRADES + grownBack }
}

test('sockets that a user opens in a minute are counted by all processes together; another user is not affected', async () => {
  const busy = await cookieOf(await hire(modules, 'busy', ['base.group_user']))
  const { passed, atMost } = await knockOften(busy, 'opened')
  expect(passed).toBeGreaterThanOrEqual(UPGRADES)
  expect(passed).toBeLessThanOrEqual(atMost)
  const other = await cookieOf(await hire(modules, 'other', ['base.group_user']))
  expect(await knock(services[0]!, other)).toBe('opened')
})

test('without a session those of an address are counted, and a user at the same address is not affected', async () => {
  const { passed, atMost } = await knockOften('svc_session=none', 'Error: refused with 401')
  expect(passed).toBeGreaterThanOrEqual(UPGRADES)
  expect(passed).toBeLessThanOrEqual(atMost)
  const guest = await cookieOf(await hire(modules, 'guest at that address', ['base.group_user']))
  expect(await knock(services[1]!, guest)).toBe('opened')
})

test('a process has a limited number of sockets in total', async () => {
  const bus = await openBus({
    services: modules.services,
    holder: modules.holder,
    wakeUp: { isListening: true },
    process: 'full',
    onEvents: () => {},
  })
  const reserve = (userId: number) => bus.reserve({ sessionId: `session of ${userId}`, userId })
  const taken = Array.from({ length: LIMITS.sockets }, (_, userId) => reserve(userId))
  expect(taken.filter(Boolean)).toHaveLength(LIMITS.sockets)
  expect(reserve(LIMITS.sockets)).toBe(false)
  await bus.stop()
})
