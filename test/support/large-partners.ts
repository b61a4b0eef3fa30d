import type { Env } from '../../kernel/env.ts'
import { type SearchQuery, search } from '../../kernel/orm/record/search.ts'
import { modelOf } from '../../kernel/orm/statement/scope.ts'
import { buildLaterIndexes } from '../../kernel/schema/later-indexes.ts'
import type { ListedFields } from '../../kernel/schema/spec.ts'
import { sql } from '../../kernel/sql/sql.ts'
import { listedFields } from '../../kernel/view/listed-fields.ts'
import type { People } from './people.ts'
import { withoutTimeLimit } from './without-time-limit.ts'

/** With three kilobytes each, more than a table may have that is sorted for one page. */
export const MANY_PARTNERS = 12_000

/** Adds partners of thirty countries, all of one user; every tenth has no city, every seventh no country. */
export async function addPartners({ database: { db } }: People): Promise<void> {
  await sql`alter table core_partner add column filler text storage plain`.execute(db)
  await withoutTimeLimit(
    db,
    sql`insert into core_partner (name, email, city, country_id, user_id, website, active, filler, create_date)
      select 'Partner ' || n, 'p' || n || '@example.com', case when n % 10 > 0 then 'City ' || n % 300 end,
        case when n % 7 > 0 then (select min(id) from core_country) + n % 30 end, (select min(id) from core_user), 'https://example.com/' || n, true,
        repeat(md5(n::text), 90), now() - n * interval '1 min'
      from generate_series(1, ${MANY_PARTNERS}) n`,
  )
}

export async function listedOf(people: People): Promise<ListedFields> {
  const tables = await (await people.modules.holder.latest()).views()
  return (model) => listedFields(tables, model)
}

/** Builds missing indexes, as the daily check does. */
export async function buildIndexes(people: People, listed?: ListedFields): Promise<string[]> {
  const { registry } = await people.modules.holder.latest()
  return buildLaterIndexes(people.database.db, registry, listed ?? (await listedOf(people)))
}

export interface PartnerPage {
  readonly ids: readonly number[]
  readonly cursor: string | null
  /** Rows of partners that were read for it. */
  readonly rows: number
}

type Asked = Pick<SearchQuery, 'cursor' | 'offset'> & { readonly domain?: unknown }

export const PAGE = 40

/** A page of partners, as a user sees it. */
export const pageOfPartners = (
  people: People,
  login: string,
  order: string,
  { domain = [], ...asked }: Asked = {},
): Promise<PartnerPage> =>
  people.as(login, async (env) => {
    const before = await readRows(env)
    const query: SearchQuery = { domain, fields: ['name', 'city'], order, limit: PAGE, ...asked }
    const { records, nextCursor } = await search(env, modelOf(env, 'core.partner'), query)
    const rows = (await readRows(env)) - before
    return { ids: records.map(({ id }) => id as number), cursor: await nextCursor(), rows }
  })

async function readRows({ tx }: Env): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read
    from pg_stat_xact_user_tables where relname = 'core_partner'`.execute(tx)
  return rows[0]?.read ?? 0
}
