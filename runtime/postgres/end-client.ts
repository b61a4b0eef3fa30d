import type pg from 'pg'

const GOODBYE_MS = 500

/** Closes a connection outside of any pool. The goodbye of a server that is frozen or out of reach never comes, so it is not waited for. */
export async function endClient(client: pg.Client): Promise<void> {
  const { stream } = client.connection
  const timer = setTimeout(() => stream.destroy(), GOODBYE_MS)
  await client.end().catch(() => undefined)
  clearTimeout(timer)
}
