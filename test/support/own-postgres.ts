import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../runtime/node/embedded/embedded-postgres.ts'
import { findServer, isAlive } from '../../runtime/node/embedded/postgres-cluster.ts'
import { serverFolder, TEST_FOLDER, TEST_SERVER } from './cluster.ts'
import { withDatabase } from './database.ts'

/** A PostgreSQL server for one test file, which may crash or restart it. */
export interface OwnPostgres {
  /** Folder of the server. */
  readonly dataDir: string
  readonly dsn: string
  /** The same database, for the superuser. */
  readonly adminDsn: string
  /** Ends it as a crash does (`pg_ctl stop -m immediate`): sessions are cut, and the next start has to recover. */
  crash(): Promise<void>
  /** Starts it again on its port. Waits until it takes connections. */
  start(): Promise<void>
  /** Runs one statement as the superuser. */
  query<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<R[]>
  remove(): Promise<void>
}

/**
 * It keeps acknowledged commits through its own crashes, unlike the server of the test run, but not through a crash of the machine: waiting
 * for the disk would make each restart seconds longer.
 */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(await serverFolder(), `${TEST_FOLDER}${process.pid}-`))
  const uses: EmbeddedPostgres[] = []
  const start = async () => void uses.push(await startEmbeddedPostgres({ ...TEST_SERVER, dataDir, maxConnections: 60 }))
  await start()
  const { dsn } = uses[0]!
  const adminDsn = withDatabase(uses[0]!.adminDsn, 'modulus')
  await withClient(adminDsn, (client) => client.query('ALTER ROLE ALL SET synchronous_commit = on'))
  return {
    dataDir,
    dsn,
    adminDsn,
    async crash() {
      const { pid } = (await findServer(join(dataDir, 'postgres')))!
      process.kill(pid, 'SIGQUIT')
      while (isAlive(pid)) await sleep(5)
    },
    async start() {
      await start()
      if (uses.at(-1)!.dsn !== dsn) throw new Error('The server came back on another port.')
    },
    query: (text, values = []) => withClient(adminDsn, async (client) => (await client.query(text, [...values])).rows),
    async remove() {
      for (const { stop } of uses) await stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Runs `work` on a connection outside every pool of the service. */
export async function withClient<T>(dsn: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: dsn })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
