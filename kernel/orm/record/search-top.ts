import { requireModel } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import { LIMITS } from '../../limits.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { sql } from '../../sql/sql.ts'
import { findLinkedNames } from '../statement/linked-names.ts'
import { orderBy, parseOrder, sortKeys } from '../statement/order.ts'
import { columnOf, fromTable, parseChecked, rootScope, type TableScope } from '../statement/scope.ts'
import { type ProjectedRecord, project, selectList, toRecords } from './project.ts'
import { type SearchQuery, visible } from './search.ts'

export interface TopQuery extends Omit<SearchQuery, 'cursor' | 'offset'> {
  /** The stored field to group by. The caller's access to it has been checked. */
  readonly by: Field
  /** Maximum number of records per group. */
  readonly top: number
}

/**
 * The first records of every group, in one statement: the first record of each group, then the second of each, and so on, so
 * that `limit` shortens all groups equally.
 */
export async function searchTop(env: Env, model: Model, query: TopQuery): Promise<ProjectedRecord[]> {
  requireModel(env, model, 'read')
  const scope = rootScope(env, model)
  const ranked: TableScope = { env, model, alias: 'n' }
  const node = await findLinkedNames(env, parseChecked(env, model, query.domain))
  const projection = project(scope, query.fields)
  const order = orderBy(sortKeys(ranked, parseOrder(env, model, query.order)))
  const { rows } = await sql<Record<string, unknown>>`
    select ${selectList(projection)}
    from (
      select ${columnOf(ranked, 'id')} as id,
        row_number() over (partition by ${columnOf(ranked, query.by.column!)} order by ${order}) as place
      from ${fromTable(ranked)} where ${visible(ranked, node, query.archived)}
    ) as p join ${fromTable(scope)} on ${columnOf(scope, 'id')} = p.id
    where p.place <= ${query.top} order by p.place, p.id limit ${query.limit}`.execute(env.tx, {
    maxBytes: LIMITS.answerBytes,
  })
  return toRecords(env, model, projection, rows)
}
