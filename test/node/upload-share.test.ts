import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { issueCsrfToken } from '../../kernel/auth/csrf.ts'
import { createSession } from '../../kernel/auth/session.ts'
import { Agent } from '../support/agent.ts'
import { hire } from '../support/api-database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'
import { startShared } from '../support/shared-services.ts'
import { upload } from '../support/upload.ts'
import { inSheet, textCell, workbookOf } from '../support/workbook-of.ts'

let database: TestDatabase
let service: Awaited<ReturnType<typeof startShared>>

beforeAll(async () => {
  await buildOnce()
  database = await createDatabase(baseTemplate)
  service = await startShared(database.dsn, { SVC_DB_MAX_OPEN_CONNS: '1' })
})
afterAll(async () => {
  await service?.end()
  await database?.drop()
})

async function signIn(login: string): Promise<Agent> {
  const modules = openModules(database.db, bundledAddons)
  const userId = await hire(modules, login, ['base.group_user'])
  const { token, csrfSecret } = await createSession(modules.services, database.db, {
    userId,
    ip: null,
    userAgent: null,
  })
  const headers = {
    cookie: `svc_session=${token}`,
    'x-csrf-token': issueCsrfToken(csrfSecret, modules.services.random),
  }
  return new Agent((path, init) => fetch(service.url + path, init), headers)
}

test('a workbook is read without the connection that others need', async () => {
  const [ann, ben] = [await signIn('ann'), await signIn('ben')]
  // Takes half a second to read, and has one record.
  const blank = `<row>${'<c/>'.repeat(200)}</row>`.repeat(5_000)
  const file = await workbookOf(inSheet(`<row>${textCell('Name')}</row><row>${textCell('Azure')}</row>${blank}`))
  let isDone = false
  const uploads = Promise.all(Array.from({ length: 4 }, async () => (await upload(ann, file)).status)).finally(() => {
    isDone = true
  })
  const others: number[] = []
  while (!isDone) others.push((await ben.send({ model: 'core.partner', method: 'search', args: [[]] })).status)
  expect(await uploads).toEqual([200, 200, 200, 200])
  expect(new Set(others)).toEqual(new Set([200]))
  // One while each of the files is stored, and many while they are read.
  expect(others.length).toBeGreaterThan(40)
})
