import { EPOCH_COLUMNS, EPOCH_SOURCE } from '../epoch.ts'
import type { Epoch } from '../services.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'
import type { Position } from './position.ts'

export type Payload = Readonly<Record<string, unknown>>

/** A committed event as it stands in the log. */
export interface LoggedEvent {
  readonly id: number
  readonly channel: string
  readonly payload: Payload
  /** Only for this user. */
  readonly userId: number | null
  /** Only for users to whom this company is active. */
  readonly companyId: number | null
  /** Values that rules read of a record before it was deleted, or before a change after which some readers may not see it. */
  readonly before: Payload | null
  /** Time since it was written. */
  readonly ageMs: number
}

export interface OutboxPage {
  readonly position: Position
  readonly events: readonly LoggedEvent[]
  /** Events may have been missed, because the log does not reach back to the old position. Following goes on at `position`. */
  readonly isLost: boolean
  /** The epoch of modules, access and views that a reader must have loaded before it gets these events. */
  readonly epoch: Epoch
}

export interface ReadOptions {
  /** Not beyond this position; otherwise up to now. */
  readonly until?: Position
  /** More events than this count as lost: a client so far behind should reload its screen. */
  readonly max?: number
}

/** Events of one statement; a larger interval is read in several. */
const PAGE = 1_000

/** A log is kept for longer than this (`RETENTION_MS`), so a younger position misses nothing. */
const REACHES_BACK_SECONDS = 600

/** The table's number tells a restored database from the one it was copied from, the timeline a promoted standby from its primary. */
const HERE = sql`
  select pg_current_snapshot() as c, floor(extract(epoch from clock_timestamp()))::bigint as at,
    left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || '.' || 'sys_outbox'::regclass::oid as history`

/** The position after everything that is committed now. */
export async function currentPosition(db: Db): Promise<Position> {
  const { rows } = await sql<Position>`select s.history, s.c::text as snapshot, s.at from (${HERE}) s`.execute(db)
  return rows[0]!
}

/**
 * What was committed since a position. An event is new in exactly one interval between two snapshots, so each process that goes from
 * position to position sees every committed event once, whatever other transactions are open, and writes nothing for it. Events of one
 * record come in the order of their commits, because an event is written while its record is locked.
 */
export async function readOutbox(db: Db, from: Position, { until, max }: ReadOptions = {}): Promise<OutboxPage> {
  let page = await readPage(db, from, until?.snapshot ?? null, 0)
  const { history, snapshot, at, is_ahead, modules, access, views } = page[0]!
  const position = until ?? { history, snapshot, at }
  const epoch = { modules, access, views }
  const lost = { position, events: [], isLost: true, epoch }
  if (is_ahead || history !== from.history || at - from.at > REACHES_BACK_SECONDS) return lost
  const events: LoggedEvent[] = []
  for (;;) {
    for (const row of page) if (row.id !== null) events.push(toEvent({ ...row, id: row.id }))
    if (max !== undefined && events.length > max) return lost
    if (page.length < PAGE) return { position, events, isLost: false, epoch }
    page = await readPage(db, from, position.snapshot, events.at(-1)!.id)
  }
}

interface Found extends Position, Epoch {
  readonly is_ahead: boolean
  /** Null in the one row of an empty page. */
  readonly id: number | null
  readonly channel: string
  readonly payload: Payload
  readonly user_id: number | null
  readonly company_id: number | null
  readonly before: Payload | null
  readonly age_ms: number
}

async function readPage(db: Db, from: Position, until: string | null, afterId: number): Promise<readonly Found[]> {
  const { rows } = await sql<Found>`
    with s as materialized (
      select coalesce(${until}::pg_snapshot, h.c) as c, h.history, h.at,
        pg_snapshot_xmax(${from.snapshot}::pg_snapshot) > pg_snapshot_xmax(h.c) as is_ahead
      from (${HERE}) h)
    select s.history, s.c::text as snapshot, s.at, s.is_ahead, ${EPOCH_COLUMNS},
      o.id, o.channel, o.payload, o.user_id, o.company_id, o.before,
      (extract(epoch from clock_timestamp() - o.created_at) * 1000)::float8 as age_ms
    from s cross join ${EPOCH_SOURCE} left join sys_outbox o
      on o.xid >= pg_snapshot_xmin(${from.snapshot}::pg_snapshot)
      and not pg_visible_in_snapshot(o.xid, ${from.snapshot}::pg_snapshot)
      and pg_visible_in_snapshot(o.xid, s.c)
      and o.id > ${afterId}
    order by o.id limit ${PAGE}`.execute(db)
  return rows
}

const toEvent = ({
  id,
  channel,
  payload,
  user_id,
  company_id,
  before,
  age_ms,
}: Found & { readonly id: number }): LoggedEvent => ({
  id,
  channel,
  payload,
  userId: user_id,
  companyId: company_id,
  before,
  ageMs: age_ms,
})
