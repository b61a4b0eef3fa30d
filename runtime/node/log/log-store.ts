import { AppError } from '../../../kernel/errors.ts'
import { LIMITS } from '../../../kernel/limits.ts'
import type { Db } from '../../../kernel/sql/database.ts'
import { translatePgError } from '../../../kernel/sql/pg-error.ts'
import { sql } from '../../../kernel/sql/sql.ts'
import type { LogEntry, LogLevel } from './log.ts'

export interface LogStore {
  /** Accepts an entry without waiting and never throws; it is written a moment later. */
  keep(entry: LogEntry): void
  /** Writes the remaining entries, within a short time limit. */
  close(): Promise<void>
}

const BATCH_ROWS = 500
/** Entries that may wait for the database; more are left out. */
const MAX_WAITING = 2_000
/** Entries written per second over time, beyond a burst: a flood of refused requests must not become a flood of writes. */
const ROWS_PER_SECOND = 50
const PAUSE_MS = 500
const PAUSE_AWAY_MS = 5_000
const CLOSE_MS = 500

const STORED_LEVEL: Readonly<Record<LogLevel, string>> = {
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
}

/**
 * Stores log entries in `sys_log` in the background: in batches, one at a time, on a connection that requests do not need. Its own work is
 * never logged; entries it had to leave out are counted, and the next batch contains their number.
 */
export function createLogStore(db: Db): LogStore {
  let waiting: LogEntry[] = []
  let lost = 0
  let allowance = MAX_WAITING
  let refilledAt = performance.now()
  let writing: Promise<boolean> | null = null
  let timer: NodeJS.Timeout | null = null
  let isClosed = false

  const admit = (): boolean => {
    const now = performance.now()
    allowance = Math.min(MAX_WAITING, allowance + ((now - refilledAt) / 1_000) * ROWS_PER_SECOND)
    refilledAt = now
    if (allowance < 1 || waiting.length >= MAX_WAITING) return false
    allowance--
    return true
  }

  const schedule = (ms: number): void => {
    if (isClosed || timer !== null) return
    timer = setTimeout(async () => {
      const isAway = !(await flush())
      timer = null
      if (waiting.length > 0) schedule(isAway ? PAUSE_AWAY_MS : PAUSE_MS)
    }, ms).unref()
  }

  const writeBatch = async (): Promise<boolean> => {
    const batch = waiting.slice(0, BATCH_ROWS)
    const lostBefore = lost
    try {
      await insertEntries(db, lostBefore === 0 ? batch : [...batch, lossEntry(lostBefore)])
      lost -= lostBefore
    } catch (error) {
      if (isAway(error)) return false
      // The database would refuse these entries again.
      lost += batch.length
    }
    waiting = waiting.slice(batch.length)
    return true
  }

  /** Writes waiting entries; false if the database did not accept them. */
  const flush = (): Promise<boolean> => {
    writing ??= writeBatch().finally(() => {
      writing = null
    })
    return writing
  }

  return {
    keep(entry) {
      if (isClosed) return
      if (admit()) waiting.push(entry)
      else lost++
      schedule(PAUSE_MS)
    },
    async close() {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      const rest = async () => {
        await writing
        while (waiting.length > 0 && (await flush()));
      }
      await Promise.race([rest(), new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
    },
  }
}

function isAway(error: unknown): boolean {
  const known = translatePgError(error)
  return known instanceof AppError && known.code === 'UNAVAILABLE'
}

const lossEntry = (lost: number): LogEntry => ({
  time: new Date(),
  level: 'warn',
  source: 'log',
  text: `${lost === 1 ? '1 entry was' : `${lost} entries were`} not stored: there were too many, or the database was away.`,
  requestId: null,
  userId: null,
  fields: {},
  stack: null,
})

/** One statement for all. A user who has been deleted meanwhile is left out, since the row would be refused. */
async function insertEntries(db: Db, entries: readonly LogEntry[]): Promise<void> {
  const rows = entries.map(({ time, level, source, text, requestId, userId, fields, stack }) => ({
    at: time.toISOString(),
    level: STORED_LEVEL[level],
    source,
    message: text,
    details: { ...fields, ...(stack !== null && { stack }) },
    request_id: requestId?.slice(0, LIMITS.requestIdChars) ?? null,
    user_id: userId,
  }))
  await sql`insert into sys_log (create_date, level, source, message, details, request_id, user_id)
    select e.at, e.level, e.source, e.message, e.details, e.request_id, u.id
    from rows from (json_to_recordset(${JSON.stringify(rows)}::json) as (at timestamptz, level text, source text, message text,
      details jsonb, request_id text, user_id int)) with ordinality as e(at, level, source, message, details, request_id, user_id, n)
    left join core_user u on u.id = e.user_id order by e.n`.execute(db)
}
