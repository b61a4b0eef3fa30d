import { LIMITS } from '../../../kernel/limits.ts'
import type { Services } from '../../../kernel/services.ts'
import type { Db } from '../../../kernel/sql/database.ts'
import type { QueryObservation } from '../../postgres/connection.ts'
import { connectDatabase, type Database, type PoolStats } from '../../postgres/database.ts'
import { Pulse } from '../../postgres/pulse.ts'
import { RATE_CONNECTIONS } from '../../rate-limiter.ts'

export interface OpenOptions {
  readonly dsn: string
  readonly replicaDsn?: string | undefined
  /** Connections for requests (`db_max_open_conns`); the replica gets as many. */
  readonly maxConnections: number
  readonly applicationName: string
  /** The server is the embedded one, which no setting names. */
  readonly isEmbedded?: boolean
  readonly onQuery?: (query: QueryObservation) => void
  readonly onError?: (error: Error) => void
}

export interface Databases {
  readonly db: Db
  /** For jobs, mail and bus: a few connections of their own, so that busy requests cannot starve them. */
  readonly system: Db
  /** For authentication and sign-in, which must not wait for other requests. */
  readonly auth: Db
  /** For the count of requests, which must not wait behind them. */
  readonly rate: Db
  /** For readiness: one connection that gives up soon, so that neither busy requests nor a silent network delay the answer. */
  readonly probe: Db
  readonly replica: Database | undefined
  /** The main database for one request. */
  forRequest: NonNullable<Services['forRequest']>
  stats(): Readonly<Record<'main' | 'system' | 'auth' | 'rate', PoolStats>> & { readonly replica?: PoolStats }
  /** Ends every connection; those still in use after half a second are cut. */
  close(): Promise<void>
}

/** Two for jobs, two for mails, two for short statements: heartbeats, events, the log. */
const SYSTEM_CONNECTIONS = 6
const SYSTEM_STATEMENT_TIMEOUT_MS = 60_000
const AUTH_CONNECTIONS = 4
/** Every request uses this pool first, for half a millisecond: there is room to wait for all requests that four users may have at once. */
const AUTH_WAITING = 4 * (LIMITS.userRequests + LIMITS.userWaiting)
const RATE_STATEMENT_TIMEOUT_MS = 2_000
const PROBE_STATEMENT_TIMEOUT_MS = 1_000
/** Time after which queries are cut when the pools are closed; no caller waits for them any more. */
const CUT_AFTER_MS = 500

/** Every pool of one process. Connections are opened when first needed, so this does not fail while the server is away. */
export function openDatabase({
  dsn,
  replicaDsn,
  maxConnections,
  applicationName,
  isEmbedded = false,
  ...observers
}: OpenOptions): Databases {
  const shared = { pulse: new Pulse({ dsn, applicationName }), ...(isEmbedded && { setting: null }), ...observers }
  const main = connectDatabase({ dsn, maxConnections, applicationName, ...shared })
  const system = connectDatabase({
    dsn,
    maxConnections: SYSTEM_CONNECTIONS,
    applicationName: `${applicationName} system`,
    statementTimeoutMs: SYSTEM_STATEMENT_TIMEOUT_MS,
    ...shared,
  })
  const auth = connectDatabase({
    dsn,
    maxConnections: Math.min(AUTH_CONNECTIONS, maxConnections),
    maxWaiting: AUTH_WAITING,
    applicationName: `${applicationName} auth`,
    ...shared,
  })
  const rate = connectDatabase({
    dsn,
    maxConnections: RATE_CONNECTIONS,
    applicationName: `${applicationName} rate`,
    statementTimeoutMs: RATE_STATEMENT_TIMEOUT_MS,
    ...shared,
  })
  const probe = connectDatabase({
    dsn,
    maxConnections: 1,
    applicationName: `${applicationName} probe`,
    statementTimeoutMs: PROBE_STATEMENT_TIMEOUT_MS,
    ...shared,
  })
  const replica = replicaDsn
    ? connectDatabase({
        dsn: replicaDsn,
        maxConnections,
        applicationName,
        readOnly: true,
        ...observers,
        // The next read notices the failure and reports it once (`replica.ts`).
        onError: () => {},
      })
    : undefined
  return {
    db: main.db,
    system: system.db,
    auth: auth.db,
    rate: rate.db,
    probe: probe.db,
    replica,
    forRequest: main.forRequest,
    stats: () => ({
      main: main.stats(),
      system: system.stats(),
      auth: auth.stats(),
      rate: rate.stats(),
      ...(replica && { replica: replica.stats() }),
    }),
    close: async () => {
      await Promise.all([main, system, auth, rate, probe, replica].map((database) => database?.close(CUT_AFTER_MS)))
    },
  }
}
