import { requireModel } from '../../access/acl.ts'
import { decide } from '../../access/decide.ts'
import { type Checked, type DomainNode, mentionsField } from '../../domain/ast.ts'
import type { Env } from '../../env.ts'
import { LIMITS } from '../../limits.ts'
import type { Model } from '../../model/registry.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import type { Archived, ModelSearchOptions } from '../../work/model-api.ts'
import { decodeCursor, encodeCursor, explainCursorFailure } from '../statement/cursor.ts'
import { findLinkedNames } from '../statement/linked-names.ts'
import { orderBy, parseOrder, sortKeys } from '../statement/order.ts'
import {
  allOf,
  columnOf,
  compileRule,
  compileWhere,
  fromTable,
  parseChecked,
  rootScope,
  type TableScope,
} from '../statement/scope.ts'
import { pageParts, slice, sortAlias } from './page.ts'
import { pageByTarget } from './page-by-target.ts'
import { planSearch } from './plan.ts'
import { type ProjectedRecord, toRecords } from './project.ts'
import { chooseSort } from './sort-way.ts'

export interface SearchQuery extends ModelSearchOptions {
  readonly domain: unknown
  /** Undefined: whole records. */
  readonly fields?: readonly string[] | undefined
  readonly cursor?: string | undefined
  /** The domain is written by code of the server: a list in it may be of any length. */
  readonly isTrusted?: boolean | undefined
}

export interface SearchResult {
  readonly records: ProjectedRecord[]
  /** Null on the last page. */
  readonly nextCursor: string | null
}

/**
 * Records that match a domain, in one statement that includes rules, order, display names and linked ids. A page after a cursor takes a second
 * statement if it reaches the records without a sort value.
 */
export async function search(env: Env, model: Model, query: SearchQuery): Promise<SearchResult> {
  requireModel(env, model, 'read')
  const scope = rootScope(env, model)
  const node = await conditions(env, model, query)
  const { projection, select, keys, terms, rule, order } = planSearch(env, model, query)
  env.services.trace?.lap('decide')
  const where = visible(scope, node, query.archived, rule)
  const after = query.cursor ? await decodeCursor(env.services, query.cursor, order, keys.length) : null
  const link = query.isTrusted || !query.order || !query.limit ? null : await chooseSort(scope, terms, where)
  const parts = link
    ? [pageByTarget(scope, link, where, after, query.offset)]
    : pageParts(scope, keys, where, after, query.offset)
  const rows: Record<string, unknown>[] = []
  for (const part of parts) {
    const limit = query.limit === undefined ? undefined : query.limit - rows.length
    if (rows.length > 0 && limit === 0) break
    const { from, keys: pageKeys } = part(limit)
    const marks = pageKeys.map((key, index) => sql`(${key.expression})::text as ${sql.id(sortAlias(index))}`)
    const found = await sql<Record<string, unknown>>`
      select ${select}, ${sql.join(marks)} ${from}`
      .execute(env.tx, bytesOf(query))
      .catch((error) => {
        throw after === null ? error : explainCursorFailure(error)
      })
    rows.push(...found.rows)
  }
  const last = rows.length === query.limit ? rows.at(-1) : undefined
  const records = await toRecords(env, model, projection, rows)
  env.services.trace?.lap('shape')
  return {
    records,
    nextCursor: last
      ? await encodeCursor(
          env.services,
          order,
          keys.map((_key, index) => last[sortAlias(index)] as string | null),
        )
      : null,
  }
}

/** The result for a caller is limited to the size of an answer. */
const bytesOf = ({ isTrusted }: SearchQuery) => (isTrusted ? {} : { maxBytes: LIMITS.answerBytes })

/** Ids only, for server code. */
export async function searchIds(env: Env, model: Model, query: SearchQuery): Promise<number[]> {
  requireModel(env, model, 'read')
  const scope = rootScope(env, model)
  const node = await conditions(env, model, query)
  const keys = sortKeys(scope, parseOrder(env, model, query.order))
  const { rows } = await sql<{ id: number }>`
    select ${columnOf(scope, 'id')} as id from ${fromTable(scope)} where ${visible(scope, node, query.archived)}
    order by ${orderBy(keys)} ${slice(query)}`.execute(env.tx)
  return rows.map((row) => row.id)
}

/** The number of matching records; counting stops at `limit`. */
export async function countRecords(env: Env, model: Model, query: SearchQuery): Promise<number> {
  requireModel(env, model, 'read')
  const scope = rootScope(env, model)
  const found = sql`${fromTable(scope)} where ${visible(scope, await conditions(env, model, query), query.archived)}`
  const counted = query.limit === undefined ? found : sql`(select from ${found} limit ${query.limit}) as n`
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${counted}`.execute(env.tx)
  return Number(rows[0]!.count)
}

/** The same by the id in a many2one, in one statement; records without one are not counted. */
export async function countByLink(
  env: Env,
  model: Model,
  name: string,
  query: SearchQuery,
): Promise<ReadonlyMap<number, number>> {
  requireModel(env, model, 'read')
  const field = model.fields.get(name)
  if (field?.relation?.kind !== 'many2one' || field.column === null) {
    throw new Error(`${model.name}.${name} is no stored many2one`)
  }
  decide(env, [{ model: model.name, field }])
  const scope = rootScope(env, model)
  const link = columnOf(scope, field.column)
  const found = visible(scope, parseChecked(env, model, query.domain, query), query.archived)
  const { rows } = await sql<{ id: number; count: number }>`
    select ${link} as id, count(*)::int as count from ${fromTable(scope)}
    where ${link} is not null and ${found} group by 1`.execute(env.tx)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

const conditions = (env: Env, model: Model, query: SearchQuery): Promise<Checked<DomainNode>> =>
  findLinkedNames(env, parseChecked(env, model, query.domain, query))

/** The condition of a search: the domain, the record rules, and the filter on archived records. */
export const visible = (
  scope: TableScope,
  node: Checked<DomainNode>,
  archived?: Archived,
  rule = compileRule(scope, 'read'),
): Sql<SqlBool> => allOf([compileWhere(scope, node), archivedFilter(scope, node, archived), rule])

/**
 * Leaves out archived records, unless `archived` includes them or the domain has a condition on `active` at its top level.
 */
function archivedFilter(scope: TableScope, node: DomainNode, archived: Archived = 'exclude'): Sql<SqlBool> | null {
  if (!scope.model.hasActive || archived === 'include') return null
  const active = sql<SqlBool>`${columnOf(scope, 'active')}`
  if (archived === 'only') return sql<SqlBool>`not ${active}`
  return mentionsField(node, 'active') ? null : active
}
