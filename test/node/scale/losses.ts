import { withClient } from '../../support/own-postgres.ts'
import { type Clients, NAME } from './clients.ts'
import type { Losses } from './report.ts'

/** Answers that a client may get: what was asked for, or that it is to be asked again. */
const ALLOWED: ReadonlySet<number> = new Set([200, 502, 503, 504])

/** Compares what clients were told with what is there. */
export async function findLosses({ created, failures, pages, load }: Clients, dsn: string): Promise<Losses> {
  const { rows } = await withClient(dsn, (client) =>
    client.query<{ name: string; ids: readonly number[] }>(
      'select name, array_agg(id) as ids from core_partner where name like $1 group by name',
      [`${NAME} %`],
    ),
  )
  const stored = new Map(rows.map(({ name, ids }) => [name, ids.map((id) => `core.partner/${id}`)]))
  return {
    records: created.filter(({ name, record }) => String(stored.get(name)) !== record).map(({ name }) => name),
    contradictions: load.contradictions,
    events: pages.flatMap(({ heard }, page) =>
      created.filter(({ record }) => !heard.has(record)).map(({ record }) => `${record} on page ${page}`),
    ),
    failures: [
      ...failures,
      ...load.replies
        .filter(({ status, fault }) => fault === null && !ALLOWED.has(status))
        .map(({ status, body }) => `${status} ${JSON.stringify(body)}`),
    ],
  }
}
