import { randomInt } from 'node:crypto'
import { hostname } from 'node:os'
import pg from 'pg'
import { OWNER_LOCKS } from '../../kernel/job/claim.ts'
import type { JobHost } from '../../kernel/job/job-host.ts'
import { endClient } from '../postgres/end-client.ts'
import { processIdOf } from '../postgres/process-id.ts'

export interface OwnJobHost extends JobHost {
  /** The number of the lock if it is held now; does not acquire it. */
  readonly heldLock: () => number | null
  /** Gives up jobs that are still running. */
  stop(): void
  /** Releases the lock. */
  close(): Promise<void>
}

const CONNECT_MS = 5_000
const MAX_INT = 2 ** 31 - 1

/**
 * This process as an owner of jobs. Its lock is held by a separate session, opened for the first job under a lease; the server releases it
 * when the process ends, however it ends.
 */
export function openJobHost(dsn: string): OwnJobHost {
  const stopping = new AbortController()
  let held: { readonly client: pg.Client; readonly lock: number } | null = null
  let opening: Promise<number | null> | null = null
  let isPooled = false

  const open = async (): Promise<number | null> => {
    const lock = randomInt(1, MAX_INT)
    const client = new pg.Client({
      connectionString: dsn,
      application_name: `modulus ${process.pid} jobs`,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
    })
    client.on('error', () => {})
    client.on('end', () => {
      if (held?.client === client) held = null
    })
    try {
      await client.connect()
      const { rows } = await client.query<{ pid: number; is_locked: boolean }>(
        'SELECT pg_backend_pid() AS pid, pg_try_advisory_lock($1, $2) AS is_locked',
        [OWNER_LOCKS, lock],
      )
      // A pooler assigns its own process ids and shares sessions among clients.
      isPooled = rows[0]?.pid !== processIdOf(client)
      if (isPooled || !rows[0]?.is_locked) throw new Error('no lock')
      held = { client, lock }
      return lock
    } catch {
      // Without the lock, other processes have to wait for the end of a lease.
      await endClient(client)
      return null
    }
  }

  return {
    owner: `${hostname()} ${process.pid}`,
    ownerLock: async () => {
      if (held !== null || isPooled) return held?.lock ?? null
      opening ??= open().finally(() => {
        opening = null
      })
      return opening
    },
    heldLock: () => held?.lock ?? null,
    timeout: (ms) => AbortSignal.timeout(ms),
    stopped: stopping.signal,
    stop: () => stopping.abort(),
    async close() {
      stopping.abort()
      await opening
      if (held) await endClient(held.client)
    },
  }
}
