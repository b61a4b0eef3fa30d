import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import pg from 'pg'
import type { BoundedQuery } from '../../kernel/sql/sql.ts'
import type { Trace } from '../../kernel/trace.ts'
import { countedTypes } from './counted-types.ts'
import type { PreparedNames } from './prepared-statements.ts'
import { processIdOf } from './process-id.ts'

export interface QueryObservation {
  readonly sql: string
  readonly ms: number
}

/** A failure the driver itself finds, under the SQLSTATE the kernel knows it by. */
export class DatabaseFault extends Error {
  readonly code: string

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DatabaseFault'
    this.code = code
  }
}

export type ObserveQuery = ((query: QueryObservation) => void) | undefined

/** Identifies a transaction. */
export interface TransactionMark {
  readonly xid: string
  /** Changes when the server has crashed, after which it may give numbers of lost transactions to others. */
  readonly incarnation: string | null
}

export interface ConnectionOptions {
  /** Statements that each transaction begins with. */
  readonly localLimits: string
  readonly names: PreparedNames
  readonly onQuery: ObserveQuery
  /** Whether the server, asked elsewhere, no longer works on what this connection waits for. */
  readonly isForgotten: (connection: Connection) => Promise<boolean>
  /** Asks the server, elsewhere, to end what this connection waits for. Never fails. */
  readonly cancel: (connection: Connection) => Promise<void>
}

/** A statement that has had no answer for so long is asked after; twice forgotten, the connection is given up. */
const SILENT_MS = 2_000
const SECOND_LOOK_MS = 100

/** One `pg` client as Kysely sees it. */
export class Connection implements DatabaseConnection {
  /** Of the transaction that writes, as long as it runs. */
  transaction: TransactionMark | undefined
  /** Of the server, once a transaction has asked for it. */
  incarnation: TransactionMark['incarnation'] | undefined
  /** Of the request that holds it. */
  trace: Trace | undefined
  readonly localLimits: string
  readonly #client: pg.PoolClient
  readonly #names: PreparedNames
  readonly #onQuery: ObserveQuery
  readonly #isForgotten: ConnectionOptions['isForgotten']
  readonly #cancel: ConnectionOptions['cancel']
  #isRunning = false
  #cancelling: Promise<void> | undefined
  #stopped: Error | undefined
  #isBroken = false
  #isStale = false
  #cursors = 0

