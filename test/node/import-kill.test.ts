import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { findPrincipal } from '../../kernel/auth/principal.ts'
import { createSession } from '../../kernel/auth/session.ts'
import { stageImport } from '../../kernel/exchange/import/stage.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { connectBus } from '../support/bus-client.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { openModules } from '../support/modules.ts'
import { createServiceKey, type Service, startService } from '../support/service.ts'

const ROWS = 8_000
let database: TestDatabase
const running: Service[] = []

beforeAll(async () => {
  await buildOnce()
  database = await createDatabase(baseTemplate)
})
afterAll(async () => {
  for (const service of running) await service.end('SIGKILL')
  await database.drop()
})

const serve = async () => {
  const service = await startService(database.dsn)
  running.push(service)
  return service
}

const value = async <T>(text: ReturnType<typeof sql<{ value: T }>>): Promise<T | undefined> =>
  (await text.execute(database.db)).rows[0]?.value

const imported = () =>
  value(sql<{ value: number }>`select count(*)::int as value from core_partner where name like 'Killed %'`)

test('a service that is killed in the middle of an import has imported nothing, and another imports it all', async () => {
  const key = await createServiceKey(database.db)
  const lines = Array.from({ length: ROWS }, (_, n) => `Killed ${n},City ${n % 50},Germany`)
  const file = { name: 'killed.csv', bytes: new TextEncoder().encode(`name,city,country_id\n${lines.join('\n')}\n`) }
  const owner = (await value(sql<{ value: number }>`select id as value from core_user where login = 'operator'`))!
  const modules = openModules(database.db, bundledAddons)
  const id = await modules.asSystem(async (env) =>
    stageImport(env.as((await findPrincipal(env, owner))!), { model: 'core.partner', file }),
  )
  const confirm = async ({ url }: Service) => {
    const body = JSON.stringify({ model: 'sys.bulk.import', method: 'call', args: [id, 'action_confirm_import', {}] })
    const headers = { 'content-type': 'application/json', 'x-api-key': key }
    const response = await fetch(`${url}/api/rpc`, { method: 'POST', headers, body })
    return (await response.json()) as { ok: boolean; result: { redirect: string } }
  }

  const first = await serve()
  const answer = confirm(first).catch(() => 'cut off')
  // The owner's screens hear how far it is, although the import itself is not to be seen yet.
  const progress = () =>
    value(sql<{ value: { id: number; done: number; total: number; state: string } }>`
      select payload as value from sys_outbox where channel = 'import.progress' and user_id = ${owner} limit 1`)
  await expect.poll(progress, { timeout: 20_000 }).toMatchObject({ id, total: ROWS, state: 'running' })
  expect((await progress())!.done).toBeLessThan(ROWS)
  await first.end('SIGKILL')
  expect(await answer).toBe('cut off')
  // The database notices that nobody is there.
  const open = () =>
    value(sql<{ value: number }>`select count(*)::int as value from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`)
  await expect.poll(open, { timeout: 20_000 }).toBe(0)
  expect(await imported()).toBe(0)
  expect(await value(sql<{ value: string }>`select state as value from sys_bulk_import where id = ${id}`)).toBe(
    'staged',
  )

  // The second time a screen of the owner follows it to its end.
  const second = await serve()
  const { token } = await createSession(modules.services, database.db, { userId: owner, ip: null, userAgent: null })
  const screen = await connectBus(second.url, { cookie: `svc_session=${token}` })
  const again = await confirm(second)
  expect(again.result.redirect).toContain(`msg=imported_${ROWS}_updated_0_skipped_0`)
  expect(await imported()).toBe(ROWS)
  await screen.until(({ channel, payload }) => channel === 'import.progress' && payload['state'] === 'done')
  const told = screen.received.flatMap(({ channel, payload }) => (channel === 'import.progress' ? [payload] : []))
  expect(told.at(-1)).toEqual({ id, done: ROWS, total: ROWS, state: 'done' })
  expect(told.slice(0, -1)).not.toEqual([])
  const done = told.map((payload) => payload['done'] as number)
  expect(done).toEqual(done.toSorted((a, b) => a - b))
  await screen.close()
})
