import type { Caller } from '../../auth/principal.ts'
import type { Env } from '../../env.ts'
import { callerLeft, isOfLeaving, unavailable } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { rateLimited } from '../../serve/limit.ts'
import type { Exchange } from '../../serve/route.ts'
import { sql } from '../../sql/sql.ts'
import { workAs } from '../../work/unit-of-work.ts'

/** How long a caller may take for one part; the transaction would otherwise end with the first pause of 15 s. */
const PAUSE = '20s'

/**
 * Streams what `produce` makes inside a read-only transaction that sees one state of the database. It resolves with the first
 * part, so that whatever is wrong is still an error and no broken file. The rest is made as fast as the caller reads it; when the
 * caller leaves, the transaction ends.
 */
export async function streamExport(
  exchange: Exchange,
  caller: Caller,
  produce: (env: Env) => Promise<AsyncGenerator<Uint8Array>>,
): Promise<ReadableStream<Uint8Array>> {
  const leave = await enterExport(exchange, caller)
  return new Promise((resolve, reject) => {
    let hasBegun = false
    const work = workAs(
      exchange,
      caller,
      'snapshot',
      async (env) => {
        // A second try would repeat what was sent.
        if (hasBegun) throw unavailable('database_away', 'The connection to the database was lost.')
        await sql`select set_config('idle_in_transaction_session_timeout', ${PAUSE}, true)`.execute(env.tx)
        const parts = await produce(env)
        const first = await parts.next()
        hasBegun = true
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
        resolve(readable)
        await pump(first, parts, writable.getWriter(), exchange.request.signal)
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
 * What `read` finds in one state of the database, with a place among the exports. Both have ended when it answers, so that what
 * comes after may take its time.
 */
export async function readExport<T>(exchange: Exchange, caller: Caller, read: (env: Env) => Promise<T>): Promise<T> {
  const leave = await enterExport(exchange, caller)
  try {
    return await workAs(exchange, caller, 'snapshot', read)
  } finally {
    leave()
  }
}

/** The reader of the stream wants no more of it. */
class ReaderLeft extends Error {}

async function pump(
  first: IteratorResult<Uint8Array>,
  parts: AsyncGenerator<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  caller: AbortSignal,
): Promise<void> {
  // Its end is seen by `write`.
  writer.closed.catch(() => undefined)
  // A caller who leaves before the answer begins never reads, and cancels nothing.
  const leave = () => void writer.abort(new ReaderLeft()).catch(() => undefined)
  caller.addEventListener('abort', leave, { once: true })
  if (caller.aborted) leave()
  try {
    for (let part = first; !part.done; part = await parts.next()) {
      await writer.write(part.value).catch(() => {
        throw new ReaderLeft()
      })
      await writer.ready.catch(() => undefined)
    }
    await writer.close()
  } catch (error) {
    // A file that is cut must not look like a whole one.
    await writer.abort(error).catch(() => undefined)
    throw error
  } finally {
    caller.removeEventListener('abort', leave)
    await parts.return(undefined).catch(() => undefined)
  }
}

/** One export of a user at a time, and few of all users, since each holds a connection. */
async function enterExport({ services, request }: Exchange, { user }: Caller): Promise<() => void> {
  const leave = await services.exportGate?.enter(`u:${user.id}`, { signal: request.signal })
  if (leave === null && request.signal.aborted) throw callerLeft()
  if (leave === null) throw rateLimited(5)
  return leave ?? (() => {})
}

/** Text as the bytes that are sent. */
export async function* encodeParts(parts: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder()
  for await (const part of parts) yield utf8.encode(part)
}
