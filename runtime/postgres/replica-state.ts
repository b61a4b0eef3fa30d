import { CompiledQuery } from 'kysely'
import { coversEpoch, EPOCH_COLUMNS, EPOCH_SOURCE } from '../../kernel/epoch.ts'
import { type FenceRow, POSITION_COLUMNS } from '../../kernel/fence.ts'
import type { Epoch, ReplicaFence } from '../../kernel/services.ts'
import type { Db } from '../../kernel/sql/database.ts'
import { sql } from '../../kernel/sql/sql.ts'
import type { Connection } from './connection.ts'

/** Identifies the database of a server: a physical replica has the same numbers as its primary. */
export interface Identity {
  readonly system: string
  readonly database: number
}

const IDENTITY = `(select system_identifier::text from pg_control_system()) as system,
  (select oid::int8 from pg_database where datname = current_database()) as database`

/** The state of the server of a connection to the replica. */
export interface ReplicaState extends Identity, Epoch {
  readonly is_standby: boolean
  /** Position up to which it has replayed, in bytes of the log. */
  readonly lsn: number | null
  /** When the primary committed the last transaction it has replayed, by the clock of the primary. */
  readonly replayed_ms: number | null
  readonly timeline: number
}

/** The WAL receiver knows the timeline, but only few roles may read it; that of the last checkpoint may be older, which does no harm. */
const STATE = `select pg_is_in_recovery() as is_standby, (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::float8 as lsn,
  extract(epoch from pg_last_xact_replay_timestamp())::float8 * 1000 as replayed_ms,
  coalesce((select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint())) as timeline,
  ${IDENTITY}, ${EPOCH_COLUMNS.compile().text} from ${EPOCH_SOURCE.compile().text}`

/** How long to wait for the answer of a replica. */
const ANSWER_MS = 1_000

export async function askReplica(connection: Connection): Promise<ReplicaState> {
  const timer = setTimeout(() => connection.cut(), ANSWER_MS)
  try {
    const { rows } = await connection.executeQuery<ReplicaState>(CompiledQuery.raw(STATE))
    return rows[0]!
  } finally {
    clearTimeout(timer)
  }
}

export interface PrimaryState extends Identity, Omit<FenceRow, 'fence_lsn'> {}

export async function askPrimary(db: Db): Promise<PrimaryState> {
  const { rows } = await sql<PrimaryState>`select ${sql.raw(IDENTITY)}, ${POSITION_COLUMNS}`.execute(db)
  return rows[0]!
}

/** Why a server cannot stand in for the primary at all; undefined if it can. */
export function whyUnfit(replica: ReplicaState, primary: Identity, timeline: number): string | undefined {
  if (replica.system !== primary.system || replica.database !== primary.database)
    return 'It holds another database. Check db_read_replica_dsn.'
  if (!replica.is_standby || replica.lsn === null) return 'It is no standby, or has been promoted.'
  if (replica.timeline !== timeline) return 'It follows another timeline than the primary, as after a failover.'
  return undefined
}

/** Whether the replica has the caller's own writes and the last change of rights. */
export const hasPassed = (replica: ReplicaState, { lsn, epoch }: ReplicaFence): boolean =>
  lsn !== null && replica.lsn !== null && replica.lsn >= lsn && coversEpoch(replica, epoch)
