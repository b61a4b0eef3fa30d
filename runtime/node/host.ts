import { setTimeout as sleep } from 'node:timers/promises'
import { bundledAddons } from '../../addons/index.ts'
import { buildCatalogue, type Catalogue } from '../../kernel/module/graph.ts'
import type { Observe } from '../../kernel/observation.ts'
import type { Services } from '../../kernel/services.ts'
import type { Db } from '../../kernel/sql.ts'
import type { Config } from '../config.ts'
import { connectDatabase } from '../database.ts'
import { createRandom } from '../random.ts'
import { rememberReadiness } from '../readiness.ts'
import { holdRegistry, type RegistryHolder } from '../registry-holder.ts'
import { openDatabase } from './database.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { nativePasswords } from './passwords.ts'
import { nodeResponse } from './response.ts'
import { loadSecretKey } from './secret-key.ts'

export interface HostOptions {
  readonly config: Config
  readonly observe: Observe
  /** A server keeps statements short; a command may take its time. */
  readonly purpose: 'server' | 'command'
  readonly stopping?: () => boolean
}

/** A Node process with its database and everything the kernel needs from it. */
export interface Host {
  readonly services: Services
  readonly catalogue: Catalogue
  readonly holder: RegistryHolder
  readonly dsn: string
  /** Closes connections, and the embedded server if nobody else uses it. */
  close(): Promise<void>
}

const COMMAND_CONNECTIONS = 4
const COMMAND_STATEMENT_MS = 600_000

/** Opens the configured database, or joins or starts the embedded one. */
export async function openHost({ config, observe, purpose, stopping = () => false }: HostOptions): Promise<Host> {
  const catalogue = buildCatalogue(bundledAddons)
  const secretKey = await loadSecretKey(config.secret_key, config.data_dir)
  const embedded = config.db_dsn === '' ? await startEmbeddedPostgres({ dataDir: config.data_dir }) : null
  const dsn = embedded?.dsn ?? config.db_dsn
  const pools = purpose === 'server' ? serverPools(dsn, config, observe) : connectPatiently(dsn, observe)
  const holder = holdRegistry(pools.db, catalogue, observe)
  return {
    catalogue,
    holder,
    dsn,
    services: {
      db: pools.db,
      replica: pools.replica,
      clock: () => new Date(),
      random: createRandom(),
      sleep: (ms) => sleep(ms),
      passwords: nativePasswords(),
      observe,
      secretKey,
      publicUrl: config.public_url,
      Response: nodeResponse,
      state: holder,
      stopping,
      readiness: rememberReadiness(pools.probe, () => new Date()),
      sessionHours: { idle: config.session_idle_hours, absolute: config.session_max_hours },
    },
    async close() {
      await pools.close()
      await embedded?.stop()
    },
  }
}

export interface Pools {
  readonly db: Db
  readonly replica: Db
  /** For readiness. */
  readonly probe: Db
  close(): Promise<void>
}

const warnOf = (observe: Observe) => (error: Error) =>
  observe({ kind: 'warning', text: `A database connection failed: ${error.message}` })

function serverPools(dsn: string, config: Config, observe: Observe): Pools {
  const { db, replica, probe, close } = openDatabase({
    dsn,
    replicaDsn: config.db_read_replica_dsn || undefined,
    maxConnections: config.db_max_open_conns,
    applicationName: `modulus ${process.pid}`,
    onError: warnOf(observe),
  })
  return { db, replica: replica ?? db, probe, close }
}

/** Connections for work that may rewrite a large table. */
export function connectPatiently(dsn: string, observe: Observe): Pools {
  const { db, close } = connectDatabase({
    dsn,
    maxConnections: COMMAND_CONNECTIONS,
    applicationName: `modulus command ${process.pid}`,
    statementTimeoutMs: COMMAND_STATEMENT_MS,
    onError: warnOf(observe),
  })
  return { db, replica: db, probe: db, close }
}
