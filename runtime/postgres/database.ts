import { type Dialect, type Driver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import type { Db } from '../../kernel/sql/database.ts'
import type { KernelTables } from '../../kernel/tables.ts'
import { type QueryObservation, watchClient } from './connection.ts'
import { passRowsOn } from './data-rows.ts'
import { valueTypes } from './pg-values.ts'
import { PoolDriver } from './pool-driver.ts'
import { processIdOf } from './process-id.ts'
import { Pulse } from './pulse.ts'
import { RequestDriver, type RequestOptions } from './request-driver.ts'

export interface DatabaseOptions {
  readonly dsn: string
  /** Most connections open at once. */
  readonly maxConnections: number
  /** Callers that may wait for one, more are refused at once; four per connection unless told. */
  readonly maxWaiting?: number
  readonly applicationName: string
  readonly statementTimeoutMs?: number
  /**
   * How long a caller waits for a connection; a second, since a refused request is better than a late one. Opening a connection may take
   * longer and then serves the next caller. Time in which this process itself was busy does not count.
   */
  readonly connectWaitMs?: number
  /** Off where a connection lives for one request only, so that a prepared statement never pays. */
  readonly prepare?: boolean
  /** A replica: every transaction is read-only, and the server may be in recovery. */
  readonly readOnly?: boolean
  /** The setting that the DSN comes from, for advice; null: none, the service starts this server itself. */
  readonly setting?: string | null
  /** Shared by pools that lead to the same server. */
  readonly pulse?: Pulse
  readonly onQuery?: (query: QueryObservation) => void
  /** A connection failed while nobody was waiting for it. */
  readonly onError?: (error: Error) => void
}

export interface PoolStats {
  readonly open: number
  readonly idle: number
  readonly waiting: number
}

export interface Database {
  readonly db: Db
  /** The database for one request: its statements end when the caller leaves, or after `ms` milliseconds. */
  forRequest(signal: AbortSignal | undefined, ms: number, options?: RequestOptions): Db
  stats(): PoolStats
  /** Ends every connection. Waits for those in use until they are cut, and the server rolls back their transactions. */
  close(cutAfterMs?: number): Promise<void>
}

const WAITERS_PER_CONNECTION = 4
const CONNECT_WAIT_MS = 1_000
/** A server that is 300 ms away needs a second and a half, and with TLS two. */
const OPEN_MS = 5_000
const STATEMENT_TIMEOUT_MS = 15_000

/** The database behind one DSN: a Kysely instance over a bounded pool of `pg` connections. */
export function connectDatabase(options: DatabaseOptions): Database {
  const pooled = new WeakSet<pg.ClientBase>()
  const clients = new Set<pg.Client>()
  const ready = new WeakSet<pg.ClientBase>()
  const { maxConnections, connectWaitMs = CONNECT_WAIT_MS, prepare = true, readOnly = false, onQuery } = options
  const { pulse = new Pulse(options), statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options
  const pool = createPool(options, clients, async (client) => {
    watchClient(client)
    if (!(await prepareSession(client, options))) pooled.add(client)
    ready.add(client)
    pulse.hear()
  })
  const cut = (which: (client: pg.Client) => boolean) => {
    for (const client of clients) if (which(client)) client.connection.stream.destroy()
  }
  // Connections that are still being opened have their own time limit and give a better error.
  pulse.whenGone(() => cut((client) => ready.has(client)))
  const { setting = readOnly ? 'db_read_replica_dsn' : 'db_dsn' } = options
  const { maxWaiting = WAITERS_PER_CONNECTION * maxConnections } = options
  const driver = new PoolDriver(pool, {
    ...{ maxConnections, maxWaiting, connectWaitMs, prepare, readOnly, setting, onQuery, pulse },
    answerMs: answerTimeoutMs(statementTimeoutMs),
    localLimits: (client) =>
      pooled.has(client) ? limitsOf(options).map(([name, ms]) => ({ text: `set local ${name} = ${ms}` })) : null,
  })
  return {
    db: over(driver),
    forRequest: (signal, ms, options) => over(new RequestDriver(driver, signal, ms, options)),
    stats: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: driver.waiting }),
    close: async (cutAfterMs) => {
      if (pool.ending) return
      const timer = cutAfterMs === undefined ? undefined : setTimeout(() => cut(() => true), cutAfterMs)
      await pool.end()
      clearTimeout(timer)
    },
  }
}

