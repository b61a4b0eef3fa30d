import { type Expression, sql } from 'kysely'
import { decide } from '../access/decide.ts'
import type { Env } from '../env.ts'
import { badRequest } from '../errors.ts'
import type { Field } from '../model/field.ts'
import type { Model, OrderTerm } from '../model/registry.ts'
import { allOf, columnOf, compileRule, fromTable, modelOf, type Scope } from './scope.ts'

/** One sorted expression, as it stands in ORDER BY. */
export interface SortKey {
  readonly expression: Expression<unknown>
  readonly descending: boolean
}

/** How far an order follows many2one into the target's own order. */
const MAX_HOPS = 3

/** `"field desc, other"` → terms, each known, sortable and allowed; `id` is appended so that the order is total. */
export function parseOrder(env: Env, model: Model, text: string | undefined): readonly OrderTerm[] {
  if (text === undefined || text.trim() === '') return model.order
  const terms = text.split(',').map((part) => parseTerm(env, model, part.trim()))
  return terms.some((term) => term.field === 'id') ? terms : [...terms, { field: 'id', descending: false }]
}

function parseTerm(env: Env, model: Model, text: string): OrderTerm {
  const [name = '', direction = 'asc', ...rest] = text.split(/\s+/)
  const field = model.fields.get(name)
  const lower = direction.toLowerCase()
  if (field === undefined || rest.length > 0 || (lower !== 'asc' && lower !== 'desc')) {
    throw badRequest(
      `Cannot order by "${text.slice(0, 80)}": expected a field name, optionally followed by asc or desc.`,
    )
  }
  decide(env, [{ model: model.name, field }])
  if (!field.type.sortable || (field.column === null && field.related === null)) {
    throw badRequest(`Records of ${model.name} cannot be ordered by ${name}.`)
  }
  return { field: name, descending: lower === 'desc' }
}

/** The keys of an order; a many2one sorts by the order of its target, seen with the caller's rights. */
export function sortKeys(scope: Scope, terms: readonly OrderTerm[], hops = 0): SortKey[] {
  return terms.flatMap(({ field: name, descending }) => {
    const field = scope.model.fields.get(name)!
    if (field.related !== null && field.column === null) return relatedKeys(scope, field.related, descending, hops)
    return fieldKeys(scope, field, descending, hops)
  })
}

function fieldKeys(scope: Scope, field: Field, descending: boolean, hops: number): SortKey[] {
  const column = columnOf(scope, field.column!)
  if (field.relation?.kind === 'many2one') {
    if (hops >= MAX_HOPS) return [{ expression: column, descending }]
    const target = modelOf(scope.env, field.relation.target)
    return throughTarget(scope, field, descending, hops, target.order)
  }
  const expression = field.type.comparison === 'text' ? sql`${column} collate "und-x-icu"` : column
  return [{ expression, descending }]
}

function relatedKeys(scope: Scope, path: readonly string[], descending: boolean, hops: number): SortKey[] {
  const [first, second, ...rest] = path
  const field = scope.model.fields.get(first!)!
  if (second === undefined) return fieldKeys(scope, field, descending, hops)
  if (rest.length > 0) throw badRequest(`Records of ${scope.model.name} cannot be ordered by a path that long.`)
  return throughTarget(scope, field, descending, hops, [{ field: second, descending: false }])
}

/** Keys of the target as scalar subqueries of this row; a target the caller may not read sorts like none. */
function throughTarget(
  scope: Scope,
  field: Field,
  descending: boolean,
  hops: number,
  order: readonly OrderTerm[],
): SortKey[] {
  const to: Scope = {
    env: scope.env,
    model: modelOf(scope.env, field.relation!.target),
    alias: `${scope.alias}o`,
  }
  const where = allOf([sql`${columnOf(to, 'id')} = ${columnOf(scope, field.column!)}`, compileRule(to, 'read')])
  return sortKeys(to, order, hops + 1).map((key) => ({
    expression: sql`(select ${key.expression} from ${fromTable(to)} where ${where})`,
    descending: key.descending !== descending,
  }))
}

export const orderBy = (keys: readonly SortKey[]): Expression<unknown> =>
  sql`${sql.join(keys.map((key) => (key.descending ? sql`${key.expression} desc` : key.expression)))}`
