import type { Driver, TransactionSettings } from 'kysely'
import type pg from 'pg'
import { type AppError, unavailable } from '../../kernel/errors.ts'
import type { Ahead } from '../../kernel/services.ts'
import { sqlState } from '../../kernel/sql/pg-error.ts'
import { Connection, DatabaseFault, type ObserveQuery, type TransactionMark } from './connection.ts'
import { ConnectionQueue } from './connection-queue.ts'
import { tryWhileLoopIsBusy } from './loop-time.ts'
import { preparedNames, rememberTexts } from './prepared-statements.ts'
import type { Pulse } from './pulse.ts'
import { queryOnce } from './query-once.ts'
import { DatabaseUnreachable, isTimeout, poolTarget } from './unreachable.ts'

export interface DriverOptions {
  readonly maxConnections: number
  readonly maxWaiting: number
  readonly connectWaitMs: number
  readonly prepare: boolean
  readonly readOnly: boolean
  readonly setting: string | null
  readonly onQuery: ObserveQuery
  readonly pulse: Pulse
  /** How long the answer to one statement may take. */
  readonly answerMs: number
  /** Settings that each transaction begins with, where a pooler gives it a session that others use too; otherwise null. */
  readonly localLimits: (client: pg.PoolClient) => readonly Ahead[] | null
}

/** How long the driver tries to find the outcome of a COMMIT whose answer was lost. */
const SETTLE_MS = 3_000
/** Identifies a run of the server between crashes: a crash resets the statistics, and nothing else does so automatically. */
const INCARNATION = '(select stats_reset::text from pg_stat_archiver)'

/** Kysely's driver over a `pg` pool: refuses instead of queueing without end, and never reports a wrong outcome of a COMMIT. */
export class PoolDriver implements Driver {
  readonly #pool: pg.Pool
  readonly #queue: ConnectionQueue
  readonly #options: DriverOptions
  readonly #connections = new WeakMap<pg.PoolClient, Connection>()
  readonly #inUse = new Set<Connection>()
  readonly #ranBefore: (sql: string) => boolean

  constructor(pool: pg.Pool, options: DriverOptions) {
    this.#pool = pool
    this.#queue = new ConnectionQueue(pool)
    this.#options = options
    this.#ranBefore = options.prepare ? rememberTexts() : () => false
  }

