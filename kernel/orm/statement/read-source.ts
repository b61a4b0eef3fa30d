import { displayNameSql } from '../../domain/display-name.ts'
import type { ReadSource, Relation } from '../../model/fields/field.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import { orderBy, sortKeys } from './order.ts'
import { allOf, columnOf, fromTable, type LinkTarget, stepTo, type TableScope } from './scope.ts'

/** The source that field types select from; subqueries on other models include the rules of those models. */
export function readSource(scope: TableScope): ReadSource {
  const { alias } = scope
  const targetOf = (relation: Relation) => stepTo(scope, relation.target, `${alias}r`)
  return {
    column: (name) => columnOf(scope, name),
    ownDisplayName: () => displayNameSql(scope.model, alias, scope.env),
    displayName(relation, column) {
      const target = targetOf(relation)
      if (target === null) return sql`null::text`
      const { scope: to } = target
      const where = target.pointedAtBy(columnOf(scope, column))
      return sql`(select ${displayNameSql(to.model, to.alias, scope.env)} from ${fromTable(to)} where ${where})`
    },
    linkedIds(relation) {
      const target = targetOf(relation)
      return target === null ? sql`'{}'::int[]` : sql`array(${linkedIds(scope, target, relation)})`
    },
  }
}

/**
 * The name behind a many2one as a join of at most one row. For many rows this is faster than a subquery, because PostgreSQL looks up each
 * target once. Null: the caller may not read that model at all.
 */
export function joinDisplayName(
  scope: TableScope,
  relation: Relation,
  column: string,
  alias: string,
): { readonly join: Sql<unknown>; readonly name: Sql<unknown> } | null {
  const target = stepTo(scope, relation.target, alias)
  if (target === null) return null
  const join = sql`left join ${fromTable(target.scope)} on ${target.pointedAtBy(columnOf(scope, column))}`
  return { join, name: displayNameSql(target.scope.model, alias, scope.env) }
}

/** Ids of a one2many come in the default order of their model, those of a many2many in the order of ids. */
function linkedIds(from: TableScope, { scope: to, readable: rule }: LinkTarget, relation: Relation): Sql<unknown> {
  const id = columnOf(from, 'id')
  if (relation.kind === 'one2many') {
    const where = allOf([sql<SqlBool>`${columnOf(to, relation.inverse)} = ${id}`, rule])
    // All lines have the same owner, so a default order by the owner needs no comparison.
    const terms = to.model.order.filter(({ field }) => field !== relation.inverse)
    return sql`select ${columnOf(to, 'id')} from ${fromTable(to)} where ${where} order by ${orderBy(sortKeys(to, terms))}`
  }
  if (relation.kind === 'many2one') throw new Error('a many2one links through its own column')
  const link = `${to.alias}l`
  const near = sql<SqlBool>`${sql.ref(`${link}.${relation.left}`)} = ${id}`
  const far = sql.ref(`${link}.${relation.right}`)
  const links = sql`${sql.table(relation.table)} as ${sql.table(link)}`
  if (rule === null) return sql`select ${far} from ${links} where ${near} order by 1`
  const where = allOf([near, rule])
  return sql`select ${far} from ${links} join ${fromTable(to)} on ${columnOf(to, 'id')} = ${far} where ${where} order by 1`
}
