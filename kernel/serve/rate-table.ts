import type { Db } from '../sql/database.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { periodOf, type RatePolicy } from './rate-policy.ts'

export interface RateGrant {
  readonly granted: number
  /** Milliseconds until the full allowance is available again. */
  readonly level: number
}

export interface RateRequest {
  readonly key: string
  readonly policy: RatePolicy
  readonly wanted: number
}

/**
 * Takes as many of the wanted requests as are left. One statement decides for all processes, by the clock of the database.
 */
export const consumeRate = (db: Db, request: RateRequest): Promise<RateGrant> =>
  take(db, request, Math.min(request.wanted, request.policy.limit), roomFor(request))

/** Takes all of them, but at most as many as one window refills, so that no subject is locked out permanently. */
export const chargeRate = (db: Db, request: RateRequest): Promise<RateGrant> =>
  take(db, request, request.wanted, sql<number>`${request.wanted}::int`)

const micros = (count: Sql | number): Sql<string> => sql<string>`(${count} * interval '1 microsecond')`

/**
 * GCRA: a row stores the time at which the allowance is full again, and each request moves it by one period. It is at most
 * two windows ahead, also after the clock was set back. `at` is read when the row is locked: `now()` would be the moment at which a
 * statement began to wait for others of the same subject, and would grant too little.
 */
async function take(db: Db, { key, policy }: RateRequest, whenNew: number, granted: Sql<number>): Promise<RateGrant> {
  const period = periodOf(policy)
  const latest = sql`at + ${micros(2 * period * policy.limit)}`
  const { rows } = await sql<RateGrant>`
    insert into sys_rate as r (key, tat, granted)
    values (${key}, clock_timestamp() + ${micros(period * whenNew)}, ${whenNew})
    on conflict (key) do update set (tat, granted) = (
      select least(start + ${micros(sql`granted * ${period}::float8`)}, ${latest}), granted
      from (select clock_timestamp() as at) as c
        cross join lateral (select least(greatest(r.tat, at), ${latest}) as start) as s
        cross join lateral (select ${granted} as granted) as g)
    returning granted, (extract(epoch from tat - clock_timestamp()) * 1000)::float8 as level`.execute(db)
  return rows[0]!
}

function roomFor({ policy, wanted }: RateRequest): Sql<number> {
  const period = periodOf(policy)
  const end = sql`at + ${micros(period * policy.limit)}`
  const room = sql`(extract(epoch from ${end} - start) * 1000000)::bigint / ${period}::bigint`
  return sql<number>`greatest(0, least(${wanted}::int, ${room}))::int`
}
