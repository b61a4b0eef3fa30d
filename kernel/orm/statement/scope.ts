import { mayUseModel } from '../../access/acl.ts'
import { authorizeDomain, decide, trustDomain } from '../../access/decide.ts'
import { ruleDomain } from '../../access/rules.ts'
import type { Operation } from '../../access/tables.ts'
import type { Checked, DomainNode } from '../../domain/ast.ts'
import { compileDomain } from '../../domain/compile.ts'
import { displayNameSql } from '../../domain/display-name.ts'
import { parseDomain } from '../../domain/parse.ts'
import type { Env } from '../../env.ts'
import { notFound } from '../../errors.ts'
import type { ReadSource, Relation } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'

/** A table in the statement being built: its model, its alias, and the env whose user the statement is for. */
export interface TableScope {
  readonly env: Env
  readonly model: Model
  readonly alias: string
}

export const rootScope = (env: Env, model: Model): TableScope => ({ env, model, alias: 't' })

/** A model of the registry. Names from requests are checked before, so an unknown name is a bug in server code. */
export function modelOf(env: Env, name: string): Model {
  const model = env.registry.model(name)
  if (model === undefined) throw notFound('model_unknown', `There is no model ${name}.`)
  return model
}

export const fromTable = ({ model, alias }: TableScope) => sql`${sql.table(model.table)} as ${sql.table(alias)}`

export const columnOf = ({ alias }: TableScope, name: string) => sql.ref(`${alias}.${name}`)

/** Parses a domain and checks access to every field in it. Lists have a maximum length unless the domain comes from server code. */
export function parseChecked(
  env: Env,
  model: Model,
  domain: unknown,
  { isTrusted = false }: { readonly isTrusted?: boolean | undefined } = {},
): Checked<DomainNode> {
  const node = parseDomain(domain, model, {
    registry: env.registry,
    now: env.now,
    tz: env.tz,
    searchComputed: (field, operator, value) => field.compute!.search!(env, operator, value),
    named: (name, field) => decide(env, [{ model: name, field }]),
    ...(isTrusted && { maxValues: Number.POSITIVE_INFINITY }),
  })
  return authorizeDomain(env, node)
}

/** Compiles a checked domain to a condition on the scope's table, with the record rules of every other model in its paths. */
export function compileWhere({ env, alias }: TableScope, node: Checked<DomainNode>): Sql<SqlBool> {
  return compileDomain(node, {
    registry: env.registry,
    alias,
    tz: env.tz,
    rule: (name) => ruleDomain(env, modelOf(env, name), 'read'),
  })
}

/** The scope's record rule for an operation as a condition, or null when none applies. */
export function compileRule({ env, model, alias }: TableScope, operation: Operation): Sql<SqlBool> | null {
  const rule = ruleDomain(env, model, operation)
  if (rule === null) return null
  return compileDomain(trustDomain(rule), { registry: env.registry, alias, tz: env.tz, rule: () => null })
}

export const allOf = (conditions: readonly (Sql<SqlBool> | null)[]): Sql<SqlBool> => {
  const present = conditions.filter((condition) => condition !== null)
  return present.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(present, sql` and `)}`
}

/** The source that field types select from; subqueries on other models include the rules of those models. */
export function readSource(scope: TableScope): ReadSource {
  const { env, alias } = scope
  const target = (relation: Relation): TableScope => ({ env, model: modelOf(env, relation.target), alias: `${alias}r` })
  return {
    column: (name) => columnOf(scope, name),
    ownDisplayName: () => displayNameSql(scope.model, alias),
    displayName(relation, column) {
      const to = target(relation)
      if (!mayUseModel(env, to.model.name, 'read')) return sql`null::text`
      const where = allOf([sql<SqlBool>`${columnOf(to, 'id')} = ${columnOf(scope, column)}`, compileRule(to, 'read')])
      return sql`(select ${displayNameSql(to.model, to.alias)} from ${fromTable(to)} where ${where})`
    },
    linkedIds(relation) {
      const to = target(relation)
      if (!mayUseModel(env, to.model.name, 'read')) return sql`'{}'::int[]`
      return sql`array(${linkedIds(scope, to, relation)})`
    },
  }
}

function linkedIds(from: TableScope, to: TableScope, relation: Relation): Sql<unknown> {
  const id = columnOf(from, 'id')
  const rule = compileRule(to, 'read')
  if (relation.kind === 'one2many') {
    const where = allOf([sql<SqlBool>`${columnOf(to, relation.inverse)} = ${id}`, rule])
    return sql`select ${columnOf(to, 'id')} from ${fromTable(to)} where ${where} order by 1`
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
