import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { build } from '../../runtime/build.mjs'
import { Agent, formToken } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'
import { type Service, startService } from '../support/service.ts'

let database: TestDatabase
let service: Service

beforeAll(async () => {
  await build()
  database = await createDatabase(baseTemplate)
  const modules = openModules(database.db, bundledAddons)
  const id = await hire(modules, 'ann', ['base.group_user'])
  await modules.asSystem((env) => env.model('core.user').write([id], { password: 'correct horse battery' }))
  service = await startService(database.dsn)
})
afterAll(async () => {
  await service.end('SIGTERM')
  await database.drop()
})

async function applicant(): Promise<(login: string, password: string) => Promise<Response>> {
  const visitor = new Agent((path, init) => fetch(service.url + path, init), {})
  const csrf_token = formToken(await visitor.page('/web/login'))
  return (login, password) => visitor.submit('/web/login', { login, password, csrf_token })
}

test('two hundred sign-ins at once are let in one after the other or told to come back, and others go on', async () => {
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
  expect(others).toBeGreaterThan(20)
})

/** Figures of time belong to a quiet machine. */
describe.runIf(process.env['SOAK'])('on a quiet machine', () => {
  test('a login that exists takes as long to refuse as one that does not', { timeout: 600_000 }, async () => {
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
})

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
