import { appendFile, chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { bundledAddons } from '../../addons/index.ts'
import { installModules } from '../../kernel/module/install.ts'
import { migrateKernel } from '../../kernel/schema/migrate.ts'
import { kernelMigrations } from '../../migrations/index.ts'
import { openCluster } from '../../runtime/node/embedded/embedded-postgres.ts'
import {
  findServer,
  giveTree,
  isAlive,
  launchServer,
  stopServer,
} from '../../runtime/node/embedded/postgres-cluster.ts'
import { connectDatabase, type Database } from '../../runtime/postgres/database.ts'
import { TEST_FOLDER, TEST_SERVER } from './cluster.ts'
import { openModules } from './modules.ts'
import { type OwnPostgres, startOwnPostgres, withClient } from './own-postgres.ts'
import { createServiceKey } from './service.ts'

/** A streaming replica of a test's own server. */
export interface TestReplica {
  /** The database of the service, as its role. */
  readonly dsn: string
  /** Stops replaying what the primary sends, until `resume`. */
  pause(): Promise<void>
  resume(): Promise<void>
  /** Waits until it has replayed everything the primary has written by now. */
  catchUp(): Promise<void>
  /** Makes it a primary of its own. */
  promote(): Promise<void>
  /** Ends it as a crash does; `start` brings it back on its port. */
  crash(): Promise<void>
  start(): Promise<void>
  /** Runs one statement as the superuser. */
  query<R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<R[]>
  remove(): Promise<void>
}

/** A database with the addon base, a replica of it, and an administrator's key. */
export interface Replicated {
  readonly postgres: OwnPostgres
  readonly replica: TestReplica
  /** The primary. */
  readonly own: Database
  readonly key: string
  remove(): Promise<void>
}

export async function startReplicated(settings: ReplicaSettings = {}): Promise<Replicated> {
  const postgres = await startOwnPostgres()
  const own = connectDatabase({ dsn: postgres.dsn, maxConnections: 2, applicationName: 'test' })
  await migrateKernel(own.db, kernelMigrations)
  const { services, catalogue } = openModules(own.db, bundledAddons)
  await installModules(services, catalogue, ['base'])
  const key = await createServiceKey(own.db)
  const replica = await startReplica(postgres, settings)
  return {
    ...{ postgres, replica, own, key },
    async remove() {
      await own.close()
      await replica.remove()
      await postgres.remove()
    },
  }
}

export type ReplicaSettings = Readonly<Record<string, string | number>>

/** Files of the primary that a copy must not have: its process, its log, which the copy gets from the stream, and slots. */
const OWN_FILES = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'pg_stat_tmp', 'pg_dynshmem'])

/** Builds a replica with the server's own functions for backups, because the package has no `pg_basebackup`. */
async function startReplica(primary: OwnPostgres, settings: ReplicaSettings = {}): Promise<TestReplica> {
  const dataDir = await mkdtemp(join(tmpdir(), `${TEST_FOLDER}${process.pid}-`))
  const home = join(dataDir, 'postgres')
  const data = join(home, 'data')
  await mkdir(home)
  await chmod(home, 0o711)
  await copyData(primary, data)
  const { username, password, hostname, port } = new URL(primary.adminDsn)
  const address = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`
  await appendFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${address}'\nhot_standby = on\n`)
  await writeFile(join(data, 'standby.signal'), '')
  const cluster = await openCluster(home, TEST_SERVER.packageDir)
  if (cluster.account) await giveTree(data, cluster.account)
  const all = {
    max_connections: 60,
    log_min_error_statement: 'panic',
    fsync: 'off',
    wal_retrieve_retry_interval: '100ms',
    ...settings,
  }
  let server = await launchServer(cluster, all)
  if (!server) throw new Error('The replica did not start.')
  const at = (dsn: string) => {
    const url = new URL(dsn)
    url.port = String(server!.port)
    return url.href
  }
  const [dsn, adminDsn] = [at(primary.dsn), at(primary.adminDsn)]
  const query: TestReplica['query'] = (text, values = []) =>
    withClient(adminDsn, async (client) => (await client.query(text, [...values])).rows)
  const ask = async (text: string) => Object.values((await query(text))[0]!)[0]
  const until = async (text: string, value: unknown) => {
    while ((await ask(text)) !== value) await sleep(10)
  }
  return {
    dsn,
    query,
    async pause() {
      await query('SELECT pg_wal_replay_pause()')
      await until('SELECT pg_get_wal_replay_pause_state()', 'paused')
    },
    resume: async () => void (await query('SELECT pg_wal_replay_resume()')),
    async catchUp() {
      // Its commit is written out together with everything before it.
      await primary.query(`SELECT pg_logical_emit_message(true, '', '')`)
      const [row] = await primary.query<{ lsn: string }>('SELECT pg_current_wal_flush_lsn()::text AS lsn')
      await until(`SELECT pg_last_wal_replay_lsn() >= '${row!.lsn}'`, true)
    },
    promote: async () => void (await query('SELECT pg_promote()')),
    async crash() {
      const { pid } = (await findServer(home))!
      process.kill(pid, 'SIGQUIT')
      while (isAlive(pid)) await sleep(5)
    },
    async start() {
      const { port } = server!
      do server = await launchServer(cluster, all, { port })
      while (!server)
    },
    async remove() {
      await stopServer(home)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Copies the files of a running server between the start and the end of a backup. */
async function copyData(primary: OwnPostgres, data: string): Promise<void> {
  const from = join(primary.dataDir, 'postgres', 'data')
  await withClient(primary.adminDsn, async (client) => {
    await client.query(`SELECT pg_backup_start('replica', true)`)
    const isCopied = (path: string) =>
      !basename(path).startsWith('pg_internal.init') && !(dirname(path) === from && OWN_FILES.has(basename(path)))
    await cp(from, data, { recursive: true, filter: isCopied })
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)')
    await writeFile(join(data, 'backup_label'), rows[0]!.labelfile)
  })
  for (const name of ['pg_wal', 'pg_replslot', 'pg_stat_tmp', 'pg_dynshmem']) await mkdir(join(data, name))
  await chmod(data, 0o700)
}
