import { beforeEach, expect, test } from 'vitest'
import * as tick from '../../handlers/internal/tick.ts'
import { signatureOf } from '../../kernel/auth/signature.ts'
import { runDueJobs } from '../../kernel/job/cron.ts'
import { LIMITS } from '../../kernel/limits.ts'
import type { ModuleState } from '../../kernel/module/state.ts'
import type { Services } from '../../kernel/services.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { describeHosts, type Host, SECRET_KEY } from '../support/hosts.ts'
import { jobHost } from '../support/job-host.ts'

const signature = signatureOf(new TextEncoder().encode(SECRET_KEY), tick.post)

const suite = (host: Host) => {
  const call = (headers: Record<string, string> = { 'x-signature': signature }) =>
    host.fetch('/internal/tick', { method: 'POST', headers })
  const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(host.database.db)).rows
  const makeDue = (handler: string) => query(`update sys_cron set nextcall = '2026-01-01' where handler = '${handler}'`)
  // What an earlier test has run may be due again by now.
  beforeEach(() => query("update sys_cron set nextcall = now() + interval '1 day'"))

  test('runs due jobs once and answers with their runs', async () => {
    await makeDue('base.prune_outbox')
    const answer = await call()
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      ok: true,
      runs: [
        {
          id: expect.any(Number),
          name: 'Shorten the live event log',
          outcome: 'done',
          durationMs: expect.any(Number),
          error: null,
        },
      ],
    })
    expect(await (await call()).json()).toEqual({ ok: true, runs: [] })
  })

  test('runs a limited number of jobs, and the others with the next call', async () => {
    await query(`insert into sys_cron (name, model, action, interval_number, interval_type, nextcall, timezone, active, priority, state,
      failures, run_seq) select 'Many ' || n, 'sys.cron', 'action_run_now', 1, 'days', '2026-01-01', 'UTC', true, 5, 'idle', 0, 0
      from generate_series(1, ${LIMITS.tickJobs + 2}) n`)
    expect((await (await call()).json()).runs).toHaveLength(LIMITS.tickJobs)
    expect((await (await call()).json()).runs).toHaveLength(2)
  })

  test.each([
    ['no signature', {}],
    ['an empty one', { 'x-signature': '' }],
    ['that of another secret', { 'x-signature': signatureOf(new Uint8Array(32), tick.post) }],
    [
      'that of another address',
      { 'x-signature': signatureOf(new TextEncoder().encode(SECRET_KEY), { method: 'POST', path: '/' }) },
    ],
    ['the signature as a key', { authorization: `Bearer ${signature}` }],
  ])('with %s is UNAUTHORIZED and runs nothing', async (_what, headers) => {
    await makeDue('base.prune_rates')
    const answer = await call(headers)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ ok: false, error: { code: 'UNAUTHORIZED' } })
    expect(await query("select last_run_at from sys_cron where handler = 'base.prune_rates'")).toEqual([
      { last_run_at: null },
    ])
  })

  // Node has timers of its own instead of such triggers.
  test.runIf(host.kind === 'workerd')('a cron trigger of the platform does the same, without a signature', async () => {
    const state = () =>
      query(`select nextcall > now() as later, (select count(*)::int from sys_cron_run where cron_id = sys_cron.id) as runs
        from sys_cron where handler = 'base.prune_expired'`)
    await makeDue('base.prune_expired')
    await host.scheduled()
    expect(await state()).toEqual([{ later: true, runs: 1 }])
    await host.scheduled()
    expect(await state()).toEqual([{ later: true, runs: 1 }])
  })

  // Only workerd has cron triggers.
  test.runIf(host.kind === 'workerd')('a cron trigger says when it could not look for jobs', async () => {
    await query('alter table sys_cron rename to sys_cron_away')
    await expect(host.scheduled()).rejects.toThrow('exception')
    await query('alter table sys_cron_away rename to sys_cron')
    await makeDue('base.prune_outbox')
    await host.scheduled()
    expect(await query("select nextcall > now() as later from sys_cron where handler = 'base.prune_outbox'")).toEqual([
      { later: true },
    ])
  })

  test('is no page: other methods are refused, also for an administrator', async () => {
    const admin = await host.signIn('admin')
    expect((await admin.get('/internal/tick')).status).toBe(405)
    expect((await admin.fetch('/internal/tick', { method: 'POST' })).status).toBe(401)
  })
}

const withTick = (services: Services) => ({
  // The holder of these hosts gives the whole state of the modules.
  tick: () => runDueJobs(services, () => services.state.current(ANY) as Promise<ModuleState>, jobHost()),
})
const ANY = { modules: 0, access: 0, views: 0 }

describeHosts('POST /internal/tick', suite, { process: withTick, workerd: {} })
