import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { sql } from '../../kernel/sql/sql.ts'
import { describeHost, type Host } from '../support/hosts.ts'
import { repeats } from '../support/soak.ts'
import { withoutTimeLimit } from '../support/without-time-limit.ts'

const path = '/web/export/csv?model=core.tag&fields=name,color&order=id&archived=include'
const ROWS = repeats(60_000, 1_000_000)

/** Transactions of exports, whether their cursor is at work or waits. */
const openTransactions = async ({ database }: Host) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
      and query like '%svc_pages%'`.execute(database.db)
  return rows[0]!.n
}

describeHost('an export of many rows', 'listener', (host) => {
  test('needs one connection at a time, so that as many at once as there are connections all end', async () => {
    const admin = await host.signIn('admin')
    const answers = await Promise.all(Array.from({ length: 5 }, () => admin.get(`${path}&limit=1`)))
    for (const answer of answers) expect(await answer.text()).toMatch(/^name,color/)
  })

  test('comes as fast as it is read, in constant memory, and ends with its reader', async () => {
    await withoutTimeLimit(
      host.database.db,
      sql`insert into core_tag (name, color) select 'Tag number ' || n, n % 12 from generate_series(1, ${ROWS}) as n`,
    )
    const admin = await host.signIn('admin')

    const whole = await admin.get(`${path}&ticket=many-rows`)
    let lines = 0
    let peak = 0
    const before = process.memoryUsage().rss
    for await (const chunk of whole.body!) {
      lines += chunk.reduce((sum, byte) => (byte === 10 ? sum + 1 : sum), 0)
      peak = Math.max(peak, process.memoryUsage().rss)
    }
    expect(lines).toBeGreaterThanOrEqual(ROWS + 1)
    // Its reader was told on the way how far it is.
    const { rows: reports } = await sql<{ ticket: string; done: number }>`
      select payload->>'ticket' as ticket, (payload->>'done')::int as done from sys_outbox
      where channel = 'export.progress' order by id`.execute(host.database.db)
    expect(reports[0]).toMatchObject({ ticket: 'many-rows' })
    for (const { done } of reports) expect(done).toBeLessThanOrEqual(lines)
    expect((peak - before) / 1_048_576).toBeLessThan(80)
    await expect.poll(() => openTransactions(host)).toBe(0)

    const left = await admin.get(path)
    const reader = left.body!.getReader()
    await reader.read()
    // The database waits in the middle of its cursor, because nobody takes what is there.
    await expect.poll(() => openTransactions(host)).toBe(1)
    await reader.cancel()
    await expect.poll(() => openTransactions(host)).toBe(0)

    // Whoever leaves before the answer begins, at whatever moment, leaves nothing behind either.
    for (let ms = 0; ms < 40; ms += 2) {
      const leaving = new AbortController()
      const answer = admin.fetch(path, { signal: leaving.signal }).catch(() => null)
      await sleep(ms)
      leaving.abort()
      await answer
    }
    await expect.poll(() => openTransactions(host)).toBe(0)
    expect(host.observed.filter(({ kind }) => kind === 'failure')).toEqual([])
  })
})

describeHost(
  'an export that nobody reads',
  'process',
  (host) => {
    test('ends after a time limit, although the host does not report that the caller left', async () => {
      await sql`insert into core_tag (name) select 'Tag ' || n from generate_series(1, 5000) as n`.execute(
        host.database.db,
      )
      const unread = await (await host.signIn('admin')).get(path)
      expect(unread.status).toBe(200)
      await expect.poll(() => openTransactions(host)).toBe(0)
      await expect(unread.text().then((text) => text.length)).rejects.toThrow()
    })
  },
  {
    timer: (_ms, run) => {
      const soon = setTimeout(run, 50)
      return () => clearTimeout(soon)
    },
  },
)
