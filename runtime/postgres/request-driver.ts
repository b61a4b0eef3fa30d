import type { Driver, TransactionSettings } from 'kysely'
import { callerLeft, tookTooLong } from '../../kernel/errors.ts'
import type { Ahead, RequestDbOptions } from '../../kernel/services.ts'
import type { Trace } from '../../kernel/trace.ts'
import type { Connection } from './connection.ts'
import type { PoolDriver } from './pool-driver.ts'

/** Checks a connection before the request may use it; throws if it may not. */
export type Admit = (connection: Connection) => Promise<void>

export interface RequestOptions extends RequestDbOptions {
  readonly admit?: Admit
}

/**
 * The pool for one request: when its caller leaves or its time is over, the statement that is running is cancelled and no
 * further one begins.
 */
export class RequestDriver implements Driver {
  readonly #pool: PoolDriver
  readonly #signal: AbortSignal | undefined
  readonly #end: number
  readonly #admit: Admit | undefined
  readonly #trace: Trace | undefined
  readonly #ahead: Ahead | undefined
  /** Whether `#ahead` is to be sent with the next statement. */
  #isPending: boolean
  #hasBegun = false
  readonly #held = new Map<Connection, () => void>()

  constructor(pool: PoolDriver, signal: AbortSignal | undefined, ms: number, options: RequestOptions = {}) {
    this.#pool = pool
    this.#signal = signal
    this.#admit = options.admit
    this.#trace = options.trace
    this.#ahead = options.ahead
    this.#isPending = options.ahead !== undefined && options.ahead.isKnown !== true
    this.#end = performance.now() + ms
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Connection> {
    if (this.#signal?.aborted) throw callerLeft()
    this.#trace?.lap('compile')
    const connection = await this.#pool.acquireConnection()
    this.#trace?.lap('wait')
    connection.trace = this.#trace
    const stop = () => connection.stop(tookTooLong())
    const leave = () => connection.stop(callerLeft())
    const timer = setTimeout(stop, Math.max(0, this.#end - performance.now()))
    this.#signal?.addEventListener('abort', leave, { once: true })
    this.#held.set(connection, () => {
      clearTimeout(timer)
      this.#signal?.removeEventListener('abort', leave)
    })
    if (this.#signal?.aborted) leave()
    if (this.#isPending) this.#sendAhead(connection)
    try {
      await this.#admit?.(connection)
    } catch (error) {
      await this.releaseConnection(connection)
      throw error
    }
    return connection
  }

  /** Without an answer it is sent with the next statement too. */
  #sendAhead(connection: Connection): void {
    const { text, values = [], take } = this.#ahead!
    const takeOnce: Ahead['take'] = (rows) => {
      this.#isPending = false
      take?.(rows)
    }
    connection.precede({ text, values, take: takeOnce })
  }

  beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    // A transaction after the first one repeats it: what was read ahead of that may have changed since then.
    if (this.#ahead && this.#hasBegun && !this.#isPending) this.#sendAhead(connection)
    this.#hasBegun = true
    return this.#pool.beginTransaction(connection, settings)
  }

  commitTransaction(connection: Connection): Promise<void> {
    return this.#pool.commitTransaction(connection)
  }

  rollbackTransaction(connection: Connection): Promise<void> {
    return this.#pool.rollbackTransaction(connection)
  }

  async releaseConnection(connection: Connection): Promise<void> {
    this.#held.get(connection)?.()
    this.#held.delete(connection)
    connection.trace = undefined
    await this.#pool.releaseConnection(connection)
  }

  async destroy(): Promise<void> {}
}
