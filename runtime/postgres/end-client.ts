import type pg from 'pg'

const GOODBYE_MS = 500

/** Closes a connection outside of any pool. Does not wait for the server, since a frozen or unreachable one never answers. */
export async function endClient(client: pg.Client): Promise<void> {
  const { stream } = client.connection
  const timer = setTimeout(() => stream.destroy(), GOODBYE_MS)
  await client.end().catch(() => undefined)
  clearTimeout(timer)
}
