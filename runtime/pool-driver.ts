import type { Driver, TransactionSettings } from 'kysely'
import pg from 'pg'
import { unavailable } from '../kernel/errors.ts'
import { Connection, DatabaseFault, type ObserveQuery } from './connection.ts'
import { preparedNames, rememberTexts } from './prepared-statements.ts'

export interface DriverOptions {
  readonly maxConnections: number
  readonly prepare: boolean
  readonly readOnly: boolean
  readonly onQuery: ObserveQuery
}

const WAITERS_PER_CONNECTION = 4
/** How long the outcome of a COMMIT whose answer was lost is looked for. */
const SETTLE_MS = 3_000

/** Kysely's driver over a `pg` pool: refuses instead of queueing without end, and never lies about a COMMIT. */
export class PoolDriver implements Driver {
  readonly #pool: pg.Pool
  readonly #options: DriverOptions
  readonly #connections = new WeakMap<pg.PoolClient, Connection>()
  readonly #ranBefore: (sql: string) => boolean

  constructor(pool: pg.Pool, options: DriverOptions) {
    this.#pool = pool
    this.#options = options
    this.#ranBefore = options.prepare ? rememberTexts() : () => false
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    const pool = this.#pool
    if (pool.idleCount === 0 && pool.waitingCount >= WAITERS_PER_CONNECTION * this.#options.maxConnections) {
      throw unavailable('The service is busy. Try again in a moment.')
    }
    let client: pg.PoolClient
    try {
      client = await pool.connect()
    } catch (error) {
      throw unavailable('The database is busy or away. Try again in a moment.', 1, error)
    }
    let connection = this.#connections.get(client)
    if (!connection) {
      connection = new Connection(client, preparedNames(this.#ranBefore), this.#options.onQuery)
      this.#connections.set(client, connection)
    }
    return connection
  }

  /** Asks for the transaction id in the same round trip, so that a lost answer to COMMIT can be resolved. */
  async beginTransaction(connection: Connection, { isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const readOnly = accessMode === 'read only' || this.#options.readOnly
    const modes = `isolation level ${isolationLevel ?? 'read committed'} ${readOnly ? 'read only' : 'read write'}`
    const ask = readOnly ? '' : '; select pg_current_xact_id()::text as xid'
    const result = await connection.command<{ xid?: string }>(`begin ${modes}${ask}`)
    connection.transactionId = result.rows[0]?.xid
  }

  async commitTransaction(connection: Connection): Promise<void> {
    try {
      const { command } = await connection.command('commit')
      if (command !== 'COMMIT')
        throw new DatabaseFault('25P02', 'The transaction had failed and could not be committed.')
    } catch (error) {
      if (!connection.isBroken || connection.transactionId === undefined) throw error
      await this.#settleCommit(connection, connection.transactionId, error)
    }
  }

  /** Returns if the transaction is committed after all, and otherwise throws what is known. */
  async #settleCommit({ processId }: Connection, xid: string, cause: unknown): Promise<void> {
    for (const deadline = performance.now() + SETTLE_MS; performance.now() < deadline; await pause(100)) {
      const status = await this.#transactionStatus(xid, processId).catch(() => undefined)
      if (status === 'committed') return
      if (status === 'aborted')
        throw new DatabaseFault('40000', 'The connection was lost, the transaction undone.', cause)
    }
    throw new DatabaseFault('40003', 'The connection was lost during COMMIT.', cause)
  }

  /** Asked outside the pool, which may be full. Ends the session first if it still lives, so that the answer is final. */
  async #transactionStatus(xid: string, processId: number | null): Promise<string | null | undefined> {
    const client = new pg.Client(this.#pool.options)
    client.on('error', () => {})
    await client.connect()
    try {
      const { rows } = await client.query<{ status: string | null }>(
        `SELECT pg_xact_status($1::xid8) AS status FROM (SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
          WHERE pid = $2 AND backend_xid = $1::xid8::xid) AS ended`,
        [xid, processId],
      )
      return rows[0]?.status
    } finally {
      await client.end()
    }
  }

  /** Never fails: a connection that cannot roll back is thrown away, which rolls back too. */
  async rollbackTransaction(connection: Connection): Promise<void> {
    if (!connection.isBroken) await connection.command('rollback').catch(() => undefined)
  }

  async releaseConnection(connection: Connection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {}
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
