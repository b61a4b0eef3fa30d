import pg from 'pg'
import { endClient } from './end-client.ts'
import { processIdOf } from './process-id.ts'

/** A statement that waits for its answer. */
export interface Waiting {
  /** Process id of its backend. */
  readonly processId: number | null
  /** Bytes received on its connection so far; undefined on hosts that do not count. */
  received(): number | undefined
  /** Bytes that wait to be sent. */
  unsent(): number | undefined
  /** Gives the connection up. */
  cut(): void
}

export interface PulseOptions {
  readonly dsn: string
  readonly applicationName: string
  readonly tickMs?: number
}

/** The state of a watched statement, counted in ticks. */
interface Watched {
  readonly statement: Waiting
  received: number | undefined
  unsent: number | undefined
  silent: number
  /** How often in a row the server reported that it is not working on the statement. */
  forgotten: number
}

const TICK_MS = 500
/** After this many ticks without a byte for a statement, the server is asked about it; without a byte at all, it is given up. */
const SILENT_TICKS = 4
/** After this many ticks without a byte, the question counts as unanswered. */
const UNANSWERED_TICKS = 3
const TIMES_FORGOTTEN = 2

/**
 * Watches the running statements of a process at one server: if the network breaks silently, they would wait for longer than any
 * statement may take. A server that is only busy is not given up; it is given up if no connection has received a byte for two seconds and
 * a new connection receives none either. If the server reports that nothing runs on a connection, only that connection is lost. All
 * statements are checked with one query at a time over one connection. In a busy process ticks come late and are fewer, so an answer that
 * has arrived but was not read yet does not count as silence.
 */
export class Pulse {
  readonly #options: PulseOptions
  readonly #watched = new Set<Watched>()
  readonly #pools: (() => void)[] = []
  #timer: ReturnType<typeof setInterval> | undefined
  #isAsking = false
  /** Ticks since the server was last heard. */
  #silent = 0
  #heardAt = Number.NEGATIVE_INFINITY

  constructor(options: PulseOptions) {
    this.#options = options
  }

  /** Registers a function that cuts all connections of a pool when the server is given up, so that later callers do not wait on them. */
  whenGone(cut: () => void): void {
    this.#pools.push(cut)
  }

  /** Watches a statement; call the returned function when it was answered or its connection broke. */
  watch(statement: Waiting): (isAnswered: boolean) => void {
    const watched: Watched = {
      statement,
      silent: 0,
      forgotten: 0,
      received: statement.received(),
      unsent: statement.unsent(),
    }
    this.#watched.add(watched)
    this.#timer ??= setInterval(() => this.#tick(), this.#options.tickMs ?? TICK_MS)
    return (isAnswered) => {
      this.#watched.delete(watched)
      if (isAnswered) this.hear()
      if (this.#watched.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  /** Whether the server has sent something recently, so that it is reachable and at most slow. */
  isHeard(): boolean {
    const { tickMs = TICK_MS } = this.#options
    return performance.now() - this.#heardAt < SILENT_TICKS * tickMs
  }

  /** The server has sent something. */
  hear(): void {
    this.#silent = 0
    this.#heardAt = performance.now()
  }

  #tick(): void {
    this.#silent++
    for (const watched of this.#watched) {
      const received = watched.statement.received()
      const unsent = watched.statement.unsent()
      if (received !== watched.received) this.hear()
      watched.silent = received === watched.received && unsent === watched.unsent ? watched.silent + 1 : 0
      Object.assign(watched, { received, unsent })
    }
    if (!this.#isAsking && [...this.#watched].some(isLate)) void this.#lookAfterLate()
  }

  async #lookAfterLate(): Promise<void> {
    this.#isAsking = true
    const late = [...this.#watched].filter(isLate)
    const answer = await this.#ask(late.map(({ statement }) => statement.processId))
    this.#isAsking = false
    if (answer !== 'silence') this.hear()
    if (this.#silent >= SILENT_TICKS) return this.#giveUp()
    // Skip statements that have been answered in the meantime.
    for (const watched of late.filter((each) => this.#watched.has(each) && isLate(each))) {
      const { processId } = watched.statement
      const isForgotten = answer instanceof Set && processId !== null && !answer.has(processId)
      watched.forgotten = isForgotten ? watched.forgotten + 1 : 0
      if (watched.forgotten === TIMES_FORGOTTEN) watched.statement.cut()
      // If the server did not report it once, its answer may be on the way: it stays late, and the next tick asks again.
      else if (!isForgotten) watched.silent = 0
    }
  }

  #giveUp(): void {
    for (const { statement } of this.#watched) statement.cut()
    for (const cut of this.#pools) cut()
  }

  /** Which of these processes of the server run a statement; `alive` if it answers but cannot tell, `silence` if it sends no byte. */
  async #ask(processIds: readonly (number | null)[]): Promise<ReadonlySet<number> | 'alive' | 'silence'> {
    const { dsn, applicationName, tickMs = TICK_MS } = this.#options
    const client = new pg.Client({ connectionString: dsn, application_name: `${applicationName} pulse` })
    client.on('error', () => {})
    // The raw stream before TLS, where the server's first byte can be counted.
    const { stream } = client.connection
    let received: number | undefined = 0
    let silent = 0
    const timer = setInterval(() => {
      const now = receivedBy(stream)
      silent = now === received ? silent + 1 : 0
      received = now
      if (silent === UNANSWERED_TICKS) stream.destroy()
    }, tickMs)
    try {
      await client.connect()
      const { rows } = await client.query<{ own: number; pid: number | null }>(
        `SELECT pg_backend_pid() AS own, pid FROM (SELECT) AS always LEFT JOIN pg_stat_activity
           ON pid = ANY($1::int[]) AND state NOT LIKE 'idle%'`,
        [processIds],
      )
      // A pooler has its own process ids, which cannot be looked up on the server.
      if (rows[0]?.own !== processIdOf(client)) return 'alive'
      return new Set(rows.flatMap(({ pid }) => (pid === null ? [] : [pid])))
    } catch (error) {
      // Any answer of the server, even an error, shows that it is reachable.
      return error instanceof pg.DatabaseError || receivedBy(stream) ? 'alive' : 'silence'
    } finally {
      clearInterval(timer)
      void endClient(client)
    }
  }
}

const isLate = ({ silent }: Watched): boolean => silent >= SILENT_TICKS

const receivedBy = (stream: object): number | undefined =>
  'bytesRead' in stream ? Number(stream.bytesRead) : undefined
