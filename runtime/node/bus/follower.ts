import { currentPosition, type OutboxPage, readOutbox } from '../../../kernel/live/follow-outbox.ts'
import type { Position } from '../../../kernel/live/position.ts'
import type { Observe } from '../../../kernel/observation.ts'
import { OWN_REQUEST } from '../../../kernel/own-request.ts'
import type { Db } from '../../../kernel/sql/database.ts'
import { translatePgError } from '../../../kernel/sql/pg-error.ts'

export interface FollowerOptions {
  readonly db: Db
  readonly observe: Observe
  /** Called with every page of the log in order; the next page is read after it resolves. */
  readonly onPage: (page: OutboxPage) => Promise<void>
  /** How long to wait before the log is read again without a wake-up. */
  readonly pauseMs: () => number
}

/** Follows the log of events for one process. */
export interface Follower {
  /** Something was committed: reads the log at once. */
  wake(): void
  /** Runs work between two pages, so that the position does not move during it. */
  between<T>(work: (position: Position) => Promise<T>): Promise<T>
  stop(): Promise<void>
}

/** Least time between two reads, so that a busy database is not read for every single commit. */
const GAP_MS = 15
const AWAY_MS = 500

export function startFollower({ db, observe, onPage, pauseMs }: FollowerOptions): Follower {
  let position: Position | null = null
  let last: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let lookedAt = 0
  let isLooking = false
  let isWoken = false
  let isAway = false
  let isStopped = false

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  const here = async (): Promise<Position> => {
    position ??= await currentPosition(db)
    return position
  }

  const look = async (): Promise<void> => {
    const page = await readOutbox(db, await here())
    if (page.events.length > 0 || page.isLost) await onPage(page)
    // Only set afterwards, so that a page whose handling failed is read again.
    position = page.position
  }

  const run = async (): Promise<void> => {
    isLooking = true
    isWoken = false
    try {
      await inTurn(look)
      isAway = false
    } catch (error) {
      // Reported once per outage.
      if (!isAway && !isStopped)
        observe({ kind: 'failure', requestId: OWN_REQUEST.bus, error: translatePgError(error) })
      isAway = true
    }
    lookedAt = performance.now()
    isLooking = false
    schedule(isAway ? AWAY_MS : isWoken ? GAP_MS : pauseMs())
  }

  const schedule = (ms: number): void => {
    clearTimeout(timer)
    if (isStopped) return
    timer = setTimeout(() => void run(), ms)
    timer.unref()
  }

  schedule(0)
  return {
    wake() {
      if (isLooking) isWoken = true
      else if (!isAway) schedule(Math.max(0, lookedAt + GAP_MS - performance.now()))
    },
    between: (work) => inTurn(async () => work(await here())),
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await last
    },
  }
}
