import { authorizeDomain, decide, trustDomain } from '../../access/decide.ts'
import { reachModel, unknownModel } from '../../access/reach.ts'
import { ruleDomain } from '../../access/rules.ts'
import type { Operation } from '../../access/tables.ts'
import type { Checked, DomainNode } from '../../domain/ast.ts'
import { compileDomain, countRelations } from '../../domain/compile.ts'
import { parseDomain } from '../../domain/parse.ts'
import { translatedColumn } from '../../domain/translated-column.ts'
import type { Env } from '../../env.ts'
import { badRequest } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import type { Model } from '../../model/registry.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import { keepPart, type Part } from './kept-parts.ts'

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
  if (model === undefined) throw unknownModel(env.t, name)
  return model
}

export const fromTable = ({ model, alias }: TableScope) => sql`${sql.table(model.table)} as ${sql.table(alias)}`

/** A column as the caller reads it: texts are those of the caller's language. */
export function columnOf({ env, model, alias }: TableScope, name: string): Sql<unknown> {
  const text = model.translated.find(({ column }) => column === name)
  return text === undefined ? sql.ref(`${alias}.${name}`) : translatedColumn(alias, text, env.lang)
}

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
  if (!isTrusted && countRelations(node) > LIMITS.domainHops) {
    throw badRequest('limit_exceeded', `The conditions of a domain may follow at most ${LIMITS.domainHops} relations.`)
  }
  return authorizeDomain(env, node)
}

/** Compiles a checked domain to a condition on the scope's table, with the record rules of every other model in its paths. */
export function compileWhere({ env, alias }: TableScope, node: Checked<DomainNode>): Sql<SqlBool> {
  return compileDomain(node, {
    registry: env.registry,
    alias,
    tz: env.tz,
    words: env,
    rule: (name) => (reachModel(env, name) ?? unreachable(name)).rule,
  })
}

/** A checked domain leads only to models that the caller may read, so this is a bug. */
function unreachable(name: string): never {
  throw new Error(`a checked domain reached ${name}`)
}

/** Records of another model that a row links to, as far as the caller may read them. */
export interface LinkTarget {
  readonly scope: TableScope
  /** The condition that a record is readable; null: all are. */
  readonly readable: Sql<SqlBool> | null
  /** The condition that a record is readable and the one a column points at. */
  pointedAtBy(column: Sql<unknown>): Sql<SqlBool>
}

/** The only way for a statement to get from a row to another model. Null: the caller may not read that model at all. */
export function stepTo({ env }: Pick<TableScope, 'env'>, name: string, alias: string): LinkTarget | null {
  const reach = reachModel(env, name)
  if (reach === null) return null
  const scope: TableScope = { env, model: reach.model, alias }
  const readable = reach.rule === null ? null : compileTrusted(scope, reach.rule)
  return {
    scope,
    readable,
    pointedAtBy: (column) => allOf([sql<SqlBool>`${columnOf(scope, 'id')} = ${column}`, readable]),
  }
}

/** The scope's record rule for an operation as a condition, or null when none applies. */
export const compileRule = (scope: TableScope, operation: Operation): Sql<SqlBool> | null =>
  ruleOf(scope, operation).condition

/** The record rule of a model in a statement. */
export interface RowRule extends Part {
  /** Null: none applies. */
  readonly condition: Sql<SqlBool> | null
  /** It reads links, hierarchies or computed values, which are final only after links are written and computes have run. */
  readonly looksFurther: boolean
}

/** Built once for a caller the service knows. */
export const ruleOf = ({ env, model, alias }: TableScope, operation: Operation): RowRule =>
  keepPart(env, JSON.stringify(['rule', model.name, alias, operation]), (at) => {
    const rule = ruleDomain(at, model, operation)
    const condition = rule === null ? null : compileTrusted({ env: at, model, alias }, rule).flatten()
    const isFar = rule !== null && looksFurther(rule)
    return { condition, looksFurther: isFar, print: () => JSON.stringify(condition?.compile() ?? null) }
  })

function looksFurther(node: DomainNode): boolean {
  switch (node.kind) {
    case 'constant':
      return false
    case 'and':
    case 'or':
      return node.items.some(looksFurther)
    case 'not':
      return looksFurther(node.item)
    case 'compare':
      return node.field.column === null || node.field.compute !== null
    default:
      return true
  }
}

const compileTrusted = ({ env, alias }: TableScope, rule: DomainNode) =>
  compileDomain(trustDomain(rule), { registry: env.registry, alias, tz: env.tz, rule: () => null })

export const anyOf = (conditions: readonly Sql<SqlBool>[]): Sql<SqlBool> =>
  conditions.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`

export const allOf = (conditions: readonly (Sql<SqlBool> | null)[]): Sql<SqlBool> => {
  const present = conditions.filter((condition) => condition !== null)
  return present.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(present, sql` and `)}`
}
