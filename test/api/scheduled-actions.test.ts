import { beforeAll, expect, test } from 'vitest'
import { runDueJob } from '../../kernel/job/cron.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'
import { jobHost } from '../support/job-host.ts'

const DENIED = { ok: false, error: { code: 'ACCESS_DENIED', details: { reason: 'key_scope' } } }
const JOBS = ['read', 'search_read', 'create', 'write', 'call']

describeHost('a scheduled action', 'process', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
  })
  const job = { name: 'Lost books', model: 'library.book', action: 'action_mark_lost' }
  const keyFor = (models: Readonly<Record<string, readonly string[]>>, credentials = true) =>
    host.apiKey('admin', { scope: { models: { 'sys.cron': JOBS, ...models }, credentials } })

  test('is one that does its work without a record', async () => {
    const made = await admin.must<number>('sys.cron', 'create', [job])
    for (const values of [
      { model: 'core.user', action: 'action_reset_password' },
      { model: 'library.book', action: 'action_lend' },
    ]) {
      const refused = { error: { code: 'VALIDATION', details: { fields: { action: expect.any(String) } } } }
      expect(await admin.rpc('sys.cron', 'create', [{ ...job, ...values }])).toMatchObject(refused)
      expect(await admin.rpc('sys.cron', 'write', [[made], values])).toMatchObject(refused)
    }
  })

  test('is made by a key only if the key may call it', async () => {
    const narrow = await keyFor({})
    expect(await narrow.rpc('sys.cron', 'create', [job])).toMatchObject(DENIED)
    const reader = await keyFor({ 'library.book': ['read', 'write'] })
    expect(await reader.rpc('sys.cron', 'create', [job])).toMatchObject(DENIED)
    const caller = await keyFor({ 'library.book': ['read', 'call'] })
    const made = await caller.must<number>('sys.cron', 'create', [job])
    const other = await admin.must<number>('sys.cron', 'create', [{ name: 'Prune', handler: 'base.prune_rates' }])
    const task = { handler: null, model: job.model, action: job.action }
    expect(await narrow.rpc('sys.cron', 'write', [[other], task])).toMatchObject(DENIED)
    // The priority and an early run do not change what the job does, so they need no right to that.
    expect(await narrow.rpc('sys.cron', 'write', [[made], { priority: 9 }])).toMatchObject({ ok: true })
    expect(await narrow.rpc('sys.cron', 'call', [made, 'action_run_now'])).toMatchObject({ ok: true })
  })

  test('is made after a recent password, or by a key for credentials: it runs with every right', async () => {
    const made = await admin.must<number>('sys.cron', 'create', [job])
    const modest = await keyFor({ 'library.book': ['*'] }, false)
    expect(await modest.rpc('sys.cron', 'create', [job])).toMatchObject(DENIED)
    expect(await modest.rpc('sys.cron', 'create', [{ name: 'Prune', handler: 'base.prune_rates' }])).toMatchObject(
      DENIED,
    )
    await sql`update sys_session set reauth_at = now() - interval '1 hour'`.execute(host.database.db)
    const confirm = { error: { details: { reason: 'confirm_password', confirm: '/web/confirm' } } }
    expect(await admin.rpc('sys.cron', 'create', [job])).toMatchObject(confirm)
    expect(await admin.rpc('sys.cron', 'write', [[made], { action: 'action_make_available' }])).toMatchObject(confirm)
    expect(await admin.rpc('sys.cron', 'write', [[made], { priority: 3 }])).toMatchObject({ ok: true })
    await sql`update sys_session set reauth_at = now()`.execute(host.database.db)
  })

  test('that fails by a fault says so without the words of the program', async () => {
    const { db } = host.database
    await sql`update sys_cron set nextcall = now() + interval '1 day', attempt_at = null`.execute(db)
    const { rows } = await sql<{ id: number }>`
      insert into sys_cron (name, model, action, interval_number, interval_type, nextcall, timezone, active, priority, state, failures, run_seq)
      values ('Old', 'core.user', 'action_reset_password', 1, 'days', '2026-01-01', 'UTC', true, 5, 'idle', 0, 0) returning id`.execute(
      db,
    )
    const run = await runDueJob(host.modules.services, await host.modules.holder.latest(), jobHost())
    expect(run).toMatchObject({
      id: rows[0]!.id,
      outcome: 'failed',
      error: 'The job has a fault. The log of the service has the details.',
    })
    const told = await admin.must<{ error: string }[]>('sys.cron.run', 'search_read', [
      [['cron_id', '=', rows[0]!.id]],
      ['error'],
    ])
    expect(JSON.stringify(told)).not.toContain('undefined')
  })
})
