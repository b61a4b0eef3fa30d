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
  /** Settings that each transaction begins with, where a pooler gives it a session that others use too; otherwise null. */
  readonly localLimits: (client: pg.PoolClient) => readonly Ahead[] | null
}

/** How long the outcome of a COMMIT whose answer was lost is looked for. */
const SETTLE_MS = 3_000
/** Statistics start over with a crash, and with nothing else that happens by itself. */
const INCARNATION = '(select stats_reset::text from pg_stat_archiver)'

/** Kysely's driver over a `pg` pool: refuses instead of queueing without end, and never lies about a COMMIT. */
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
        // In a session of others a name may stand for another statement.
        names: preparedNames(localLimits === null ? this.#ranBefore : () => false),
        onQuery: this.#options.onQuery,
        pulse: this.#options.pulse,
        cancel: (running) => this.#cancelStatement(running),
      })
      this.#connections.set(client, connection)
    }
    this.#inUse.add(connection)
    return connection
  }

  /** A wait that was too long says nothing of the network while the server answers others. */
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
   * BEGIN goes with the first statement, and with it the question for the mark of the transaction, so that a lost answer to COMMIT can
   * be resolved.
   */
  async beginTransaction(connection: Connection, { isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const readOnly = accessMode === 'read only' || this.#options.readOnly
    const modes = `isolation level ${isolationLevel ?? 'read committed'} ${readOnly ? 'read only' : 'read write'}`
    connection.transaction = undefined
    const begin = { text: `begin ${modes}` }
    if (readOnly) return connection.begin(begin, ...connection.localLimits)
    // A crash ends all connections, so it is asked for once. A pooler may hide that; then an outcome is unknown that could be known.
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

  /** Returns if the transaction is committed after all, and otherwise throws what is known. */
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
   * Asked outside the pool, which may be full. Ends the session first if it still lives, so that the answer is final. A number the
   * server has not given out yet was lost with a crash; one that counts as committed after a crash may be somebody else's. A
   * standby may be behind and knows nothing for sure. A session that may wait for a synchronous replica is left alone: its end would
   * be a commit that this server alone has, and that a failover loses.
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

  /** On a connection of its own. Where a pooler gives out other process ids nothing is hit, and `statement_timeout` ends it. */
  async #cancelStatement({ processId }: Connection): Promise<void> {
    const text = `select pg_cancel_backend(pid) from pg_stat_activity
      where pid = $1 and application_name = current_setting('application_name')`
    await queryOnce(this.#pool, text, [processId]).catch(() => undefined)
  }

  /** Never fails: a connection that cannot roll back is thrown away, which rolls back too. */
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

/** Why is for operators. */
const busy = (why: string): AppError =>
  unavailable('busy', 'The service is busy. Try again in a moment.', 1, new Error(why))

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