  constructor(client: pg.PoolClient, { localLimits, names, onQuery, isForgotten, cancel }: ConnectionOptions) {
    this.localLimits = localLimits
    this.#client = client
    this.#names = names
    this.#onQuery = onQuery
    this.#isForgotten = isForgotten
    this.#cancel = cancel
    client.on('error', () => {
      this.#isBroken = true
    })
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Process id of the backend. */
  get processId(): number | null {
    return processIdOf(this.#client)
  }

  /** Breaks the connection, whatever it is doing; its statement fails as if the network had broken. */
  cut(): void {
    this.#socket.destroy()
  }

  /** Ends the running statement and refuses those to come, until the connection is released; COMMIT and ROLLBACK still pass. */
  stop(reason: Error): void {
    this.#stopped ??= reason
    if (this.#isRunning) this.#cancelling ??= this.#cancel(this)
  }

  /** Not in the declaration of a pooled client, though it is one like any other. */
  get #socket() {
    return (this.#client as pg.PoolClient & pg.Client).connection.stream
  }

  async executeQuery<R>({ sql, parameters, maxBytes }: CompiledQuery & BoundedQuery): Promise<QueryResult<R>> {
    if (this.#stopped !== undefined) throw this.#stopped
    const started = performance.now()
    this.#isRunning = true
    try {
      const types = maxBytes === undefined ? undefined : countedTypes(maxBytes, (reason) => this.#overflow(reason))
      const { command, rowCount, rows } = await this.#run<R & pg.QueryResultRow>(sql, parameters, types)
      if (!CHANGING.has(command)) return { rows }
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
    } catch (error) {
      throw this.#stopped ?? error
    } finally {
      this.#isRunning = false
      await this.#cancelled()
      this.#onQuery?.({ sql, ms: performance.now() - started })
    }
  }

  /** Rows that nobody keeps any more need not be sent either. */
  #overflow(reason: Error): never {
    this.#cancelling ??= this.#cancel(this)
    throw reason
  }

  /** The next statement waits until a cancellation under way can no longer hit it. */
  async #cancelled(): Promise<void> {
    if (this.#cancelling === undefined) return
    await this.#cancelling
    this.#cancelling = undefined
  }

  /** Through an SQL cursor, so that one page at a time is in memory; opens a transaction if there is none. */
  async *streamQuery<R>({ sql, parameters }: CompiledQuery, chunkSize = 500): AsyncIterableIterator<QueryResult<R>> {
    const cursor = `svc_cursor_${++this.#cursors}`
    const ownTransaction = this.#client.getTransactionStatus() !== 'T'
    if (ownTransaction) await this.command(`begin read only${this.localLimits}`)
    try {
      await this.#send(`declare ${cursor} no scroll cursor for ${sql}`, parameters)
      while (true) {
        const { rows } = await this.executeQuery<R>(CompiledQuery.raw(`fetch ${Math.trunc(chunkSize)} from ${cursor}`))
        if (rows.length > 0) yield { rows }
        if (rows.length < chunkSize) return
      }
    } finally {
      const end = ownTransaction ? 'rollback' : `close ${cursor}`
      if (!this.#isBroken) await this.command(end).catch(() => undefined)
    }
  }

  /** One or more constant statements in one round trip; answers with the last result. */
  command<R extends pg.QueryResultRow>(text: string): Promise<pg.QueryResult<R>> {
    return this.#send<R>(text, [])
  }

  release(): void {
    this.#stopped = undefined
    this.#client.release(this.#isBroken || this.#isStale || this.#client.getTransactionStatus() !== 'I')
  }

  /** Runs a statement under a prepared name where that pays, and once more when DDL has outdated the name. */
  async #run<R extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
    types?: pg.CustomTypesConfig,
  ): Promise<pg.QueryResult<R>> {
    const prepared = values.length === 0 ? undefined : this.#names.take(text)
    if (!prepared) return this.#send<R>(text, values, undefined, types)
    if (prepared.evicted !== undefined) await this.command(`deallocate ${prepared.evicted}`)
    const mayRepeat = this.#client.getTransactionStatus() === 'I'
    try {
      return await this.#send<R>(text, values, prepared.name, types)
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error
      // Others are likely outdated too: start over with new names, and leave the old ones behind with the connection.
      this.#names.forget()
      this.#isStale = true
      if (mayRepeat) return this.#send<R>(text, values, undefined, types)
      throw new DatabaseFault('40000', 'A prepared statement was outdated by a schema change.', error)
    }
  }

  async #send<R extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
    name?: string,
    types?: pg.CustomTypesConfig,
  ): Promise<pg.QueryResult<R>> {
    this.trace?.lap('compile')
    const endWatch = this.#watch()
    try {
      // `pg` wants a mutable array but only reads it.
      const result = await this.#client.query<R, unknown[]>({
        text,
        values: values as unknown[],
        name,
        ...(types && { types }),
      })
      // Several statements in one text give several results, which the declaration does not tell.
      const results: unknown = result
      return Array.isArray(results) ? results.at(-1) : result
    } catch (error) {
      if (isLastWord(error)) this.#isBroken = true
      if (!this.#isBroken || error instanceof pg.DatabaseError) throw error
      throw new DatabaseFault('08006', 'The connection to the database was lost.', error)
    } finally {
      endWatch()
      this.trace?.lap('sql')
    }
  }

  /**
   * Looks after one statement: a network that has silently broken would keep it waiting until `query_timeout`, which is longer
   * than any statement may take.
   */
  #watch(): () => void {
    let isAnswered = false
    let strikes = 0
    const look = async () => {
      const received = this.#received
      const isForgotten = await this.#isForgotten(this)
      if (isAnswered) return
      strikes = isForgotten && received === this.#received ? strikes + 1 : 0
      if (strikes === 2) this.cut()
      else timer = setTimeout(look, strikes === 0 ? SILENT_MS : SECOND_LOOK_MS)
    }
    let timer = setTimeout(look, SILENT_MS)
    return () => {
      isAnswered = true
      clearTimeout(timer)
    }
  }

  /** Bytes so far, where the host counts them. An answer that is on its way is no silence. */
  get #received(): number | undefined {
    return 'bytesRead' in this.#socket ? Number(this.#socket.bytesRead) : undefined
  }
}

const CHANGING: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** "cached plan must not change result type", recognised by the routine, since messages are translated; or the name is unknown. */
function isOutdatedPlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.routine === 'RevalidateCachedQuery' || error.code === '26000')
}

/** After these errors the server closes the connection, which the socket reports a moment later: a shutdown or a timeout ended the session. */
const LAST_WORDS: ReadonlySet<string> = new Set(['57P01', '57P02', '57P04', '57P05', '25P03', '25P04'])

function isLastWord(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code !== undefined && LAST_WORDS.has(error.code)
  return error instanceof Error && error.message === 'Query read timeout'
}
