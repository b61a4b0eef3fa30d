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
  #ahead: Ahead | undefined
  readonly #held = new Map<Connection, () => void>()

  constructor(pool: PoolDriver, signal: AbortSignal | undefined, ms: number, options: RequestOptions = {}) {
    this.#pool = pool
    this.#signal = signal
    this.#admit = options.admit
    this.#trace = options.trace
    this.#ahead = options.ahead?.isKnown ? undefined : options.ahead
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
    if (this.#ahead) connection.precede(this.#onlyOnce(this.#ahead))
    try {
      await this.#admit?.(connection)
    } catch (error) {
      await this.releaseConnection(connection)
      throw error
    }
    return connection
  }

  /** Sends a statement ahead until it has been answered once: if the first attempt gets no answer, it is sent with the next statement too. */
  #onlyOnce(ahead: Ahead): Ahead {
    const take: Ahead['take'] = (rows) => {
      this.#ahead = undefined
      ahead.take?.(rows)
    }
    return { text: ahead.text, values: ahead.values ?? [], take }
  }

  beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
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
