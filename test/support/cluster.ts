import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../runtime/node/embedded/embedded-postgres.ts'
import { isAlive, stopServer } from '../../runtime/node/embedded/postgres-cluster.ts'

export interface TestCluster {
  /** May create and drop databases. */
  readonly adminDsn: string
  /** Owner of the test databases; plain rights, as in production. */
  readonly appDsn: string
  stop(): Promise<void>
}

/** Folders of servers are named after this and the process that made them. */
export const TEST_FOLDER = 'modulus-test-'

const MEMORY_FOLDER = '/dev/shm'
const PLENTY_BYTES = 6 * 1024 ** 3

/**
 * The folder for data of test servers: in memory if there is enough. A database has hundreds of files, and ext4 does not reuse the space
 * of recently deleted files at once: on a disk, creating and dropping databases is half of the work of PostgreSQL.
 */
export async function serverFolder(): Promise<string> {
  const room = await statfs(MEMORY_FOLDER).catch(() => undefined)
  const hasPlenty = room && Math.min(room.bavail * room.bsize, freemem()) > PLENTY_BYTES
  return hasPlenty ? MEMORY_FOLDER : tmpdir()
}

/** Options of servers for tests: `TEST_POSTGRES` names an unpacked package with another version of PostgreSQL. */
export const TEST_SERVER = { fsync: false, packageDir: process.env['TEST_POSTGRES'] || undefined }

/** The server of one test run: the one `TEST_DB_DSN` names, otherwise a temporary one without fsync. */
export async function startTestCluster(): Promise<TestCluster> {
  const given = process.env['TEST_DB_DSN']
  if (given) return { adminDsn: given, appDsn: given, stop: async () => {} }
  await clearAbandoned()
  const dataDir = await mkdtemp(join(await serverFolder(), `${TEST_FOLDER}${process.pid}-`))
  const server = await startEmbeddedPostgres({ ...TEST_SERVER, dataDir, maxConnections: 200 })
  await signInCheaply(server.adminDsn, [server.adminDsn, server.dsn])
  return {
    adminDsn: server.adminDsn,
    appDsn: server.dsn,
    stop: async () => {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Stores the passwords of these accounts with one round of SCRAM instead of 4,096, which take two thirds of a client's time to connect; a
 * run opens thousands of connections. PostgreSQL 15 has a fixed number of rounds.
 */
async function signInCheaply(adminDsn: string, accounts: readonly string[]): Promise<void> {
  const admin = new pg.Client({ connectionString: adminDsn })
  await admin.connect()
  try {
    const { rowCount } = await admin.query(
      `SELECT set_config(name, '1', false) FROM pg_settings WHERE name = 'scram_iterations'`,
    )
    if (!rowCount) return
    for (const { username, password } of accounts.map((dsn) => new URL(dsn))) {
      const secret = admin.escapeLiteral(decodeURIComponent(password))
      await admin.query(`ALTER ROLE ${admin.escapeIdentifier(decodeURIComponent(username))} PASSWORD ${secret}`)
    }
  } finally {
    await admin.end()
  }
}

/** Ends servers left behind by killed test runs. */
async function clearAbandoned(): Promise<void> {
  for (const folder of new Set([tmpdir(), await serverFolder()])) {
    for (const name of await readdir(folder)) {
      const pid = new RegExp(`^${TEST_FOLDER}(\\d+)-`).exec(name)?.[1]
      if (pid === undefined || isAlive(Number(pid))) continue
      const dataDir = join(folder, name)
      await stopServer(join(dataDir, 'postgres'))
      await rm(dataDir, { recursive: true, force: true })
    }
  }
}
