import type { Credential } from './auth/principal.ts'
import type { Db } from './sql/database.ts'
import { type Sql, sql } from './sql/sql.ts'

/**
 * A read replica lags behind the primary. A fence says how far it must have replayed before it may answer: `sys_fence` has one for
 * each session and API key that has written recently, so that it reads its own writes whichever process serves it, and one for
 * all callers at the last change of rights. Positions are LSNs, places in the log that the primary writes and the replica replays.
 */

/** The subject of the fence that applies to all callers. */
export const RIGHTS_SUBJECT = 'rights'

/** The subject of a caller's own fence. All clients that share a key share its fence. */
export const fenceSubject = (credential: Credential): string =>
  `${credential.kind} ${credential.kind === 'key' ? credential.id : credential.sessionId}`

/** A replica that is further behind is not used at all (see the host), so any usable one has passed an older fence. */
const KEPT = sql`interval '60 seconds'`

/** Raises the fences of the subjects to the end of the log. Call it after the commit, whose own record must lie before the fence. */
export async function raiseFences(db: Db, subjects: readonly string[]): Promise<void> {
  // Positions are taken after the row is locked, so that a fence never goes back; sorted, so that transactions cannot deadlock.
  await sql`
    insert into sys_fence (subject, lsn)
    select subject, pg_current_wal_insert_lsn() from unnest(${subjects}::text[]) as subject order by subject
    on conflict (subject) do update set lsn = pg_current_wal_insert_lsn(), raised_at = clock_timestamp()`.execute(db)
}

const bytes = (lsn: Sql): Sql => sql`(${lsn} - '0/0'::pg_lsn)::float8`

/** Where the primary is: the end of its log, its clock, and its timeline, with which the name of a log file begins. */
export const POSITION_COLUMNS = sql`${bytes(sql`pg_current_wal_insert_lsn()`)} as primary_lsn,
  extract(epoch from clock_timestamp())::float8 * 1000 as primary_ms,
  ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as timeline`

/** The columns of `FenceRow`, which the authentication statement reads if there is a replica. */
export const fenceColumns = (kind: Credential['kind'], id: Sql): Sql => sql`,
  ${POSITION_COLUMNS},
  (select coalesce(${bytes(sql`max(f.lsn) filter (where f.raised_at > clock_timestamp() - ${KEPT})`)}, 0)
    from sys_fence f where f.subject in (${RIGHTS_SUBJECT}, ${`${kind} `} || ${id}) having bool_or(f.subject = ${RIGHTS_SUBJECT})) as fence_lsn`

export const NO_FENCE_COLUMNS = sql``

export interface FenceRow {
  readonly primary_lsn: number
  readonly primary_ms: number
  readonly timeline: number
  /** Null: the fences were lost, in a crash or a failover, and none has been raised since. */
  readonly fence_lsn: number | null
}
