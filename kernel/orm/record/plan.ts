import type { Env } from '../../env.ts'
import type { Model, OrderTerm } from '../../model/registry.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import { ruleOfIds } from '../statement/generic-plan.ts'
import { keepPart, type Part } from '../statement/kept-parts.ts'
import { parseOrder, type SortKey, sortKeys } from '../statement/order.ts'
import { compileRule, rootScope } from '../statement/scope.ts'
import { membersOf, type Projection, project, selectList } from './project.ts'

/** The parts of a search that depend on its fields, its order and the caller's rights; domain, cursor and slice are added each time. */
export interface SearchPlan extends Part {
  readonly projection: Projection
  readonly members: ReturnType<typeof membersOf>
  readonly select: Sql<unknown>
  readonly keys: readonly SortKey[]
  readonly terms: readonly OrderTerm[]
  /** Names the order, for cursors. */
  readonly order: string
  readonly rule: Sql<SqlBool> | null
  /** PostgreSQL may keep the plan, as far as these parts go. */
  readonly hasGenericPlan: boolean
}

export interface PlannedQuery {
  readonly fields?: readonly string[] | undefined
  readonly order?: string | undefined
}

export const planSearch = (env: Env, model: Model, { fields, order }: PlannedQuery): SearchPlan =>
  keepPart(env, JSON.stringify(['search', model.name, fields, order]), (at) => {
    const scope = rootScope(at, model)
    const projection = project(scope, fields)
    const terms = parseOrder(at, model, order)
    const keys = sortKeys(scope, terms).map((key) => ({ ...key, expression: key.expression.flatten() }))
    const select = selectList(projection).flatten()
    const { rule, hasGenericPlan } = readRule(at, model)
    const name = `${model.name} ${at.lang} ${terms.map((term) => `${term.field} ${term.descending}`).join()}`
    const print = () => printOf(select, ...keys.map(({ expression }) => expression), rule)
    return { projection, members: membersOf(projection), select, keys, terms, order: name, rule, hasGenericPlan, print }
  })

/** The rule for reading, and whether PostgreSQL may keep the plan of a statement with it. */
interface ReadRule extends Part {
  readonly rule: Sql<SqlBool> | null
  readonly hasGenericPlan: boolean
}

export const readRule = (env: Env, model: Model): ReadRule =>
  keepPart(env, JSON.stringify(['read rule', model.name]), (at) => {
    const bound = compileRule(rootScope(at, model), 'read')
    const ofIds = bound && ruleOfIds(bound)
    const rule = ofIds ?? bound
    return { rule, hasGenericPlan: rule === ofIds, print: () => printOf(rule) }
  })

/** The parts of a read of records by id that depend on its fields and the caller's rights. */
export interface ReadPlan extends Part {
  readonly projection: Projection
  readonly members: ReturnType<typeof membersOf>
  readonly select: Sql<unknown>
  readonly rule: Sql<SqlBool>
}

export const planRead = (env: Env, model: Model, fields: readonly string[] | undefined): ReadPlan =>
  keepPart(env, JSON.stringify(['read', model.name, fields]), (at) => {
    const scope = rootScope(at, model)
    const projection = project(scope, fields)
    const select = selectList(projection).flatten()
    const rule = (compileRule(scope, 'read') ?? sql<SqlBool>`true`).flatten()
    return { projection, members: membersOf(projection), select, rule, print: () => printOf(select, rule) }
  })

const printOf = (...pieces: readonly (Sql | null)[]): string => JSON.stringify(pieces.map((piece) => piece?.compile()))
