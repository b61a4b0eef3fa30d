import { displayNameSql } from '../../domain/display-name.ts'
import type { Env } from '../../env.ts'
import type { Field, ReadSource, Relation } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import { allOf, columnOf, fromTable, modelOf, rootScope, stepTo, type TableScope } from '../statement/scope.ts'

/** A row of stored values by field name. */
export type StoredValues = Readonly<Record<string, unknown>> & { readonly id: number }

export type LinkedValues = StoredValues & { readonly 'link:owner': number }

/** Fields of the records with these ids that the env may read (under sudo: all), in one statement. `lock` locks the rows for other writers until the commit. */
export async function selectRows(
  env: Env,
  model: Model,
  ids: readonly number[],
  fields: readonly Field[],
  lock: boolean,
): Promise<readonly StoredValues[]> {
  const target = stepTo(rootScope(env, model), model.name, 't')
  if (target === null) return []
  const { scope, readable } = target
  const where = allOf([sql<SqlBool>`${columnOf(scope, 'id')} = any(${ids}::int[])`, readable])
  const ordered = lock ? sql`order by ${columnOf(scope, 'id')} for no key update` : sql``
  const { rows } = await sql<StoredValues>`
    select ${columns(scope, fields)} from ${fromTable(scope)} where ${where} ${ordered}`.execute(env.tx)
  return rows
}

/** The records an x2many field links to that the env may read, with fields of theirs, one statement; rows come in the order of their ids. */
export async function selectLinked(
  env: Env,
  field: Field,
  owners: readonly number[],
  fields: readonly Field[],
): Promise<readonly LinkedValues[]> {
  const relation = field.relation!
  const target = stepTo(rootScope(env, modelOf(env, relation.target)), relation.target, 't')
  if (target === null) return []
  const { scope, readable } = target
  const { owner, from } = linkSource(scope, relation)
  const where = allOf([sql<SqlBool>`${owner} = any(${owners}::int[])`, readable])
  const { rows } = await sql<LinkedValues>`
    select ${owner} as "link:owner", ${columns(scope, fields)} from ${from}
    where ${where} order by ${columnOf(scope, 'id')}`.execute(env.tx)
  return rows
}

function linkSource(scope: TableScope, relation: Relation): { owner: Sql<unknown>; from: Sql<unknown> } {
  if (relation.kind === 'one2many') return { owner: columnOf(scope, relation.inverse), from: fromTable(scope) }
  if (relation.kind === 'many2one') throw new Error('a many2one links through its own column')
  const target = sql`${sql.ref(`l.${relation.right}`)} = ${columnOf(scope, 'id')}`
  return {
    owner: sql.ref(`l.${relation.left}`),
    from: sql`${sql.table(relation.table)} as l join ${fromTable(scope)} on ${target}`,
  }
}

function columns(scope: TableScope, fields: readonly Field[]): Sql<unknown> {
  const source = ownSource(scope)
  const selected = fields
    .filter((field) => field.name !== 'id')
    .map((field) => sql`${field.type.select(field, source)[0]!.expression} as ${sql.id(field.name)}`)
  return sql.join([sql`${columnOf(scope, 'id')} as id`, ...selected])
}

/** Selects only a field's first column, its stored value; a read would add more (names of links, for example). */
const ownSource = (scope: TableScope): ReadSource => ({
  column: (name) => columnOf(scope, name),
  ownDisplayName: () => displayNameSql(scope.model, scope.alias, scope.env),
  displayName: () => sql`null`,
  linkedIds: () => sql`null`,
})
