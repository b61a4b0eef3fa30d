import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sqlState } from '../../kernel/sql/pg-error.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { connectDatabase, type Database } from '../../runtime/postgres/database.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'

let postgres: OwnPostgres
let proxy: FaultProxy
let database: Database

beforeAll(async () => {
  postgres = await startOwnPostgres()
  proxy = await startFaultProxy(postgres.dsn)
  database = connectDatabase({ dsn: proxy.dsn, maxConnections: 1, applicationName: 'writer' })
  await sql`create table kept (id int)`.execute(database.db)
})
afterAll(async () => {
  await demand('')
  await database?.close()
  await proxy?.close()
  await postgres?.remove()
})

/** What a caller who writes is told. */
const write = (): Promise<string> =>
  database.db
    .transaction()
    .execute((tx) => sql`insert into kept values (${1})`.execute(tx))
    .then(
      () => 'committed',
      (error) => sqlState(error) ?? String(error),
    )

const demand = async (replica: string) => {
  await postgres.query(`alter system set synchronous_standby_names = '${replica}'`)
  await postgres.query('select pg_reload_conf()')
}

/** The sessions that wait for a replica to confirm their commit. */
const waiting = () =>
  postgres.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'writer' and wait_event = 'SyncRep'`,
  )

/** Writes until a commit has to wait for a replica that never comes; what its caller is told. */
async function writeInVain(): Promise<{ readonly told: Promise<string> }> {
  let told = write()
  await expect
    .poll(async () => {
      // The server had not applied the setting yet.
      if ((await Promise.race([told, 'nothing yet'])) === 'committed') told = write()
      return waiting()
    })
    .toHaveLength(1)
  return { told }
}

beforeEach(() => demand('nobody'))

test('a commit that is cancelled while it waits for a synchronous replica is not acknowledged, since a failover would lose it', async () => {
  const { told } = await writeInVain()
  await postgres.query('select pg_cancel_backend($1)', [(await waiting())[0]!.pid])
  expect(await told).toBe('40003')
})

test('nor is one whose connection breaks meanwhile, and it goes on waiting for the replica', async () => {
  const { told } = await writeInVain()
  proxy.lead(postgres.dsn)
  expect(await told).toBe('40003')
  expect(await waiting()).toHaveLength(1)
})
