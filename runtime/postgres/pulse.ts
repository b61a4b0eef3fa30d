import pg from 'pg'
import { endClient } from './end-client.ts'
import { processIdOf } from './process-id.ts'

/** A statement that waits for its answer. */
export interface Waiting {
  /** Of the backend that works on it. */
  readonly processId: number | null
  /** Bytes that its connection has brought so far; undefined where the host does not count. */
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

/** What is known of a statement, counted in ticks. */
interface Watched {
  readonly statement: Waiting
  received: number | undefined
  unsent: number | undefined
  silent: number
  /** How often in a row the server has said that it does not work on it. */
  forgotten: number
}

const TICK_MS = 500
/** A statement without a byte for so many ticks is asked after, and so long a server must have been silent to be given up. */
const SILENT_TICKS = 4
/** A question without a byte for so many ticks gets no answer. */
const UNANSWERED_TICKS = 3
const TIMES_FORGOTTEN = 2

/**
 * Looks after the statements that a process has under way at one server, since a network that has silently broken would keep them
 * waiting for longer than any statement may take. A server that is only busy is left alone: it is given up when for two seconds no
 * connection has brought a byte, and a new one brings none either. A connection of which it says that nothing runs there has been
 * lost alone. One question at a time, over one connection, for all statements. Ticks of a process that is busy itself come late
 * and are fewer, so that an answer nobody has read yet is no silence.
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

  /** Called when the server is given up, to cut all connections of a pool: a caller who got one would wait as long for the same. */
  whenGone(cut: () => void): void {
    this.#pools.push(cut)
  }

  /** Call the answer when it has come, or when the connection has broken. */
  watch(statement: Waiting): (isAnswered: boolean) => void {
    const watched: Watched = {
      ...{ statement, silent: 0, forgotten: 0 },
      ...{ received: statement.received(), unsent: statement.unsent() },
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

  /** Whether the server has just said something, so that it is there and at most slow. */
  isHeard(): boolean {
    const { tickMs = TICK_MS } = this.#options
    return performance.now() - this.#heardAt < SILENT_TICKS * tickMs
  }

  /** The server has said something. */
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
    // Not those that have been answered in the meantime.
    for (const watched of late.filter((each) => this.#watched.has(each) && isLate(each))) {
      const { processId } = watched.statement
      const isForgotten = answer instanceof Set && processId !== null && !answer.has(processId)
      watched.forgotten = isForgotten ? watched.forgotten + 1 : 0
      if (watched.forgotten === TIMES_FORGOTTEN) watched.statement.cut()
      // Forgotten once, it is asked after with the next tick: its answer may be on the way.
      else if (!isForgotten) watched.silent = 0
    }
  }

  #giveUp(): void {
    for (const { statement } of this.#watched) statement.cut()
    for (const cut of this.#pools) cut()
  }

  /** The sessions among these that the server works for; `alive` if it is there but does not tell, `silence` without a single byte. */
  async #ask(processIds: readonly (number | null)[]): Promise<ReadonlySet<number> | 'alive' | 'silence'> {
    const { dsn, applicationName, tickMs = TICK_MS } = this.#options
    const client = new pg.Client({ connectionString: dsn, application_name: `${applicationName} pulse` })
    client.on('error', () => {})
    // Before TLS, whose first byte comes in the clear.
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
      // A pooler gives its clients numbers of its own, and nothing can be learned by them.
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
