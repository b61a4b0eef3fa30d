import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import pg from 'pg'
import { answerTooLarge } from '../../kernel/errors.ts'
import type { Ahead } from '../../kernel/services.ts'
import type { JsonMember } from '../../kernel/sql/json-rows.ts'
import type { QueryTraits, WithJson } from '../../kernel/sql/sql.ts'
import type { Trace } from '../../kernel/trace.ts'
import { type JsonMembers, StatementBatch, type Step, type StepResult } from './batch.ts'
import { countedTypes } from './counted-types.ts'
import { valueTypes } from './pg-values.ts'
import type { PreparedNames } from './prepared-statements.ts'
import { processIdOf } from './process-id.ts'
import type { Pulse, Waiting } from './pulse.ts'

export interface QueryObservation {
  /** With the query that was sent ahead of it in the same round trip. */
  readonly sql: string
  readonly ms: number
}

/** A failure detected by the driver, with the SQLSTATE by which the kernel recognises it. */
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
  /** Changes when the server has crashed, after which it may reuse ids of lost transactions. */
  readonly incarnation: string | null
}

export interface ConnectionOptions {
  /** Statements that each transaction begins with. */
  readonly localLimits: readonly Ahead[]
  readonly names: PreparedNames
  readonly onQuery: ObserveQuery
  readonly pulse: Pulse
  /** How long the answer to one statement may take. */
  readonly answerMs: number
  /** Asks the server over another connection to cancel the running statement. Never rejects. */
  readonly cancel: (connection: Connection) => Promise<void>
}

/** Clients whose connection has failed. */
const failed = new WeakSet<pg.ClientBase>()

/** Records when the connection of a client fails; called right after it is created, since it can fail before its first statement. */
export function watchClient(client: pg.ClientBase): void {
  client.on('error', () => failed.add(client))
}

/** One `pg` client as Kysely sees it. */
export class Connection implements DatabaseConnection, Waiting {
  /** The mark of the running write transaction. */
  transaction: TransactionMark | undefined
  /** The incarnation of the server, once a transaction has read it. */
  incarnation: TransactionMark['incarnation'] | undefined
  /** The trace of the request that holds the connection. */
  trace: Trace | undefined
  readonly localLimits: readonly Ahead[]
  readonly #client: pg.PoolClient
  readonly #names: PreparedNames
  readonly #onQuery: ObserveQuery
  readonly #pulse: Pulse
  readonly #answerMs: number
  readonly #cancel: ConnectionOptions['cancel']
  #isRunning = false
  #cancelling: Promise<void> | undefined
  #stopped: Error | undefined
  #isStale = false
  #cursors = 0
  #ahead: readonly Ahead[] = []
  /** Whether a BEGIN is among the statements to send ahead. */
  #isOpening = false
  /** The error for which the transaction must not be committed. */
  #refused: unknown
  /** The server has given up waiting for a synchronous replica: what it committed may be lost with it. */
  #isUnconfirmed = false
  /** The answer to a COMMIT that went with the last statement. */
  #ended: StepResult['command'] | Error | undefined

  constructor(client: pg.PoolClient, { localLimits, names, onQuery, pulse, answerMs, cancel }: ConnectionOptions) {
    this.localLimits = localLimits
    this.#client = client
    this.#names = names
    this.#onQuery = onQuery
    this.#pulse = pulse
    this.#answerMs = answerMs
    this.#cancel = cancel
    client.on('notice', ({ routine }) => {
      // Recognised by the routine, since messages are translated.
      this.#isUnconfirmed ||= routine === 'SyncRepWaitForLSN'
    })
  }

