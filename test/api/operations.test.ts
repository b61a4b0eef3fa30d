import { beforeAll, expect, test } from 'vitest'
import type { WireOperations } from '../../kernel/admin/wire-operations.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Agent, Envelope } from '../support/agent.ts'
import { describeHost } from '../support/hosts.ts'

const JSON_TYPE = { accept: 'application/json', 'content-type': 'application/json' }
const PATH = '/web/settings/operations'

describeHost('GET /web/settings/operations', 'process', (host) => {
  let admin: Agent
  beforeAll(async () => {
    admin = await host.signIn('admin')
  })
  const ask = async (): Promise<WireOperations> =>
    ((await (await admin.get(PATH, JSON_TYPE)).json()) as Envelope).result as WireOperations
  const post = (agent: Agent, path: string) =>
    agent.fetch(`/web/settings${path}`, { method: 'POST', body: '{}' }, JSON_TYPE)

  test('lists jobs with their last runs, the oldest first, and why one fails', async () => {
    const { db } = host.database
    await sql`update sys_cron set failures = 2 where handler = 'base.prune_rates'`.execute(db)
    await sql`insert into sys_cron_run (cron_id, started_at, duration_ms, outcome, error)
      select id, now() - n * interval '1 hour', n * 10, case n when 1 then 'failed' else 'done' end, case n when 1 then 'disk full' end
      from sys_cron, generate_series(25, 1, -1) n where handler = 'base.prune_rates'`.execute(db)
    const { jobs } = await ask()
    const rates = jobs.find(({ failures }) => failures > 0)!
    expect(rates).toMatchObject({ every: 1, unit: 'hours', active: true, isRunning: false, error: 'disk full' })
    expect(rates.runs).toHaveLength(20)
    expect(rates.runs.at(-1)).toMatchObject({ outcome: 'failed', ms: 10 })
    await admin.must('sys.cron', 'call', [rates.id, 'action_run_now'])
    const again = (await ask()).jobs.find(({ id }) => id === rates.id)!
    expect(Date.parse(again.nextRunAt)).toBeLessThanOrEqual(Date.now() + 1_000)
  })

  test('lists mails without their text, and sends one again that was given up', async () => {
    const { db } = host.database
    await sql`insert into sys_mail (message_id, state, attempts, to_name, to_address, subject, text, last_error)
      values ('<1@x>', 'failed', 10, 'Ann', 'ann@example.com', 'Hello', 'with a secret link', 'mailbox full')`.execute(
      db,
    )
    const before = await ask()
    expect(before).toMatchObject({ mail: { state: 'none', server: null }, open: 1 })
    const [mail] = before.mails
    expect(mail).toMatchObject({ to: 'ann@example.com', subject: 'Hello', state: 'failed', error: 'mailbox full' })
    expect(JSON.stringify(before)).not.toContain('secret')
    expect((await post(admin, `/mails/${mail!.id}/retry`)).status).toBe(200)
    expect((await ask()).mails[0]).toMatchObject({ state: 'queued', attempts: 0 })
    await sql`update sys_mail set state = 'sent', text = null, sent_at = now()`.execute(db)
    expect((await post(admin, `/mails/${mail!.id}/retry`)).status).toBe(404)
  })

  test('says in words why a mail does not reach its server, with what a program says as detail', async () => {
    const { db } = host.database
    await sql`delete from sys_mail`.execute(db)
    await sql`insert into sys_mail (message_id, state, to_name, to_address, subject, text, last_error)
      values ('<2@x>', 'queued', 'Ann', 'ann@example.com', 'Hello', 'Text', 'smtp.example.com:587: connect ECONNREFUSED 10.0.0.1:587')`.execute(
      db,
    )
    expect((await ask()).mails[0]).toMatchObject({
      error: 'The mail server smtp.example.com:587 cannot be reached.',
      detail: 'connect ECONNREFUSED 10.0.0.1:587',
    })
  })

  test('is refused to all users but administrators', async () => {
    const [demo, key] = [await host.signIn('demo'), await host.apiKey('admin')]
    for (const [agent, status] of [
      [host.anonymous(), 401],
      [key, 401],
      [demo, 403],
    ] as const) {
      expect((await agent.get(PATH, JSON_TYPE)).status).toBe(status)
      expect((await post(agent, '/mails/1/retry')).status).toBe(status)
    }
  })
})
