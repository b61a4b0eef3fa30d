import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { build } from '../../runtime/build/build.mjs'
import { Agent, formToken } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'
import { type Service, startService } from '../support/service.ts'

let database: TestDatabase
let services: Service[]

/** A tenth of this is allowed to sign in: twelve tries from one address. */
const RPM = 120
const TRIES = 12

beforeAll(async () => {
  await build()
  database = await createDatabase(baseTemplate)
  // Before there is a user, the sign-in page leads to the set-up.
  await hire(openModules(database.db, bundledAddons), 'ann', ['base.group_user'])
  services = await Promise.all(
    Array.from({ length: 3 }, () => startService(database.dsn, { SVC_RATE_LIMIT_RPM: String(RPM) })),
  )
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.end('SIGTERM')))
  await database.drop()
})

test('A2: guesses at several processes count together, and each failure costs three', async () => {
  const visitors = await Promise.all(
    services.map(async ({ url }) => {
      const visitor = new Agent((path, init) => fetch(url + path, init), {})
      return { visitor, csrf_token: formToken(await visitor.page('/web/login')) }
    }),
  )
  const statuses: number[] = []
  const began = performance.now()
  for (let i = 0; i < 12; i++) {
    const { visitor, csrf_token } = visitors[i % visitors.length]!
    const answer = await visitor.submit('/web/login', { login: `user${i}`, password: 'a guess at it', csrf_token })
    statuses.push(answer.status)
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  // A slow machine hands out another try while the guesses are being made; never more than the time allows.
  const extra = Math.floor(((performance.now() - began) / 60_000) * TRIES) + 1
  const guesses = statuses.indexOf(429)
  expect(guesses).toBeGreaterThanOrEqual(TRIES / 3)
  expect(guesses).toBeLessThanOrEqual(TRIES / 3 + extra)
})
