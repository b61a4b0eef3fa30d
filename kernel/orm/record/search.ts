import { requireModel } from '../../access/acl.ts'
import { decide } from '../../access/decide.ts'
import { type Checked, type DomainNode, mentionsField } from '../../domain/ast.ts'
import type { Env } from '../../env.ts'
import { LIMITS } from '../../limits.ts'
import type { Model } from '../../model/registry.ts'
import type { Ahead } from '../../services.ts'
import { numeral } from '../../sql/ddl.ts'
import { type JsonRows, jsonList, type WrittenJson } from '../../sql/json-rows.ts'
import { type QueryTraits, type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import type { Archived, ModelSearchOptions } from '../../work/model-api.ts'
import { decodeCursor, encodeCursor, explainCursorFailure } from '../statement/cursor.ts'
import { countHasGenericPlan, pageHasGenericPlan } from '../statement/generic-plan.ts'
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
import { type PagePart, pageParts, slice, sortAlias } from './page.ts'
import { pageByTarget } from './page-by-target.ts'
import { planSearch, readRule, type SearchPlan } from './plan.ts'
import { addComputed, type ProjectedRecord, toRecords } from './project.ts'
import { chooseSort } from './sort-way.ts'

export interface SearchQuery extends ModelSearchOptions {
  readonly domain: unknown
  /** Undefined: whole records. */
  readonly fields?: readonly string[] | undefined
  readonly cursor?: string | undefined
  /** The domain was built by server code: a list in it may be of any length. */
  readonly isTrusted?: boolean | undefined
}

export interface SearchResult {
  readonly records: ProjectedRecord[]
  /** The cursor of the next page; null on the last one. */
  nextCursor(): Promise<string | null>
}

/** A search result with the records as JSON. */
export interface JsonResult {
  readonly records: WrittenJson
  readonly count: number
  nextCursor(): Promise<string | null>
}

/**
 * Records that match a domain, in one statement that includes rules, order, display names and linked ids. A page after a cursor takes a second
 * statement if it reaches the records without a sort value.
 */
export async function search(env: Env, model: Model, query: SearchQuery): Promise<SearchResult> {
  const page = await openPage(env, model, query)
  const rows = await readPage(page, async (statement) => (await statement.execute(env.tx, traitsOf(query))).rows)
  const records = await toRecords(env, model, page.plan.projection, rows)
  env.services.trace?.lap('shape')
  return { records, nextCursor: () => cursorAfter(page, rows) }
}

/**
 * Like `search`, but returns the records as JSON for an answer, without parsing their values. `count`, if given, is sent ahead of the
 * statement of the page.
 */
export async function searchJson(
  env: Env,
  model: Model,
  query: SearchQuery,
  count?: CountStatement,
): Promise<JsonResult> {
  const page = await openPage(env, model, query)
  const { members, projection } = page.plan
  const { maxBytes } = traitsOf(query)
  const parts: JsonRows<unknown>[] = []
  let ahead = count?.ahead
  const rows = await readPage(page, async (statement) => {
    const found = await statement.executeJson(env.tx, members, { maxBytes, ahead })
    ahead = undefined
    const ids = found.rest.map((row) => row[ID] as number)
    parts.push(await addComputed(env, model, projection, found, ids))
    return found.rest
  })
  const records = jsonList(parts)
  env.services.trace?.lap('shape')
  return { records, count: rows.length, nextCursor: () => cursorAfter(page, rows) }
}

type Row = Readonly<Record<string, unknown>>

/** The column with the id of the record of a row. */
const ID = 'mark:id'

interface Page {
  readonly env: Env
  readonly scope: TableScope
  readonly query: SearchQuery
  readonly plan: SearchPlan
  readonly parts: readonly PagePart[]
}

async function openPage(env: Env, model: Model, query: SearchQuery): Promise<Page> {
  requireModel(env, model, 'read')
  const scope = rootScope(env, model)
  const node = await conditions(env, model, query)
  const plan = planSearch(env, model, query)
  const { keys, terms, rule, order } = plan
  env.services.trace?.lap('decide')
  const where = visible(scope, node, query.archived, rule)
  const after = query.cursor ? await decodeCursor(env.services, query.cursor, order, keys.length) : null
  const link = query.isTrusted || !query.order || !query.limit ? null : await chooseSort(scope, terms, where)
  const parts = link
    ? [pageByTarget(scope, link, where, after, query.offset)]
    : pageParts(scope, keys, where, after, {
        offset: query.offset,
        hasLiteralLimit: plan.hasGenericPlan && after === null && pageHasGenericPlan(node, keys, query.limit),
      })
  return { env, scope, query, plan, parts }
}

/** The rows of all statements of a page, which `run` executes. */
async function readPage(
  { scope, plan: { select }, query, parts }: Page,
  run: (statement: Sql<Row>) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const part of parts) {
    const limit = query.limit === undefined ? undefined : query.limit - rows.length
    if (rows.length > 0 && limit === 0) break
    const { from, keys } = part(limit)
    const marks = keys.flatMap(({ expression, isId }, index) =>
      isId ? [] : [sql`(${expression})::text as ${sql.id(sortAlias(index))}`],
    )
    const id = sql`${columnOf(scope, 'id')} as ${sql.id(ID)}`
    const found = await run(sql<Row>`select ${select}, ${sql.join([id, ...marks])} ${from}`).catch((error) => {
      throw query.cursor ? explainCursorFailure(error) : error
    })
    rows.push(...found)
  }
  return rows
}

