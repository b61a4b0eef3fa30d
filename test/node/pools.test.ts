import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { LIMITS } from '../../kernel/limits.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { openDatabase } from '../../runtime/node/database/database.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'

let own: TestDatabase
beforeAll(async () => {
  own = await createDatabase()
})
afterAll(() => own.drop())

async function setting(db: Db, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)
  return rows[0]?.value
}

test('keeps a pool for the system that busy requests cannot starve', async () => {
  const databases = openDatabase({ dsn: own.dsn, maxConnections: 1, applicationName: 'svc' })
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const busy = databases.db.connection().execute(() => released)
  expect(await setting(databases.system, 'statement_timeout')).toBe('1min')
  expect(databases.replica).toBeUndefined()
  await expect.poll(databases.stats).toEqual({
    main: { open: 1, idle: 0, waiting: 0 },
    system: { open: 1, idle: 1, waiting: 0 },
    auth: { open: 0, idle: 0, waiting: 0 },
    rate: { open: 0, idle: 0, waiting: 0 },
  })
  release()
  await busy
  await databases.close()
  await databases.close()
})

test('authenticates all that four users may send at once, however few connections there are for it', async () => {
  const databases = openDatabase({ dsn: own.dsn, maxConnections: 20, applicationName: 'svc' })
  const calls = Array.from({ length: 4 * (LIMITS.userRequests + LIMITS.userWaiting) }, () =>
    sql`select 1`.execute(databases.auth),
  )
  const outcomes = await Promise.allSettled(calls)
  // On a stalled machine a wait may time out, but nobody is refused who could still have waited.
  const isSentAway = (outcome: PromiseSettledResult<unknown>) =>
    outcome.status === 'rejected' && String((outcome.reason as Error).cause).includes('callers wait for one already')
  expect(outcomes.filter(isSentAway)).toEqual([])
  expect(databases.stats().auth.open).toBe(4)
  await databases.close()
})

test('keeps one connection when all has been quiet for a while, so that the next caller need not wait for a new one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const databases = openDatabase({ dsn: own.dsn, maxConnections: 3, applicationName: 'svc' })
  try {
    let letGo = () => {}
    const mayGo = new Promise<void>((resolve) => {
      letGo = resolve
    })
    let begun = 0
    const holdOne = () =>
      databases.db.connection().execute(async () => {
        begun++
        if (begun === 3) letGo()
        await mayGo
      })
    await Promise.all([holdOne(), holdOne(), holdOne()])
    await expect.poll(() => databases.stats().main).toEqual({ open: 3, idle: 3, waiting: 0 })
    vi.advanceTimersByTime(600_000)
    expect(databases.stats().main).toEqual({ open: 1, idle: 1, waiting: 0 })
  } finally {
    vi.useRealTimers()
    await databases.close()
  }
})

test('opens a read-only pool for the replica', async () => {
  const databases = openDatabase({ dsn: own.dsn, replicaDsn: own.dsn, maxConnections: 1, applicationName: 'svc' })
  expect(await setting(databases.replica!.db, 'default_transaction_read_only')).toBe('on')
  await databases.close()
})

describe('the sessions of a service', () => {
  const TIMEOUTS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const
  const settings = async (db: Db) => {
    const names = [...TIMEOUTS, 'client_connection_check_interval', 'TimeZone', 'application_name']
    const { rows } = await sql<{ name: string; value: string }>`
      select name, current_setting(name) as value from unnest(${names}::text[]) as name`.execute(db)
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  }

  test('have the limits that are documented, in every pool', async () => {
    const pools = openDatabase({ dsn: own.dsn, maxConnections: 1, applicationName: 'modulus 1' })
    const limits = {
      lock_timeout: '3s',
      idle_in_transaction_session_timeout: '15s',
      client_connection_check_interval: '500ms',
      TimeZone: 'UTC',
    }
    expect(await settings(pools.db)).toEqual({ ...limits, statement_timeout: '15s', application_name: 'modulus 1' })
    expect(await settings(pools.system)).toEqual({
      ...limits,
      statement_timeout: '1min',
      application_name: 'modulus 1 system',
    })
    expect(await settings(pools.probe)).toEqual({
      ...limits,
      statement_timeout: '1s',
      application_name: 'modulus 1 probe',
    })
    await pools.close()
  })
})
