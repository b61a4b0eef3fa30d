import type { Caller } from '../../auth/principal.ts'
import type { Env } from '../../env.ts'
import { isOfLeaving, unavailable } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { enterGate } from '../../serve/limit.ts'
import type { Exchange } from '../../serve/route.ts'
import type { Services } from '../../services.ts'
import { sql } from '../../sql/sql.ts'
import { workAs } from '../../work/unit-of-work.ts'

/** How long a caller may take to read one part, and how often that is checked. */
const PAUSE_MS = 20_000
const LOOK_MS = 1_000
/** While other exports wait for a place, a caller loses its place after reading for longer than this and slower than this rate. */
const SLOW_MS = 5_000
const MIN_BYTES_PER_MS = 256
/** The transaction waits longer than its caller may take; it would otherwise end with the first pause of 15 s. */
const IDLE_MS = PAUSE_MS + 5_000

/**
 * Streams what `produce` makes inside a read-only transaction that sees one state of the database. It resolves with the first
 * part, so that an error up to then is answered instead of a broken file. The rest is made as fast as the caller reads it; when the
 * caller leaves, the transaction ends.
 */
export async function streamExport(
  exchange: Exchange,
  caller: Caller,
  produce: (env: Env) => Promise<AsyncGenerator<Uint8Array>>,
  turn: Turn = 'export',
): Promise<ReadableStream<Uint8Array>> {
  const leave = await enterExport(exchange, caller, turn)
  return new Promise((resolve, reject) => {
    let hasBegun = false
    const work = workAs(
      exchange,
      caller,
      'snapshot',
      async (env) => {
        // A repeated transaction would send the first parts again.
        if (hasBegun) throw unavailable('database_away', 'The connection to the database was lost.')
        await sql`select set_config('idle_in_transaction_session_timeout', ${`${IDLE_MS}ms`}, true)`.execute(env.tx)
        const parts = await produce(env)
        const first = await parts.next()
        hasBegun = true
        try {
          await send(first, parts, exchange, resolve)
        } finally {
          await parts.return(undefined).catch(() => undefined)
        }
      },
      { ms: LIMITS.exportMs },
    )
    const done = work.then(leave, (error: unknown) => {
      leave()
      if (!hasBegun) reject(error)
      else if (!(error instanceof ReaderLeft) && !isOfLeaving(error, exchange.request))
        exchange.services.observe({ kind: 'failure', requestId: exchange.requestId, error })
    })
    exchange.services.background?.(done)
  })
}

/**
 * Runs `read` on one state of the database, with a place among the exports. Transaction and place have ended when it resolves, so that
 * later work does not hold them.
 */
export async function readExport<T>(
  exchange: Exchange,
  caller: Caller,
  read: (env: Env) => Promise<T>,
  turn: Turn = 'export',
): Promise<T> {
  const leave = await enterExport(exchange, caller, turn)
  try {
    return await workAs(exchange, caller, 'snapshot', read)
  } finally {
    leave()
  }
}

/** The reader of the stream has left or is too slow. */
class ReaderLeft extends Error {}

/** The request that reads the stream, and the services that limit it. */
interface Reader {
  readonly request: Pick<Request, 'signal'>
  readonly services: Pick<Services, 'timer' | 'exportGate'>
}

/** Gives `take` a stream of the parts, each made when it is asked for. Resolves when all of them were read. */
export function send(
  first: IteratorResult<Uint8Array>,
  parts: AsyncGenerator<Uint8Array>,
  { request: { signal }, services: { timer, exportGate } }: Reader,
  take: (body: ReadableStream<Uint8Array>) => void,
): Promise<void> {
  let part: Promise<IteratorResult<Uint8Array>> | null = Promise.resolve(first)
  let stopWaiting = () => {}
  let leave = () => {}
  let [bytes, readingMs] = [0, 0]
  /** Waits for the reader to ask for the next part. */
  const wait = (pausedMs = 0) => {
    stopWaiting = timer(LOOK_MS, () => {
      readingMs += LOOK_MS
      const paused = pausedMs + LOOK_MS
      const isSlow = readingMs > SLOW_MS + bytes / MIN_BYTES_PER_MS
      if (paused >= PAUSE_MS || (isSlow && exportGate?.isNeeded?.())) leave()
      else wait(paused)
    })
  }
  const sent = new Promise<void>((resolve, reject) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        // A caller who leaves before the answer begins never reads, and not every host reports one who stops reading.
        leave = () => {
          controller.error(new ReaderLeft())
          reject(new ReaderLeft())
        }
        signal.addEventListener('abort', leave, { once: true })
        wait()
      },
      async pull(controller) {
        stopWaiting()
        try {
          const { done, value } = await (part ?? parts.next())
          part = null
          if (done) {
            controller.close()
            return resolve()
          }
          controller.enqueue(value)
          bytes += value.length
          wait()
        } catch (error) {
          // A truncated file must not look complete.
          controller.error(error)
          reject(error)
        }
      },
      cancel: () => reject(new ReaderLeft()),
    })
    if (signal.aborted) leave()
    take(body)
  })
  return sent.finally(() => {
    stopWaiting()
    signal.removeEventListener('abort', leave)
  })
}

/** A preview of a few records does not wait for a long file of the same user. */
export type Turn = 'export' | 'preview'

/** One export and one preview of a user at a time, and few of all users, since each holds a connection. */
const enterExport = ({ services, request }: Exchange, { user }: Caller, turn: Turn): Promise<() => void> =>
  enterGate(services.exportGate, `${turn}:${user.id}`, request)

/** Text as the bytes that are sent. */
export async function* encodeParts(parts: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder()
  for await (const part of parts) yield utf8.encode(part)
}
