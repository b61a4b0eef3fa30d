import type pg from 'pg'

interface Caller {
  serve(client: pg.PoolClient): void
  refuse(error: Error): void
}

/**
 * Callers that wait for a connection of a pool, in order. The first one gets the connection that is ready first, whether it was returned by
 * another caller or just opened. A connection that becomes ready after its caller has left goes to the next one.
 */
export class ConnectionQueue {
  readonly #pool: pg.Pool
  readonly #callers = new Set<Caller>()
  /** How many connections the pool has been asked for and not given yet. */
  #asked = 0

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** Callers that wait. */
  get size(): number {
    return this.#callers.size
  }

  take(waitMs: number): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        this.#callers.delete(caller)
      }
      const caller: Caller = {
        serve(client) {
          leave()
          resolve(client)
        },
        refuse(error) {
          leave()
          reject(error)
        },
      }
      const timer = setTimeout(() => caller.refuse(new Error('The timeout for a connection is over.')), waitMs)
      this.#callers.add(caller)
      this.#askForAll()
    })
  }

  /** A connection was returned. If the pool keeps it idle although callers wait, it must be requested for them. */
  givenBack(): void {
    if (this.#callers.size > 0 && this.#pool.idleCount > 0) this.#ask()
  }

  #askForAll(): void {
    while (this.#asked < Math.min(this.#callers.size, this.#pool.options.max)) this.#ask()
  }

  #ask(): void {
    this.#asked++
    this.#pool.connect((error, client) => {
      this.#asked--
      const [first] = this.#callers
      if (client === undefined) {
        // Refuse the first caller only if the connections still requested are fewer than the callers.
        if (this.#asked < this.#callers.size) first?.refuse(error!)
      } else if (first) first.serve(client)
      else client.release()
      this.#askForAll()
    })
  }
}
