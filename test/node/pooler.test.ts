import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundledAddons } from '../../addons/index.ts'
import { createSession } from '../../kernel/auth/session.ts'
import { OWNER_LOCKS } from '../../kernel/job/claim.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { hire } from '../support/api-database.ts'
import { baseTemplate } from '../support/base-database.ts'
import { buildOnce } from '../support/build-once.ts'
import { type BusClient, connectBus } from '../support/bus-client.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { startLoad } from '../support/ledger.ts'
import { openModules } from '../support/modules.ts'
import { withClient } from '../support/own-postgres.ts'
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { openRpcClient } from '../support/rpc-client.ts'
import { createServiceKey, type Service, startService } from '../support/service.ts'

const WRITES = 80
// A package of Debian that the suite does not install.
const says = hasPgBouncer ? '' : ' (not tried: the package pgbouncer is not installed)'

describe.runIf(hasPgBouncer)(`two processes behind a pooler that gives each transaction another session${says}`, () => {
  let database: TestDatabase
  let pooler: PgBouncer
  let key: string
  let cookie: string
  const services: Service[] = []
  const opened: BusClient[] = []

  beforeAll(async () => {
    await buildOnce()
    database = await createDatabase(baseTemplate)
    key = await createServiceKey(database.db)
    const modules = openModules(database.db, bundledAddons)
    const userId = await hire(modules, 'reader', ['base.group_system'])
    const { token } = await createSession(modules.services, database.db, { userId, ip: null, userAgent: null })
    cookie = `svc_session=${token}`
    pooler = await startPgBouncer(database.dsn, 6)
    services.push(...(await Promise.all([startService(pooler.dsn), startService(pooler.dsn)])))
  })
  afterAll(async () => {
    await Promise.all(opened.map((client) => client.close()))
    await Promise.all(services.map((service) => service.end('SIGINT')))
    await pooler?.stop()
    await database?.drop()
  })

  const rpc = (service: Service) => openRpcClient(service.url, key)

  test('keep every write, and never run a statement that another client has prepared', async () => {
    const clients = services.map(rpc)
    let turn = 0
    const load = await startLoad(
      {
        rpc: (call) => clients[turn++ % 2]!.rpc(call),
        get: (path) => clients[turn++ % 2]!.get(path),
        close() {},
      },
      { writers: 4, readers: 4 },
    )
    await expect.poll(() => load.acknowledged).toBeGreaterThan(WRITES)
    await load.stop()
    expect(load.contradictions).toEqual([])
    expect(load.replies.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
    const named = await withClient(pooler.dsn, (client) => client.query('select name from pg_prepared_statements'))
    expect(named.rows).toEqual([])
    for (const client of clients) client.close()
  })

  test('send each other their events, though no notification arrives', async () => {
    const [writer, other] = services as [Service, Service]
    const client = await connectBus(other.url, { cookie })
    opened.push(client)
    const ids: unknown[] = []
    const api = rpc(writer)
    for (let n = 0; n < 20; n++) {
      const { body } = await api.rpc({ model: 'core.tag', method: 'create', args: [{ name: `Pooled ${n}` }] })
      ids.push(body!.result)
    }
    await client.until(({ payload }) => payload['id'] === ids.at(-1))
    const made = client.received.filter(({ payload }) => payload['model'] === 'core.tag').map((e) => e.payload['id'])
    expect(made).toEqual(ids)
    api.close()
  })

  /** Makes a job under a lease due; its id. */
  async function makeDue(service: Service): Promise<number> {
    const { rows } = await sql<{ id: number }>`update sys_cron set nextcall = clock_timestamp(), active = true
      where id = (select min(id) from sys_cron) returning id`.execute(database.db)
    const api = rpc(service)
    // A change through the service wakes the loops.
    await api.rpc({ model: 'sys.cron', method: 'write', args: [[rows[0]!.id], { priority: 4 }] })
    api.close()
    return rows[0]!.id
  }

  test('run a job under a lease, without the lock that a session would hold', async () => {
    const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(database.db)
    const id = await makeDue(services[0]!)
    // Without the run that every start begins with.
    const runs = () =>
      sql`select from sys_cron_run where cron_id = ${id} and outcome = 'done' and started_at > ${rows[0]!.now}`.execute(
        database.db,
      )
    await expect.poll(async () => (await runs()).rows.length).toBeGreaterThan(0)
  })

  test('hold that lock in a session past the pooler, where db_session_dsn names the server', async () => {
    const direct = await startService(pooler.dsn, { SVC_DB_SESSION_DSN: database.dsn })
    const held = async () => {
      // Any of the processes takes it; once it was this one, it keeps its lock.
      await makeDue(direct)
      const { rows } = await sql`select from pg_stat_activity join pg_locks using (pid)
        where application_name = ${`modulus ${direct.child.pid} jobs`} and locktype = 'advisory'
          and classid = ${OWNER_LOCKS}::oid and granted`.execute(database.db)
      return rows.length
    }
    await expect.poll(held).toBe(1)
    await direct.end('SIGINT')
  })
})
