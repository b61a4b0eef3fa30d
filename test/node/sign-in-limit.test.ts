import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { Agent, formToken } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'
import { type Service, startService } from '../support/service.ts'

let database: TestDatabase
let services: Service[]

/** A tenth of this is allowed to sign in: twelve tries from one address. */
const RPM = 120
const TRIES = 12
const PASSWORD = 'a longer pass phrase'

beforeAll(async () => {
  await buildOnce()
  database = await createDatabase(baseTemplate)
  // Before there is a user, the sign-in page leads to the set-up.
  const modules = openModules(database.db, bundledAddons)
  const ann = await hire(modules, 'ann', ['base.group_user'])
  await modules.asSystem((env) => env.model('core.user').write([ann], { password: PASSWORD }))
  services = await Promise.all(
    Array.from({ length: 3 }, () =>
      startService(database.dsn, { SVC_RATE_LIMIT_RPM: String(RPM), SVC_TRUSTED_PROXIES: '127.0.0.1' }),
    ),
  )
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.end('SIGINT')))
  await database.drop()
})

/** On a slow machine another try is allowed while the guesses are being made; never more than the elapsed time gives. */
function expectFew(guesses: number, began: number): void {
  const extra = Math.floor(((performance.now() - began) / 60_000) * TRIES) + 1
  expect(guesses).toBeGreaterThanOrEqual(TRIES / 3)
  expect(guesses).toBeLessThanOrEqual(TRIES / 3 + extra)
}

test('guesses of others do not lock users out of a known browser or an open session', async () => {
  const [{ url }] = services as [Service, ...Service[]]
  // All of them come from one address, as people of one office do.
  const browser = () => new Agent((path, init) => fetch(url + path, init), { 'x-forwarded-for': '198.51.100.7' })
  const signIn = (agent: Agent, password: string) => agent.fill('/web/login', { login: 'ann', password })
  const [own, guesser] = [browser(), browser()]
  expect((await signIn(own, PASSWORD)).status).toBe(303)
  while ((await signIn(guesser, 'a guess at it')).status !== 429);
  expect((await own.fill('/web/confirm', { password: PASSWORD })).status).toBe(303)
  own.cookies.set('svc_session', '')
  expect((await signIn(own, PASSWORD)).status).toBe(303)
})

test('a password that is asked for again may be guessed no more often than at the sign-in', async () => {
  const [{ url }] = services as [Service, ...Service[]]
  const own = new Agent((path, init) => fetch(url + path, init), { 'x-forwarded-for': '198.51.100.8' })
  expect((await own.fill('/web/login', { login: 'ann', password: PASSWORD })).status).toBe(303)
  const csrf_token = formToken(await own.page('/web/confirm'))
  const began = performance.now()
  let guesses = 0
  while ((await own.submit('/web/confirm', { password: 'a guess at it', csrf_token })).status !== 429) guesses++
  expectFew(guesses, began)
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
  expectFew(statuses.indexOf(429), began)
})