const openMs = ({ connectWaitMs = CONNECT_WAIT_MS }: DatabaseOptions): number => Math.max(OPEN_MS, connectWaitMs)

const adapter = new PostgresAdapter()
/** One for all: it compiles a query at once, and making one for each request costs more than the query. */
const compiler = new PostgresQueryCompiler()

function over(driver: Driver): Db {
  const dialect: Dialect = {
    createDriver: () => driver,
    createAdapter: () => adapter,
    createQueryCompiler: () => compiler,
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
  return new Kysely<KernelTables>({ dialect })
}

/** `clients` contains all clients that are open or being opened. */
function createPool(
  options: DatabaseOptions,
  clients: Set<pg.Client>,
  onConnect: (client: pg.ClientBase) => Promise<void>,
): pg.Pool {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options
  const pool = new pg.Pool({
    connectionString: options.dsn,
    application_name: options.applicationName,
    max: options.maxConnections,
    // One connection stays open when idle, so that the next caller need not wait for a new one.
    min: 1,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: 3_600,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    query_timeout: answerTimeoutMs(statementTimeoutMs),
    types: valueTypes,
    onConnect,
    // The time limit for opening is set on the client: on the pool it would also limit waiting callers.
    Client: class extends pg.Client {
      constructor(config?: pg.ClientConfig) {
        super({ ...config, connectionTimeoutMillis: openMs(options) })
        passRowsOn(this.connection)
        clients.add(this)
        this.once('end', () => clients.delete(this))
      }
    },
  })
  // Without a listener a dying backend would end the process. Idle clients report here; one in use fails its own query.
  pool.on('error', options.onError ?? (() => {}))
  return pool
}

/**
 * The server ends a slow statement itself; this limit is for a server that has silently disappeared. It is larger, because the server
 * checks its timeout only between rows and one row can take seconds.
 */
const answerTimeoutMs = (statementTimeoutMs: number): number =>
  statementTimeoutMs + Math.max(1_000, statementTimeoutMs / 2)

/** What the server allows a session of this pool. */
const limitsOf = ({ statementTimeoutMs = STATEMENT_TIMEOUT_MS }: DatabaseOptions) =>
  Object.entries({
    statement_timeout: statementTimeoutMs,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 15_000,
  })

/**
 * Prepares a session in one round trip. Settings are made with SET and not in the start-up packet, which poolers refuse and a DSN may
 * replace. Fails if the server has become a standby, since it could not write. Returns false behind a pooler, which is recognised by its
 * own process ids and shares sessions among clients: settings that differ between pools are then made in each transaction.
 */
async function prepareSession(client: pg.ClientBase, options: DatabaseOptions): Promise<boolean> {
  const { readOnly = false } = options
  const own = [...limitsOf(options), ['default_transaction_read_only', readOnly ? 'on' : 'off']]
  const values = own.map(([name, value]) => `('${name}', '${value}')`)
  const text = `
    SET TimeZone = 'UTC'; SET DateStyle = 'ISO, YMD'; SET bytea_output = 'hex'; SET standard_conforming_strings = on;
    SET extra_float_digits = 1; SET client_min_messages = warning; SET jit = off;
    DO $$ BEGIN
      IF ${readOnly ? 'false' : 'pg_is_in_recovery()'} THEN RAISE 'standby' USING ERRCODE = '08004'; END IF;
      BEGIN
        SET client_connection_check_interval = 500;
      EXCEPTION WHEN invalid_parameter_value THEN NULL; -- a platform without it
      END;
    END $$;
    SELECT set_config(name, value, false) FROM (VALUES ${values.join()}) AS own (name, value)
    WHERE pg_backend_pid() = ${processIdOf(client) ?? 0}`
  // Do not wait long for a session that cannot be prepared in time. The types of `pg` omit the option.
  const setUp: pg.QueryConfig & { readonly query_timeout: number } = { text, query_timeout: openMs(options) }
  // Several statements in one text give several results, which the types of `pg` do not declare.
  const results: unknown = await client.query(setUp)
  return Array.isArray(results) && results.at(-1)?.rows.length > 0
}
