import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { createSession } from '../../kernel/auth/session.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { hire } from '../support/api-database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'
import { type Service, startService } from '../support/service.ts'
import { withoutTimeLimit } from '../support/without-time-limit.ts'

/** More than the buffers of a connection hold, so that an export waits for its reader. */
const ROWS = 60_000
const READ_ROWS = 20_000
const NAME_LENGTH = 300

let database: TestDatabase
let service: Service
const cookies: string[] = []

beforeAll(async () => {
  await buildOnce()
  database = await createDatabase(baseTemplate)
  const modules = openModules(database.db, bundledAddons)
  // One user has one export at a time.
  for (const login of ['ann', 'ben']) {
    const userId = await hire(modules, login, ['base.group_system'])
    const { token } = await createSession(modules.services, database.db, { userId, ip: null, userAgent: null })
    cookies.push(`svc_session=${token}`)
  }
  await withoutTimeLimit(
    database.db,
    sql`insert into core_tag (name) select rpad(n::text, ${NAME_LENGTH}, '.') from generate_series(1, ${ROWS}) as n`,
  )
  service = await startService(database.dsn)
})
afterAll(async () => {
  if (service?.child.exitCode === null) await service.end('SIGKILL')
  await database?.drop()
})

async function exportTags(cookie: string, more = ''): Promise<Response> {
  const path = `/web/export/csv?model=core.tag&fields=name&order=id&archived=include${more}`
  const answer = await fetch(`${service.url}${path}`, { headers: { cookie } })
  expect(answer.headers.get('content-type')).toContain('text/csv')
  return answer
}

test('a running export is finished when the service stops, and one that is cut is recognised as incomplete', async () => {
  const [ann, ben] = cookies
  const [read, unread] = await Promise.all([exportTags(ann!, `&limit=${READ_ROWS}`), exportTags(ben!)])
  const ended = service.end('SIGTERM')
  await expect.poll(service.log).toContain('SIGTERM: stopping')
  expect((await read.text()).trimEnd().split('\n')).toHaveLength(READ_ROWS + 1)
  service.child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0 })
  expect(service.log()).toContain('Cut, since they had not ended: GET /web/export/csv.')
  await expect(unread.text()).rejects.toThrow()
})
