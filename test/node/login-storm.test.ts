import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { nativePasswords } from '../../runtime/node/crypto/passwords.ts'
import { Agent, formToken } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'
import { createServiceKey, type Service, startService } from '../support/service.ts'
import { isSoak } from '../support/soak.ts'

let database: TestDatabase
let service: Service

beforeAll(async () => {
  await buildOnce()
  database = await createDatabase(baseTemplate)
  const modules = openModules(database.db, bundledAddons)
  const id = await hire(modules, 'ann', ['base.group_user'])
  // With the real hashing cost: with the cheap one of other tests, the time of an answer would reveal which login exists.
  const password_hash = await nativePasswords().hash('correct horse battery')
  await database.db.updateTable('sys_credential').set({ password_hash }).where('user_id', '=', id).execute()
  service = await startService(database.dsn)
})
afterAll(async () => {
  await service.end('SIGINT')
  await database.drop()
})

async function applicant(): Promise<(login: string, password: string) => Promise<Response>> {
  const visitor = new Agent((path, init) => fetch(service.url + path, init), {})
  const csrf_token = formToken(await visitor.page('/web/login'))
  return (login, password) => visitor.submit('/web/login', { login, password, csrf_token })
}

test('two hundred sign-ins at once are processed one after the other or refused with Retry-After, and other calls go on', async () => {
  const signIn = await applicant()
  let isOver = false
  const storm = Promise.all(Array.from({ length: 200 }, () => signIn('ann', 'a guess at the password'))).finally(() => {
    isOver = true
  })
  let others = 0
  while (!isOver) {
    expect((await fetch(`${service.url}/api/health`)).status).toBe(200)
    others++
  }
  const answers = await storm
  expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([401, 503])
  const sentAway = answers.filter(({ status }) => status === 503)
  expect(sentAway.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true)
  expect(others).toBeGreaterThan(0)
})

/** Figures of time belong to a quiet machine. */
describe.runIf(isSoak)('on a quiet machine', () => {
  test('a login that exists takes as long to refuse as one that does not', async () => {
    const signIn = await applicant()
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let i = 0; i < 200; i++) {
      for (const [kind, login] of [
        ['known', 'ann'],
        ['unknown', `nobody-${i}`],
      ] as const) {
        const began = performance.now()
        await signIn(login, 'a guess at the password')
        times[kind].push(performance.now() - began)
      }
    }
    const [known, unknown] = [median(times.known), median(times.unknown)]
    console.log(`median ms: known ${known.toFixed(1)}, unknown ${unknown.toFixed(1)}`)
    expect(Math.abs(known - unknown) / known).toBeLessThan(0.05)
  })

  test('two hundred sign-ins at once leave calls and pages as fast as they were', async () => {
    const signIn = await applicant()
    const key = await createServiceKey(database.db)
    const quiet = await timeRoutes(key, () => false)
    let isOver = false
    const storm = Promise.all(Array.from({ length: 200 }, () => signIn('ann', 'a guess at the password'))).finally(
      () => {
        isOver = true
      },
    )
    const busy = await timeRoutes(key, () => isOver)
    await storm
    for (const route of ROUTES) {
      const [before, during] = [quiet[route], busy[route]]
      const figures = [0.5, 0.99].map(
        (share) => `${quantile(before, share).toFixed(1)} → ${quantile(during, share).toFixed(1)}`,
      )
      console.log(
        `${route}: p50 ${figures[0]} ms, p99 ${figures[1]} ms (${before.length} and ${during.length} requests)`,
      )
      // Two hashes at a time leave nothing of two cores; other calls wait for the scheduler then, not for a sign-in.
      expect(quantile(during, 0.99)).toBeLessThan(quantile(before, 0.99) * 3 + 50)
    }
  })
})

const ROUTES = ['/api/rpc', '/web/login'] as const

/** Asks each route in turn for three seconds, or until it is over; how long each answer took. */
async function timeRoutes(key: string, isOver: () => boolean): Promise<Record<(typeof ROUTES)[number], number[]>> {
  const times = { '/api/rpc': [] as number[], '/web/login': [] as number[] }
  const read = { model: 'core.country', method: 'search_read', args: [[], ['name']], kwargs: { limit: 20 } }
  const call = {
    method: 'POST',
    body: JSON.stringify(read),
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
  }
  const end = performance.now() + 3_000
  while (performance.now() < end && !isOver()) {
    for (const route of ROUTES) {
      const began = performance.now()
      const answer = await fetch(service.url + route, route === '/api/rpc' ? call : {})
      await answer.arrayBuffer()
      expect(answer.status).toBe(200)
      times[route].push(performance.now() - began)
    }
  }
  return times
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)]!

const median = (values: readonly number[]): number => quantile(values, 0.5)
