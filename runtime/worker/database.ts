import type { QueryObservation } from '../postgres/connection.ts'
import { connectDatabase, type Database } from '../postgres/database.ts'

/** Connections one request may hold: its own, and one more for a write that must outlive a rollback. */
const CONNECTIONS_PER_REQUEST = 2

/**
 * The database for one request on workerd, where a socket belongs to the request that opened it and must not serve another.
 * Close it after the answer was sent, best under `ctx.waitUntil`.
 */
export function openRequestDatabase(dsn: string, onQuery?: (query: QueryObservation) => void): Database {
  return connectDatabase({
    dsn,
    maxConnections: CONNECTIONS_PER_REQUEST,
    applicationName: 'modulus worker',
    prepare: false,
    setting: 'DB_DSN',
    ...(onQuery && { onQuery }),
  })
}
