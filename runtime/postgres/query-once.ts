import pg from 'pg'
import { endClient } from './end-client.ts'
import { tryWhileLoopIsBusy } from './loop-time.ts'
import { processIdOf } from './process-id.ts'

export interface OnceResult<R> {
  readonly rows: readonly R[]
  /** Process id of the session that answered, as given by the server or a pooler in front of it. */
  readonly processId: number | null
}

const ANSWER_MS = 1_000
/** Opening a connection takes several round trips. */
const OPEN_MS = 2_000

/** Runs one query on the server of a pool over a separate connection. Waits two seconds for the connection and one for the answer. */
export function queryOnce<R extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: readonly unknown[],
): Promise<OnceResult<R>> {
  return tryWhileLoopIsBusy(ANSWER_MS, () => ask<R>(pool, text, values))
}

async function ask<R extends pg.QueryResultRow>(
  { options }: pg.Pool,
  text: string,
  values: readonly unknown[],
): Promise<OnceResult<R>> {
  const client = new pg.Client({
    ...options,
    connectionTimeoutMillis: OPEN_MS,
    query_timeout: ANSWER_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<R>(text, [...values])
    return { rows, processId: processIdOf(client) }
  } finally {
    void endClient(client)
  }
}
