import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { bundledAddons } from '../../addons/index.ts'
import { setupToken } from '../../kernel/auth/setup-token.ts'
import { runDueJobs } from '../../kernel/job/cron.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { buildCatalogue, type Catalogue } from '../../kernel/module/graph.ts'
import type { Observe } from '../../kernel/observation.ts'
import { deriveSealKeys } from '../../kernel/seal.ts'
import { ratePolicies } from '../../kernel/serve/rate-policy.ts'
import type { Services } from '../../kernel/services.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Config } from '../config.ts'
import { ownUrl } from '../own-url.ts'
import { connectDatabase } from '../postgres/database.ts'
import { createRandom } from '../random.ts'
import { countWithMemory } from '../rate-limiter.ts'
import { rememberReadiness } from '../readiness.ts'
import { holdRegistry, type RegistryHolder } from '../registry-holder.ts'
import { startTimer } from '../timer.ts'
import { openFileGate, openWorkGate } from '../work-gate.ts'
import { openBuiltClient } from './addon/assets.ts'
import { loadThirdPartyAddons } from './addon/third-party-addons.ts'
import { compileClients } from './addon/third-party-clients.ts'
import { notifyFollowers } from './bus/wake-up.ts'
import { nativeAesGcm } from './crypto/aes-gcm.ts'
import { nativeHmac } from './crypto/hmac.ts'
import { nativePasswords } from './crypto/passwords.ts'
import { loadSecretKey } from './crypto/secret-key.ts'
import { type Databases, openDatabase } from './database/database.ts'
import { type Outages, watchOutages, whyOf } from './database/outage.ts'
import { gatherRefusals } from './database/refusals.ts'
import { openReplica, type Replica } from './database/replica.ts'
import { openDocuments, requireFonts } from './document/documents.ts'
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import { type OwnJobHost, openJobHost } from './job-host.ts'
import { configuredMail } from './mail/configured-mail.ts'
import { createMetrics } from './measure/metrics.ts'
import { tracePort } from './measure/trace-port.ts'
import { NodeResponse } from './server.ts'

export interface HostOptions {
  readonly config: Config
  readonly observe: Observe
  /** Replaces the default, which notifies all servers on this database of each commit. */
  readonly changed?: Services['changed']
  /** Statements of a server have a short timeout; those of a command may run for minutes. */
  readonly purpose: 'server' | 'command'
  readonly stopping?: () => boolean
  /** Number of lines that the log has lost so far. */
  readonly linesLost?: () => number
}

/** A Node process with its database and everything the kernel needs from it. */
export interface Host {
  readonly services: Services
  readonly catalogue: Catalogue
  readonly holder: RegistryHolder
  /** DSN for work that needs a whole session: that of the server itself, if the settings name it besides a pooler. */
  readonly dsn: string
  /** Separate connections for background loops, so that busy requests cannot use them up. */
  readonly system: Db
  /** This process as an owner of jobs. */
  readonly jobs: OwnJobHost
  /** Opens the connections that the first requests need, for a server; a failure shows when they are used. */
  connect(): void
  /** Closes connections, and the embedded server if no other process uses it. */
  close(): Promise<void>
}

const COMMAND_CONNECTIONS = 4
const COMMAND_STATEMENT_MS = 600_000
const COMMAND_CONNECT_WAIT_MS = 30_000

/** Opens the configured database, or joins or starts the embedded one. */
export async function openHost(options: HostOptions): Promise<Host> {
  const { config, observe: log, changed, purpose, stopping = () => false, linesLost = () => 0 } = options
  const others = await loadThirdPartyAddons({
    paths: config.addons_path,
    dataDir: config.data_dir,
    setting: config.labelOf('addons_path'),
  })
  const folders = new Map(others.map(({ addon, folder }) => [addon, folder]))
  const catalogue = buildCatalogue(
    [...bundledAddons, ...folders.keys()],
    (addon) => folders.get(addon) ?? 'the program itself',
  )
  const scripts = purpose === 'server' ? await compileClients(others) : []
  await requireFonts(config.pdf_fonts, config.labelOf('pdf_fonts'))
  const secretKey = await loadSecretKey(config.secret_key, config.data_dir)
  const embedded = config.db_dsn === '' ? await startEmbeddedPostgres({ dataDir: config.data_dir, stopping }) : null
  if (purpose === 'server') embedded?.watch((text) => log({ kind: 'warning', text }))
  const dsn = embedded?.dsn ?? config.db_dsn
  const server = purpose === 'server' ? serverPools(dsn, config, log) : null
  const observe = server?.outages.observe ?? log
  const sessionDsn = config.db_session_dsn || dsn
  const pools = server ?? connectForCommand(sessionDsn, log)
  const ports = server && serverPorts(config, server, linesLost)
  const holder = holdRegistry(server?.auth ?? pools.db, catalogue, observe)
  const jobs = openJobHost(sessionDsn)
  const documents = openDocuments({ fonts: config.pdf_fonts, observe })
  // Notifications are awaited before the pools close: a caller waiting for a connection would keep the process alive.
  let told = Promise.resolve()
  const tell = () => {
    told = told.then(() => notifyFollowers(pools.system))
  }
  const host: Host = {
    catalogue,
    holder,
    dsn: sessionDsn,
    system: pools.system,
    jobs,
    services: {
      db: pools.db,
      hasFences: config.db_read_replica_dsn !== '',
      clock: () => new Date(),
      random: createRandom(),
      sleep: (ms) => (ms === 0 ? nextTurn() : sleep(ms)),
      timer: startTimer,
      passwords: nativePasswords(),
      observe,
      changed: changed ?? tell,
      secretKey,
      aesGcm: nativeAesGcm,
      hmacSha256: nativeHmac,
      sealKeys: deriveSealKeys({ secretKey, hmacSha256: nativeHmac }),
      ...tracePort(config),
      publicUrl: config.public_url,
      ownUrl: ownUrl(config),
      Response: NodeResponse,
      state: holder,
      stopping,
      readiness: rememberReadiness(pools.probe, () => new Date(), catalogue),
      busEnabled: config.bus_enabled,
      mail: {
        configured: configuredMail(config),
        // Loaded when it is asked for, like the sender of the queue.
        try: async (server, mail) => (await import('./mail/try-mail.ts')).tryMail(server, mail),
      },
      documents,
      tick: () => runDueJobs({ ...host.services, db: pools.system }, holder.latest, jobs),
      ...(config.map_tiles_url && { mapTilesUrl: config.map_tiles_url }),
      sessionHours: { idle: config.session_idle_hours, absolute: config.session_max_hours },
      ...ports,
      ...(server && setupPorts(config, secretKey, catalogue)),
      ...(server && openBuiltClient(scripts)),
    },
    connect() {
      if (server) for (const name of ['auth', 'db', 'system', 'probe'] as const) openConnection(server[name])
    },
    async close() {
      // Closed first: requests that wait for a document hold the resources that are closed next.
      await documents.close()
      server?.outages.close()
      await jobs.close()
      ports?.replica?.close()
      await told
      await pools.close()
      await embedded?.stop()
    },
  }
  return host
}

