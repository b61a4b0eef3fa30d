import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { installModules } from '../../kernel/module/install.ts'
import { uninstallModule } from '../../kernel/module/uninstall.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { connectDatabase, type Database } from '../../runtime/postgres/database.ts'
import type { Agent } from '../support/agent.ts'
import { PATIENCE_MS } from '../support/database.ts'
import { describeHost, type Host } from '../support/hosts.ts'

const MODULE = 'library_extra'
const review = 'library.review'

/** Somebody else who works on the same database; also whom requests of known callers use. */
let rival: Database | undefined

function suite(host: Host): void {
  let admin: Agent
  let id: number

  beforeAll(async () => {
    rival = connectDatabase({
      dsn: host.database.dsn,
      maxConnections: 4,
      applicationName: 'rival',
      connectWaitMs: PATIENCE_MS,
    })
    await install()
    admin = await host.signIn('admin')
    const [book] = await admin.must<{ id: number }[]>('library.book', 'search_read', [[], ['id']], { limit: 1 })
    id = await admin.must<number>(review, 'create', [{ book_id: book!.id, rating: 4 }])
  })
  afterAll(async () => {
    await rival?.close()
    rival = undefined
  })

  const install = () => installModules(host.modules.services, host.modules.catalogue, [MODULE])

  beforeEach(install)

  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(rival!.db)
    return rows[0]!.count
  }

  /** Sends a call once the module waits for a table that it takes away, so that the call begins before that and waits for it, too. */
  async function callMeanwhile<T>(call: () => Promise<T>): Promise<T> {
    const { services, catalogue } = host.modules
    const [left, answer] = await rival!.db.transaction().execute(async (tx) => {
      await sql`lock table library_review in access share mode`.execute(tx)
      const leaving = uninstallModule(services, catalogue, MODULE)
      await expect.poll(waiting).toBe(1)
      const calling = call()
      await expect.poll(waiting).toBe(2)
      return [leaving, calling] as const
    })
    await left
    return answer
  }

  const calls: Readonly<Record<string, () => ReturnType<Agent['rpc']>>> = {
    search: () => admin.rpc(review, 'search', [[]], { limit: 80 }),
    search_read: () => admin.rpc(review, 'search_read', [[], ['rating']], { limit: 80 }),
    read: () => admin.rpc(review, 'read', [[id], ['rating']]),
    read_group: () => admin.rpc(review, 'read_group', [{ groupby: ['rating'] }]),
    write: () => admin.rpc(review, 'write', [[id], { rating: 3 }]),
    unlink: () => admin.rpc(review, 'unlink', [[id]]),
  }

  test.each(Object.keys(calls))(
    'a call that waits for its table is told that the model is gone: %s',
    async (method) => {
      await calls['search']!()
      host.observed.length = 0
      host.database.statements.length = 0
      const answer = await callMeanwhile(calls[method]!)
      const removals = host.database.statements.filter((text) =>
        text.includes('CREATE SCHEMA IF NOT EXISTS quarantine'),
      )
      // The two may wait for each other. If PostgreSQL then ends the removal, which is repeated, the call comes before it.
      const isFirst = removals.length > 1 && answer.ok
      if (!isFirst)
        expect(answer).toMatchObject({
          ok: false,
          error: { code: 'NOT_FOUND', details: { reason: 'model_unknown' } },
        })
      expect(host.observed.filter(({ kind }) => kind === 'failure')).toEqual([])
      expect(host.observed.filter(({ kind }) => kind === 'rpc')).toMatchObject([{ code: isFirst ? 'OK' : 'NOT_FOUND' }])
    },
  )
}

describeHost('while a module leaves', 'process', suite)

describeHost('while a module leaves, with callers who are known', 'process', suite, (services) => ({
  forRequest: (signal, ms, options) => (rival === undefined ? services.db : rival.forRequest(signal, ms, options)),
}))
