import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { AT_GATE, CREATE_GATE, OPEN_GATE } from '../support/gate.ts'
import { createServiceKey, type Service, serviceSettings, startService } from '../support/service.ts'
import { runSvc } from '../support/svc.ts'

let database: TestDatabase
let service: Service | undefined

const OLD = "now() - interval '40 days'"
/** A row that is too old, in every table that is cleared. */
const OLD_ROWS: Readonly<Record<string, string>> = {
  // The half hour puts them into another slot than the events of now.
  sys_outbox: `insert into sys_outbox (channel, payload, created_at) select 'old', '{}', ${OLD} - interval '30 minutes' from generate_series(1, 6000)`,
  sys_revision: `insert into sys_revision (model, res_id, version, changed, created_at) values ('core.tag', 1, 1, '{}', ${OLD})`,
  sys_session: `insert into sys_session (token_hash, user_id, auth_epoch, csrf_secret, abs_expires_at) values ('old', 1, 0, '', ${OLD})`,
  sys_reset: `insert into sys_reset (user_id, token_hash, auth_epoch, expires_at) values (1, 'old', 0, ${OLD})`,
  sys_flash: `insert into sys_flash (id, session_id, expires_at) values (gen_random_uuid(), gen_random_uuid(), ${OLD})`,
  sys_log: `insert into sys_log (level, source, message, create_date) values ('info', 'test', 'old', ${OLD})`,
  sys_idempotency: `insert into sys_idempotency (user_id, key, body_hash, created_at) values (1, 'old', '', ${OLD})`,
  sys_rate: `insert into sys_rate values ('old', ${OLD}, 1)`,
  sys_mail: `insert into sys_mail (message_id, to_name, to_address, subject, state, created_at) values ('old', '', 'a@example.com', '', 'sent', ${OLD})`,
}
/** How to tell such a row from those that a running service makes. */
const AGE: Readonly<Record<string, string>> = {
  sys_session: 'abs_expires_at',
  sys_reset: 'expires_at',
  sys_flash: 'expires_at',
  sys_log: 'create_date',
  sys_rate: 'tat',
}

beforeAll(async () => {
  database = await createDatabase(baseTemplate)
  await buildOnce()
})
afterAll(async () => {
  await service?.end('SIGKILL')
  await database?.drop()
})

const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows
const PATIENCE = { timeout: 90_000, interval: 50 }

test('a running service deletes expired rows in every table', async () => {
  for (const insert of Object.values(OLD_ROWS)) await query(insert)
  service = await startService(database.dsn, { SVC_DB_MAX_OPEN_CONNS: '1' })
  const left = async () => {
    const counts = Object.keys(OLD_ROWS).map(
      (table) =>
        `select '${table}' as name from ${table} where ${AGE[table] ?? 'created_at'} < now() - interval '39 days'`,
    )
    return query(`select distinct name from (${counts.join(' union all ')}) old`)
  }
  await expect.poll(left, PATIENCE).toEqual([])
  await expect
    .poll(() => query("select count(*)::int as runs from sys_cron_run where outcome = 'done'"), PATIENCE)
    .toEqual([{ runs: 3 }])
})

test('a job runs at once when an administrator says so, and the run is in its log', async () => {
  const key = await createServiceKey(database.db)
  const rpc = async (method: string, args: readonly unknown[]) => {
    const response = await fetch(`${service!.url}/api/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ model: 'sys.cron', method, args }),
    })
    const { result, error } = await response.json()
    expect(error).toBeNull()
    return result
  }
  const [job] = await rpc('search_read', [[['handler', '=', 'base.prune_expired']], ['nextcall', 'run_ids']])
  await rpc('call', [job.id, 'action_run_now'])
  const log = async () => (await rpc('read', [[job.id], ['run_ids']]))[0].run_ids
  await expect.poll(log, PATIENCE).toHaveLength(job.run_ids.length + 1)
  expect(await rpc('read', [[job.id], ['nextcall', 'attempt_at', 'state']])).toEqual([
    expect.objectContaining({ nextcall: job.nextcall, attempt_at: null, state: 'idle' }),
  ])
})

test('the command line lists the jobs, and gives the signature that the running service takes', async () => {
  const settings = serviceSettings(database.dsn)
  const { stdout } = await runSvc(['cron', 'list'], settings)
  expect(stdout).toMatch(/^ID +NAME +NEXT RUN +LAST RUN +STATE +FAILURES\n/)
  expect(stdout).toMatch(
    /^\d+ +Shorten the live event log +\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +\d{4}-\d\d-\d\d .*Z +\w+ +0$/m,
  )
  const { json } = await runSvc(['cron', 'signature', '--json'], settings)
  const tick = (signature: string) =>
    fetch(`${service!.url}/internal/tick`, { method: 'POST', headers: { 'x-signature': signature } })
  const answer = await tick(String(json['signature']))
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true, runs: expect.any(Array) }])
  expect((await tick('wrong')).status).toBe(401)
})

test('jobs run while requests use all connections that they may have', async () => {
  const key = await createServiceKey(database.db, 'second')
  const [tag] = await query("insert into core_tag (name) values ('Gate') returning id")
  await query(CREATE_GATE)
  const body = JSON.stringify({ model: 'core.tag', method: 'write', args: [[tag!['id']], { name: 'Held' }] })
  const headers = { 'content-type': 'application/json', 'x-api-key': key }
  const held = fetch(`${service!.url}/api/rpc`, { method: 'POST', headers, body })
  await expect.poll(() => query(AT_GATE), PATIENCE).toHaveLength(1)
  await query("update sys_cron set nextcall = now() - interval '1 hour' where handler = 'base.prune_rates'")
  const { json } = await runSvc(['cron', 'signature', '--json'], serviceSettings(database.dsn))
  const answer = await fetch(`${service!.url}/internal/tick`, {
    method: 'POST',
    headers: { 'x-signature': String(json['signature']) },
  })
  expect(answer.status).toBe(200)
  await expect.poll(() => query('select 1 from sys_cron where nextcall <= now()'), PATIENCE).toEqual([])
  await query(OPEN_GATE)
  expect((await held).status).toBe(200)
})

test('SIGTERM ends a service and its jobs cleanly', async () => {
  expect(await service!.end('SIGTERM')).toMatchObject({ code: 0, signal: null })
  service = undefined
  await expect
    .poll(() => query("select 1 from sys_cron where state = 'running' or owner is not null"), PATIENCE)
    .toEqual([])
})