const openConnection = (db: Db): void => {
  db.connection()
    .execute(async () => undefined)
    .catch(() => undefined)
}

export interface Pools {
  readonly db: Db
  readonly system: Db
  /** Database connection of the readiness check. */
  readonly probe: Db
  close(): Promise<void>
}

interface ServerPools extends Pools {
  readonly rate: Db
  readonly auth: Db
  readonly stats: Databases['stats']
  readonly forRequest: Databases['forRequest']
  readonly replica: Databases['replica']
  readonly outages: Outages
}

function serverPools(dsn: string, config: Config, log: Observe): ServerPools {
  const refusals = gatherRefusals(log)
  const outages = watchOutages({
    probe: () => sql`select 1`.execute(databases.probe),
    log: refusals.observe,
    clock: () => performance.now(),
  })
  const databases = openDatabase({
    dsn,
    replicaDsn: config.db_read_replica_dsn || undefined,
    maxConnections: config.db_max_open_conns,
    applicationName: `modulus ${process.pid}`,
    onError: outages.lost,
    isEmbedded: config.db_dsn === '',
  })
  const close = () => {
    outages.close()
    refusals.close()
  }
  return { ...databases, outages: { ...outages, close } }
}

/** Services that only a server needs: the read replica, rate limits, shares of connections and metrics. */
function serverPorts(config: Config, pools: ServerPools, linesLost: () => number): ServerPorts {
  const { rate, system, auth, probe, stats, forRequest, outages } = pools
  const clock = () => performance.now()
  const observe: Observe = (observation) => {
    metrics.observe(observation)
    outages.observe(observation)
  }
  const replica = pools.replica && openReplica({ replica: pools.replica, primary: probe, observe, clock })
  const metrics = createMetrics({ db: system, pools: stats, isReplicaUsed: replica?.isUsed, linesLost })
  return {
    observe,
    replica,
    metrics: metrics.text,
    forRequest,
    authDb: auth,
    workGate: openWorkGate(userShare(config.db_max_open_conns), LIMITS.userWaiting),
    // An export holds a connection for as long as its caller reads.
    exportGate: openFileGate(Math.max(1, Math.floor(config.db_max_open_conns / 4))),
    uploadGate: openFileGate(MAX_READ_UPLOADS, UPLOAD_WAIT_MS),
    limiter: countWithMemory({
      db: rate,
      policies: ratePolicies(config.rate_limit_rpm),
      clock,
      onAway: (error) =>
        outages.suspect({ kind: 'warning', text: `Requests are counted by this process alone: ${whyOf(error)}` }),
    }),
  }
}

/** Uploaded files that are read at the same time; a workbook may take some 200 MB of memory meanwhile. */
const MAX_READ_UPLOADS = 3
const UPLOAD_WAIT_MS = 30_000

/** Requests of one user at a time, so that no user takes all connections. */
const userShare = (connections: number) => Math.max(1, Math.min(LIMITS.userRequests, Math.floor((connections * 3) / 4)))

/** Services for the setup wizard: the addons to choose from and the token that protects it. */
function setupPorts(config: Config, secretKey: Uint8Array, catalogue: Catalogue): SetupPorts {
  const isLocal = /^(127\.|::1$|localhost$)/.test(config.http_host)
  return {
    catalogue,
    setup: { token: setupToken(secretKey), isLocal },
  }
}

type SetupPorts = Required<Pick<Services, 'catalogue' | 'setup'>>
type ServerPorts = Required<
  Pick<Services, 'observe' | 'metrics' | 'limiter' | 'forRequest' | 'authDb' | 'workGate' | 'exportGate' | 'uploadGate'>
> & { readonly replica: Replica | undefined }

/** Connections for commands, without short timeouts: they may rewrite a large table, and no caller would retry them on a slow database. */
export function connectForCommand(dsn: string, observe: Observe): Pools {
  const { db, close } = connectDatabase({
    dsn,
    maxConnections: COMMAND_CONNECTIONS,
    applicationName: `modulus command ${process.pid}`,
    statementTimeoutMs: COMMAND_STATEMENT_MS,
    connectWaitMs: COMMAND_CONNECT_WAIT_MS,
    onError: ({ message }) => observe({ kind: 'warning', text: `A database connection failed: ${message}` }),
  })
  return { db, system: db, probe: db, close }
}
