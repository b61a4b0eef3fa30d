import { AppError } from '../../../kernel/errors.ts'
import type { Observation, Observe } from '../../../kernel/observation.ts'
import type { ReplicaFence, ReplicaPort } from '../../../kernel/services.ts'
import type { Db } from '../../../kernel/sql/database.ts'
import { sqlState, translatePgError } from '../../../kernel/sql/pg-error.ts'
import { sql } from '../../../kernel/sql/sql.ts'
import type { Connection } from '../../postgres/connection.ts'
import type { Database } from '../../postgres/database.ts'
import { MAX_LAG_MS, rememberPositions } from '../../postgres/log-positions.ts'
import {
  askPrimary,
  askReplica,
  hasPassed,
  type PrimaryState,
  type ReplicaState,
  whyUnfit,
} from '../../postgres/replica-state.ts'
import { whyOf } from './outage.ts'

export interface ReplicaOptions {
  readonly replica: Database
  /** The primary, to compare with. */
  readonly primary: Db
  readonly observe: Observe
  /** Monotonic clock in milliseconds. */
  readonly clock: () => number
  /** How long a replica is not used after a failure. */
  readonly pauseMs?: number
  /** Time limit of the replica for a request; after that the primary has the rest of the time. */
  readonly slowMs?: number
}

export interface Replica extends ReplicaPort {
  /** Whether reads go to it now. */
  isUsed(): boolean
  close(): void
}

type Outcome = (Observation & { kind: 'replica' })['outcome']

const PAUSE_MS = 5_000
const SLOW_MS = 5_000
/** How long the replay position of a connection's server is remembered. */
const KNOWN_MS = 1_000
const ANYBODY = { lsn: 0, epoch: { modules: 0, access: 0, views: 0 } }

/** The replica lacks something that this caller must see. This is no failure. */
class Behind extends Error {}

/** The replica cannot be used at all now; the message is a sentence for operators. */
class Unfit extends Error {}

/**
 * Reads from a replica as long as that is safe, otherwise from the primary. The replay position of each connection's server is read at
 * most once a second, and whenever a caller needs more than was replayed then. A replica that fails, does not fit or is more than five
 * seconds behind is not used; it is checked every five seconds in the background until it can be used again.
 */
export function openReplica(options: ReplicaOptions): Replica {
  const { replica, primary, observe, clock, pauseMs = PAUSE_MS, slowMs = SLOW_MS } = options
  const positions = rememberPositions(clock)
  const known = new WeakMap<Connection, ReplicaState & { readonly at: number }>()
  let comparedWith: PrimaryState | undefined
  let away: { readonly since: number; reads: number } | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const isRecent = ({ replayed_ms, lsn }: ReplicaState, { primaryMs }: ReplicaFence): boolean =>
    (replayed_ms !== null && primaryMs - replayed_ms < MAX_LAG_MS) || positions.isRecent(lsn!)

  const isEnough = (state: ReplicaState, fence: ReplicaFence): boolean =>
    state.timeline === fence.timeline && hasPassed(state, fence) && isRecent(state, fence)

  const admit = async (connection: Connection, fence: ReplicaFence): Promise<void> => {
    const before = known.get(connection)
    if (before && clock() - before.at < KNOWN_MS && isEnough(before, fence)) return
    const state = await askReplica(connection)
    comparedWith ??= await askPrimary(primary)
    const why = whyUnfit(state, comparedWith, fence.timeline)
    if (why !== undefined) throw new Unfit(why)
    if (positions.isLate(state.lsn!)) throw new Unfit('It is more than five seconds behind the primary.')
    known.set(connection, { ...state, at: clock() })
    if (!isEnough(state, fence)) throw new Behind()
  }

  const onReplica = (signal: AbortSignal | undefined, fence: ReplicaFence): Db =>
    replica.forRequest(signal, slowMs, { admit: (connection) => admit(connection, fence) })

  const leave = (error: unknown): void => {
    if (away || isClosed) return
    away = { since: clock(), reads: 0 }
    observe({ kind: 'warning', text: `The read replica is not used: ${whyOf(error)} The primary answers instead.` })
    timer = setTimeout(look, pauseMs).unref()
  }

  const look = async (): Promise<void> => {
    try {
      const now = await askPrimary(primary)
      comparedWith = now
      positions.note(now.primary_lsn)
      const { primary_lsn: primaryLsn, primary_ms: primaryMs, timeline } = now
      await sql`select 1`.execute(onReplica(undefined, { ...ANYBODY, primaryLsn, primaryMs, timeline }))
    } catch {
      if (!isClosed) timer = setTimeout(look, pauseMs).unref()
      return
    }
    if (!isClosed && away) comeBack(away)
  }

  const comeBack = ({ since, reads }: NonNullable<typeof away>): void => {
    away = undefined
    const seconds = Math.max(1, Math.round((clock() - since) / 1_000))
    const text = `The read replica is used again after ${seconds} s. Reads answered by the primary: ${reads}.`
    observe({ kind: 'warning', text })
  }

  const count = (outcome: Outcome): void => observe({ kind: 'replica', outcome })

  return {
    async read({ primary: db, signal, fence }, read) {
      positions.note(fence.primaryLsn)
      if (away) away.reads++
      if (away || fence.lsn === null) {
        count(away ? 'away' : 'behind')
        return read(db)
      }
      try {
        const result = await read(onReplica(signal, fence))
        count('answered')
        return result
      } catch (error) {
        if (signal?.aborted || !mayDifferOnPrimary(error)) throw error
        const isWell = error instanceof Behind || (error instanceof AppError && error.reason === 'busy')
        if (!isWell) leave(error)
        count(isWell ? 'behind' : 'failed')
      }
      return read(db)
    },
    isUsed: () => away === undefined,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/**
 * Whether the primary may give another result. Refusals of the kernel and of values would be the same there. Any other error is a problem
 * of the replica: no connection, too slow, a conflict with replay, a table it does not have yet.
 */
function mayDifferOnPrimary(error: unknown): boolean {
  if (error instanceof Behind || error instanceof Unfit) return true
  const known = translatePgError(error)
  if (!(known instanceof AppError)) return sqlState(known) !== undefined
  return known.code === 'UNAVAILABLE' || known.reason === 'concurrent_change'
}
