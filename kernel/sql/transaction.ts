import type { Observe } from '../observation.ts'
import type { Db, Tx } from './database.ts'
import { isConnectionLost, isRetryable, sqlState } from './pg-error.ts'
import { sql } from './sql.ts'

/**
 * write: READ COMMITTED. serial: REPEATABLE READ, a concurrent change of a row it writes re-runs it.
 * snapshot: REPEATABLE READ READ ONLY, several statements over one state.
 */
export type TransactionKind = 'write' | 'serial' | 'snapshot'

/** What a retry needs from the host; a part of `Services`. */
export interface RetryPorts {
  readonly clock: () => Date
  readonly random: (bytes: number) => Uint8Array
  readonly sleep: (ms: number) => Promise<void>
  /** Called for every retry. */
  readonly observe?: Observe
}

const RETRIES = 4
const RETRY_TOTAL_MS = 1_000
const RETRY_PAUSES_MS = [5, 20, 80, 80] as const

/**
 * Runs `work` in a transaction. The whole closure runs again when PostgreSQL rolled it back because of a conflict, and once
 * when the connection was lost before COMMIT was sent; so it must have no effect outside the transaction.
 */
export async function transact<T>(
  db: Db,
  { kind, requestId = null }: { readonly kind: TransactionKind; readonly requestId?: string | null },
  work: (tx: Tx) => Promise<T>,
  ports: RetryPorts,
): Promise<T> {
  let deadline: number | undefined
  let wasLost = false
  for (let retries = 0; ; retries++) {
    let commitSent = false
    try {
      return await begin(db, kind).execute(async (tx) => {
        const result = await work(tx)
        commitSent = true
        return result
      })
    } catch (error) {
      const lost = !commitSent && isConnectionLost(error)
      if (retries >= RETRIES || !(isRetryable(error) || (lost && !wasLost))) throw error
      wasLost ||= lost
      // The time limit starts at the first failure, because PostgreSQL takes a second to detect a deadlock.
      const now = ports.clock().getTime()
      deadline ??= now + RETRY_TOTAL_MS
      const pause = jitter(RETRY_PAUSES_MS[retries] ?? 0, ports)
      if (now + pause > deadline) throw error
      ports.observe?.({ kind: 'retry', requestId, reason: sqlState(error) ?? 'unknown', attempt: retries + 1 })
      await ports.sleep(pause)
    }
  }
}

function begin(db: Db, kind: TransactionKind) {
  const transaction = db.transaction()
  if (kind === 'write') return transaction.setIsolationLevel('read committed')
  const repeatable = transaction.setIsolationLevel('repeatable read')
  return kind === 'serial' ? repeatable : repeatable.setAccessMode('read only')
}

/** Full jitter: a random pause up to the cap, so that conflicting transactions do not collide again. */
function jitter(capMs: number, ports: RetryPorts): number {
  const [high = 0, low = 0] = ports.random(2)
  return (capMs * (high * 256 + low)) / 65_536
}

/**
 * Runs `work` in a savepoint: its failure rolls back only its own statements. Callers must rethrow errors that are
 * `isRetryable`, because then the whole transaction has failed. Nested savepoints share one name, since PostgreSQL uses the
 * innermost.
 */
export async function savepoint<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint svc`.execute(tx)
  try {
    const result = await work()
    await sql`release savepoint svc`.execute(tx)
    return result
  } catch (error) {
    if (!isConnectionLost(error)) await sql.raw('rollback to savepoint svc; release savepoint svc').execute(tx)
    throw error
  }
}

/** A read outside a transaction: PostgreSQL may end it to resolve a deadlock with a change of tables, of which it locks several. */
export const twiceIfEnded = <T>(read: () => Promise<T>): Promise<T> =>
  read().catch((error: unknown) => {
    if (!isRetryable(error)) throw error
    return read()
  })