  /** Callers that wait for a connection. */
  get waiting(): number {
    return this.#queue.size
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    const { maxConnections, maxWaiting, connectWaitMs } = this.#options
    if (this.#pool.idleCount === 0 && this.#inUse.size + this.waiting >= maxConnections + maxWaiting)
      throw busy(`${this.#allInUse()}, and ${maxWaiting} callers wait for one already.`)
    let client: pg.PoolClient
    try {
      client = await tryWhileLoopIsBusy(connectWaitMs, () => this.#queue.take(connectWaitMs))
    } catch (error) {
      throw this.#explain(error)
    }
    let connection = this.#connections.get(client)
    if (!connection) {
      const localLimits = this.#options.localLimits(client)
      connection = new Connection(client, {
        localLimits: localLimits ?? [],
        // In a session shared with other clients, a name may belong to another statement.
        names: preparedNames(localLimits === null ? this.#ranBefore : () => false),
        onQuery: this.#options.onQuery,
        pulse: this.#options.pulse,
        answerMs: this.#options.answerMs,
        cancel: (running) => this.#cancelStatement(running),
      })
      this.#connections.set(client, connection)
    }
    this.#inUse.add(connection)
    return connection
  }

  /** The error for a caller without a connection. A wait that was too long means a busy service if the server answers other connections. */
  #explain(error: unknown): AppError {
    const { maxConnections, connectWaitMs, setting, pulse } = this.#options
    if (isTimeout(error)) {
      if (this.#inUse.size >= maxConnections) return busy(`${this.#allInUse()} for ${connectWaitMs} ms.`)
      if (pulse.isHeard()) return busy(`PostgreSQL took more than ${connectWaitMs} ms to open a connection.`)
    }
    const target = poolTarget(this.#pool, setting)
    const cause = new DatabaseUnreachable(target, error)
    return unavailable('database_away', 'The database is busy or away. Try again in a moment.', 1, cause)
  }

  #allInUse(): string {
    return `All ${this.#options.maxConnections} connections "${this.#pool.options.application_name}" were in use`
  }

  /**
   * BEGIN is sent together with the first statement and with a query for the mark of the transaction, so that a lost answer to COMMIT can
   * be resolved.
   */
  async beginTransaction(connection: Connection, { isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const readOnly = accessMode === 'read only' || this.#options.readOnly
    const modes = `isolation level ${isolationLevel ?? 'read committed'} ${readOnly ? 'read only' : 'read write'}`
    connection.transaction = undefined
    const begin = { text: `begin ${modes}` }
    if (readOnly) return connection.begin(begin, ...connection.localLimits)
    // A crash ends all connections, so it is read once per connection. Behind a pooler it may be outdated; then an outcome stays unknown.
    const asked = connection.incarnation === undefined ? `, ${INCARNATION} as incarnation` : ''
    connection.begin(begin, ...connection.localLimits, {
      text: `select pg_current_xact_id()::text as xid${asked}`,
      take: ([mark]: readonly Partial<TransactionMark>[]) => {
        if (connection.incarnation === undefined) connection.incarnation = mark!.incarnation
        connection.transaction = { xid: mark!.xid!, incarnation: connection.incarnation ?? null }
      },
    })
  }

  async commitTransaction(connection: Connection): Promise<void> {
    if (connection.forgetBegin()) return
    try {
      if ((await connection.commit()) !== 'COMMIT')
        throw new DatabaseFault('25P02', 'The transaction had failed and could not be committed.')
    } catch (error) {
      if (!connection.isBroken || connection.transaction === undefined) throw error
      await this.#settleCommit(connection, connection.transaction, error)
    }
  }

  /** Returns if the transaction was committed after all; otherwise throws an error with the known outcome. */
  async #settleCommit({ processId }: Connection, mark: TransactionMark, cause: unknown): Promise<void> {
    for (const deadline = performance.now() + SETTLE_MS; performance.now() < deadline; await pause(100)) {
      const outcome = await this.#outcomeOf(mark, processId).catch(() => 'in progress')
      if (outcome === 'committed') return
      if (outcome === 'aborted')
        throw new DatabaseFault('40000', 'The connection was lost, the transaction undone.', cause)
      if (outcome === 'unknown') break
    }
    throw new DatabaseFault('40003', 'The connection was lost during COMMIT.', cause)
  }

  /**
   * Reads the outcome outside the pool, which may be full. Ends the session first if it still lives, so that the answer is final. A
   * transaction id the server has not assigned yet was lost in a crash; one that is committed after a crash may belong to another
   * transaction. A standby may be behind, so its answer is not certain. A session that may wait for a synchronous replica is not ended: that
   * would make a commit that only this server has and that a failover would lose.
   */
  async #outcomeOf({ xid, incarnation }: TransactionMark, processId: number | null): Promise<string> {
    try {
      const { rows } = await queryOnce<{ status: string | null; incarnation: string | null }>(
        this.#pool,
        `SELECT CASE WHEN pg_is_in_recovery() THEN 'in progress' ELSE pg_xact_status($1::xid8) END AS status,
            ${INCARNATION} AS incarnation
          FROM (SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE pid = $2 AND backend_xid = $1::xid8::xid
              AND current_setting('synchronous_standby_names') = '') AS ended`,
        [xid, processId],
      )
      const [found] = rows
      if (found?.status === 'committed' && found.incarnation !== incarnation) return 'unknown'
      return found?.status ?? 'unknown'
    } catch (error) {
      if (sqlState(error) === '22023') return 'aborted'
      throw error
    }
  }

  /** Cancels over a separate connection. Behind a pooler with its own process ids it has no effect, and `statement_timeout` ends the statement. */
  async #cancelStatement({ processId }: Connection): Promise<void> {
    const text = `select pg_cancel_backend(pid) from pg_stat_activity
      where pid = $1 and application_name = current_setting('application_name')`
    await queryOnce(this.#pool, text, [processId]).catch(() => undefined)
  }

  /** Never rejects: a connection that cannot roll back is discarded, which rolls back too. */
  async rollbackTransaction(connection: Connection): Promise<void> {
    if (connection.forgetBegin() || connection.isBroken) return
    await connection.command('rollback').catch(() => undefined)
  }

  async releaseConnection(connection: Connection): Promise<void> {
    this.#inUse.delete(connection)
    connection.release()
    this.#queue.givenBack()
  }

  async destroy(): Promise<void> {}
}

/** The refusal of a busy service; `why` is for operators. */
const busy = (why: string): AppError =>
  unavailable('busy', 'The service is busy. Try again in a moment.', 1, new Error(why))

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