  get isBroken(): boolean {
    return failed.has(this.#client)
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

  /** The types of a pooled client omit its connection. */
  get #socket() {
    return (this.#client as pg.PoolClient & pg.Client).connection.stream
  }

  /** Sends a statement before the next one, after a BEGIN. */
  precede(ahead: Ahead): void {
    this.#ahead = [...this.#ahead, ahead]
  }

  /** Begins a transaction with the next statement, which saves a round trip. */
  begin(...steps: readonly Ahead[]): void {
    this.#ahead = [...steps, ...this.#ahead]
    this.#isOpening = true
  }

  /** Forgets a transaction that has had no statement; false if it has begun. */
  forgetBegin(): boolean {
    const isUnknown = this.#isOpening
    if (isUnknown) this.#takeAhead()
    return isUnknown
  }

  /** Returns what the server did: COMMIT or ROLLBACK. */
  async commit(): Promise<string> {
    if (this.#refused !== undefined) throw this.#refused
    const ended = this.#ended
    this.#ended = undefined
    if (ended instanceof Error) throw ended
    const command = ended ?? (await this.command('commit')).command
    if (this.#isUnconfirmed)
      throw new DatabaseFault('40003', 'No synchronous replica has confirmed the COMMIT in time.')
    return command
  }

  #takeAhead(): readonly Ahead[] {
    const ahead = this.#ahead
    this.#ahead = []
    this.#isOpening = false
    return ahead
  }

  async executeQuery<R>(query: CompiledQuery & QueryTraits): Promise<QueryResult<R> & WithJson> {
    const { sql, parameters, maxBytes, members, isPrepared, isLast, ahead } = query
    const refused = this.#refused ?? this.#stopped
    if (refused !== undefined) throw refused
    const started = performance.now()
    this.#isRunning = true
    if (ahead) this.precede(ahead)
    try {
      const types = maxBytes === undefined ? valueTypes : countedTypes(maxBytes, (reason) => this.#overflow(reason))
      const step: Step = { text: sql, values: parameters, types, json: members && this.#jsonOf(members, maxBytes) }
      const answer = await this.#run(step, isPrepared || members !== undefined, isLast === true)
      const { command, rowCount, json } = answer
      const rows = answer.rows as R[]
      if (json) return { rows, json }
      if (!CHANGING.has(command)) return { rows }
      return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
    } catch (error) {
      if (isLast && this.isBroken) {
        // `commit` finds out whether the transaction was committed.
        this.#ended = error as Error
        return { rows: [] }
      }
      throw this.#stopped ?? error
    } finally {
      this.#isRunning = false
      await this.#cancelled()
      this.#onQuery?.({ sql: ahead ? `${ahead.text}; ${sql}` : sql, ms: performance.now() - started })
    }
  }

  #jsonOf(members: readonly JsonMember[], maxBytes = Number.POSITIVE_INFINITY): JsonMembers {
    const count = (bytes: number) => {
      if (bytes > maxBytes) this.#overflow(answerTooLarge(maxBytes))
    }
    return { members, count }
  }

  /** Cancels a statement whose result is too large, so that its remaining rows are not sent. */
  #overflow(reason: Error): never {
    this.#cancelling ??= this.#cancel(this)
    throw reason
  }

  /** Waits until a running cancellation can no longer hit the next statement. */
  async #cancelled(): Promise<void> {
    if (this.#cancelling === undefined) return
    await this.#cancelling
    this.#cancelling = undefined
  }

  /** Through an SQL cursor, so that one page at a time is in memory; opens a transaction if there is none. */
  async *streamQuery<R>({ sql, parameters }: CompiledQuery, chunkSize = 500): AsyncIterableIterator<QueryResult<R>> {
    const cursor = `svc_cursor_${++this.#cursors}`
    const ownTransaction = !this.#isInside
    if (ownTransaction) this.begin({ text: 'begin read only' }, ...this.localLimits)
    try {
      await this.executeQuery(CompiledQuery.raw(`declare ${cursor} no scroll cursor for ${sql}`, [...parameters]))
      while (true) {
        const { rows } = await this.executeQuery<R>(CompiledQuery.raw(`fetch ${Math.trunc(chunkSize)} from ${cursor}`))
        if (rows.length > 0) yield { rows }
        if (rows.length < chunkSize) return
      }
    } finally {
      const end = ownTransaction ? 'rollback' : `close ${cursor}`
      if (!this.isBroken) await this.command(end).catch(() => undefined)
    }
  }

  /** One or more constant statements in one round trip; answers with the last result. */
  command(text: string): Promise<StepResult> {
    return this.#runConstant(text, this.#takeAhead(), valueTypes)
  }

  release(): void {
    this.#takeAhead()
    this.#ended = undefined
    this.#refused = undefined
    this.#stopped = undefined
    this.#isUnconfirmed = false
    this.#client.release(this.isBroken || this.#isStale || this.#client.getTransactionStatus() !== 'I')
  }

  get #isInside(): boolean {
    return this.#isOpening || this.#client.getTransactionStatus() !== 'I'
  }

  /** Runs a statement under a prepared name where that pays, and once more when DDL has outdated the name. */
  async #run(step: Step, isPrepared: boolean | undefined, isLast: boolean): Promise<StepResult> {
    const isOpening = this.#isOpening
    const mayRepeat = isOpening || !this.#isInside
    const ahead = this.#takeAhead()
    if (step.values.length === 0 && !isLast && !isPrepared) return this.#runConstant(step.text, ahead, step.types)
    // A statement sent ahead may refuse the transaction, so COMMIT is not sent in the same batch.
    const withCommit = isLast && ahead.length === 0
    const steps = [...ahead.map(stepOf), step, ...(withCommit ? [COMMIT] : [])]
    try {
      const results = await this.#runSteps(
        steps.map((step) => ({ prepared: this.#names.take(step.text), ...step })),
        ahead,
      )
      if (withCommit) this.#ended = results.at(-1)!.command
      return results[ahead.length]!
    } catch (error) {
      if (!isOutdatedPlan(error)) throw error
      // Other statements are probably outdated too: use new names, and drop the old ones with the connection.
      this.#names.forget()
      this.#isStale = true
      // The BEGIN was sent along, so its transaction has failed without having done anything.
      if (isOpening) await this.#watched(() => this.#client.query('rollback'))
      if (mayRepeat) return (await this.#runSteps(steps, ahead))[ahead.length]!
      throw new DatabaseFault('40000', 'A prepared statement was outdated by a schema change.', error)
    }
  }

  async #runSteps(steps: readonly Step[], ahead: readonly Ahead[]): Promise<readonly StepResult[]> {
    const batch = new StatementBatch(steps, this.#names.evicted(), this.#answerMs)
    const answered = new Promise<void>((resolve, reject) => {
      batch.callback = (error) => (error ? reject(error) : resolve())
    })
    try {
      await this.#watched(() => {
        this.#client.query(batch)
        return answered
      })
    } finally {
      this.#handRows(ahead, batch.results)
    }
    return batch.results
  }

  /** Runs statements without values as one text; the server answers them one by one. */
  async #runConstant(text: string, ahead: readonly Ahead[], types: pg.CustomTypesConfig): Promise<StepResult> {
    const together = ahead.every(({ values }) => values === undefined) ? ahead : []
    if (together.length < ahead.length) await this.#runSteps(ahead.map(stepOf), ahead)
    const all = [...together.map((step) => step.text), text].join('; ')
    // The types of `pg` do not declare several results.
    const answer: unknown = await this.#watched(() => this.#client.query({ text: all, types }))
    const results = (Array.isArray(answer) ? answer : [answer]) as StepResult[]
    this.#handRows(together, results)
    return results.at(-1)!
  }

  /** Passes rows of the statements sent ahead to their `take`, even if a later statement of the batch failed. */
  #handRows(ahead: readonly Ahead[], results: readonly StepResult[]): void {
    try {
      for (const [index, { take }] of ahead.entries()) {
        const result = results[index]
        if (result) take?.(result.rows)
      }
    } catch (error) {
      this.#refused = error
      throw error
    }
  }

  async #watched<T>(send: () => Promise<T>): Promise<T> {
    this.trace?.lap('compile')
    const endWatch = this.#pulse.watch(this)
    try {
      return await send()
    } catch (error) {
      if (error instanceof pg.DatabaseError) Error.captureStackTrace(error)
      if (isLastWord(error)) failed.add(this.#client)
      if (!this.isBroken || error instanceof pg.DatabaseError) throw error
      throw new DatabaseFault('08006', 'The connection to the database was lost.', error)
    } finally {
      endWatch(!this.isBroken)
      this.trace?.lap('sql')
    }
  }

  received(): number | undefined {
    return 'bytesRead' in this.#socket ? Number(this.#socket.bytesRead) : undefined
  }

  unsent(): number | undefined {
    return 'writableLength' in this.#socket ? Number(this.#socket.writableLength) : undefined
  }
}

const COMMIT: Step = { text: 'commit', values: [], types: valueTypes }

const stepOf = ({ text, values = [] }: Ahead): Step => ({ text, values, types: valueTypes })

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
