import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import pg from 'pg'
import type { PreparedNames } from './prepared-statements.ts'

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

/** One `pg` client as Kysely sees it. */
export class Connection implements DatabaseConnection {
  transactionId: string | undefined
  readonly #client: pg.PoolClient
  readonly #names: PreparedNames
  readonly #onQuery: ObserveQuery
  #isBroken = false
  #isStale = false
  #cursors = 0

  constructor(client: pg.PoolClient, names: PreparedNames, onQuery: ObserveQuery) {
    this.#client = client
    this.#names = names
    this.#onQuery = onQuery
    client.on('error', () => {
      this.#isBroken = true
    })
  }

  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Process id of the backend. The declarations of `pg` leave it out. */
  get processId(): number | null {
    return (this.#client as pg.PoolClient & { readonly processID?: number | null }).processID ?? null
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const started = performance.now()
    try {
      const { command, rowCount, rows } = await this.#run<R & pg.QueryResultRow>(sql, parameters)
      if (!CHANGING.has(command)) return { rows }
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
    } finally {
      this.#onQuery?.({ sql, ms: performance.now() - started })
    }
  }

  /** Through an SQL cursor, so that one page at a time is in memory; opens a transaction if there is none. */
  async *streamQuery<R>({ sql, parameters }: CompiledQuery, chunkSize = 500): AsyncIterableIterator<QueryResult<R>> {
    const cursor = `svc_cursor_${++this.#cursors}`
    const ownTransaction = this.#client.getTransactionStatus() !== 'T'
    if (ownTransaction) await this.command('begin read only')
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
    this.#client.release(this.#isBroken || this.#isStale || this.#client.getTransactionStatus() !== 'I')
  }

  /** Runs a statement under a prepared name where that pays, and once more when DDL has outdated the name. */
  async #run<R extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<pg.QueryResult<R>> {
    const prepared = values.length === 0 ? undefined : this.#names.take(text)
    if (!prepared) return this.#send<R>(text, values)
    if (prepared.evicted !== undefined) await this.command(`deallocate ${prepared.evicted}`)
    const mayRepeat = this.#client.getTransactionStatus() === 'I'
    try {
      return await this.#send<R>(text, values, prepared.name)
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error
      // Others are likely outdated too: start over with new names, and leave the old ones behind with the connection.
      this.#names.forget()
      this.#isStale = true
      if (mayRepeat) return this.#send<R>(text, values)
      throw new DatabaseFault('40000', 'A prepared statement was outdated by a schema change.', error)
    }
  }

  async #send<R extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
    name?: string,
  ): Promise<pg.QueryResult<R>> {
    try {
      // `pg` wants a mutable array but only reads it.
      const result = await this.#client.query<R, unknown[]>({ text, values: values as unknown[], name })
      // Several statements in one text give several results, which the declaration does not tell.
      const results: unknown = result
      return Array.isArray(results) ? results.at(-1) : result
    } catch (error) {
      if (error instanceof Error && error.message === 'Query read timeout') this.#isBroken = true
      if (!this.#isBroken || error instanceof pg.DatabaseError) throw error
      throw new DatabaseFault('08006', 'The connection to the database was lost.', error)
    }
  }
}

const CHANGING: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** "cached plan must not change result type", told by the routine since messages are translated; or the name is unknown. */
function isOutdatedPlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.routine === 'RevalidateCachedQuery' || error.code === '26000')
}