/** The cursor of the page after these rows. */
async function cursorAfter({ env, query, plan }: Page, rows: readonly Row[]): Promise<string | null> {
  const last = rows.length === query.limit ? rows.at(-1) : undefined
  if (last === undefined) return null
  const values = plan.keys.map(({ isId }, index) =>
    isId ? String(last[ID]) : (last[sortAlias(index)] as string | null),
  )
  return encodeCursor(env.services, plan.order, values)
}

/** The result for a caller is limited to the size of an answer. */
const traitsOf = ({ isTrusted }: SearchQuery): QueryTraits => (isTrusted ? PREPARED : LIMITED)

const PREPARED: QueryTraits = { isPrepared: true }
const LIMITED: QueryTraits = { isPrepared: true, maxBytes: LIMITS.answerBytes }

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
  const { rows } = await (await countStatement(env, model, query)).execute(env.tx, PREPARED)
  return Number(rows[0]!.count)
}

/** `countRecords` for another statement to take along. */
export interface CountStatement {
  readonly ahead: Ahead
  /** Called when that statement is answered. */
  count(): number
}

export async function countAhead(env: Env, model: Model, query: SearchQuery): Promise<CountStatement> {
  const { text, values } = (await countStatement(env, model, query)).compile()
  let row: { readonly count: number }
  const take = (rows: readonly unknown[]) => {
    row = rows[0] as { readonly count: number }
  }
  return { ahead: { text, values, take }, count: () => Number(row.count) }
}

async function countStatement(env: Env, model: Model, query: SearchQuery): Promise<Sql<{ readonly count: number }>> {
  requireModel(env, model, 'read')
  const scope = rootScope(env, model)
  const node = await conditions(env, model, query)
  const { rule, hasGenericPlan } = readRule(env, model)
  const found = sql`${fromTable(scope)} where ${visible(scope, node, query.archived, rule)}`
  const limit =
    query.limit !== undefined && hasGenericPlan && countHasGenericPlan(node) ? numeral(query.limit) : query.limit
  const counted = limit === undefined ? found : sql`(select from ${found} limit ${limit}) as n`
  return sql`select count(*) as count from ${counted}`
}

/** The number of matching records by the id in a many2one, in one statement; records without a link are not counted. */
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
