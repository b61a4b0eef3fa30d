import type pg from 'pg'

interface Caller {
  serve(client: pg.PoolClient): void
  refuse(error: Error): void
}

/**
 * Callers that wait for a connection of a pool, in the order they came. Each gets the one that is ready first, whether another caller
 * gives it back or it has just been opened. A connection that is ready when its caller has left is there for the next one.
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

  /** A connection was given back. One that the pool keeps though somebody waits was not asked for: they wait for new ones. */
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
        // Others that were asked for may still come.
        if (this.#asked < this.#callers.size) first?.refuse(error!)
      } else if (first) first.serve(client)
      else client.release()
      this.#askForAll()
    })
  }
}
