import { mayReadField } from '../../access/acl.ts'
import { decide } from '../../access/decide.ts'
import { usesOfField } from '../../access/uses.ts'
import { isRelated, relatedSteps } from '../../domain/relation.ts'
import type { Env } from '../../env.ts'
import { badRequest } from '../../errors.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model, OrderTerm } from '../../model/registry.ts'
import { isNeverNull, sortedCharsOf } from '../../model/sorted-column.ts'
import { numeral } from '../../sql/ddl.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { columnOf, fromTable, stepTo, type TableScope } from './scope.ts'

/** One sorted expression, as it stands in ORDER BY. */
export interface SortKey {
  readonly expression: Sql<unknown>
  readonly descending: boolean
  /** No row is without a value. */
  readonly isNeverNull?: boolean
  /** It is the id of the record itself, by which every order ends. */
  readonly isId?: boolean
}

/** Maximum number of many2one steps that an order follows into the order of the target. */
const MAX_HOPS = 3

/**
 * `"field desc, other"` → terms, each known, sortable and allowed; `id` is appended so that the order is total, in the direction of
 * the last term, so that one index serves a column both ways.
 */
export function parseOrder(env: Env, model: Model, text: string | undefined): readonly OrderTerm[] {
  if (text === undefined || text.trim() === '') return model.order
  const terms = text.split(',').map((part) => parseTerm(env, model, part.trim()))
  const twice = terms.find(({ field }, i) => terms.findIndex((term) => term.field === field) < i)
  if (twice) throw badRequest('order_invalid', `The order names ${twice.field} twice.`)
  if (terms.some((term) => term.field === 'id')) return terms
  return [...terms, { field: 'id', descending: terms.at(-1)!.descending }]
}

function parseTerm(env: Env, model: Model, text: string): OrderTerm {
  const [name = '', direction = 'asc', ...rest] = text.split(/\s+/)
  const field = model.fields.get(name)
  const lower = direction.toLowerCase()
  if (rest.length > 0 || (lower !== 'asc' && lower !== 'desc')) {
    throw badRequest(
      'order_invalid',
      `Cannot order by "${text.slice(0, 80)}": expected a field name, optionally followed by asc or desc.`,
    )
  }
  if (field === undefined)
    throw badRequest('order_invalid', `Cannot order by "${text.slice(0, 80)}": ${model.name} has no such field.`)
  decide(env, usesOfField(env.registry, model, field))
  if (!isSortable(env, model, field))
    throw badRequest('order_invalid', `Records of ${model.name} cannot be ordered by ${name}.`)
  return { field: name, descending: lower === 'desc' }
}

/** Stored, or a related field whose path leads over many2one columns to something stored. */
function isSortable(env: Env, model: Model, field: Field): boolean {
  if (!field.type.sortable) return false
  if (!isRelated(field)) return field.column !== null
  const { steps, last } = relatedSteps(env.registry, model, field)
  return [...steps, last].every((step) => step.field.column !== null)
}

/**
 * The keys of an order; a many2one sorts by the order of its target, seen with the caller's rights. Fields of a model's
 * default order that the caller may not read are left out, since the order would reveal their values.
 */
export function sortKeys(scope: TableScope, terms: readonly OrderTerm[], hops = 0): SortKey[] {
  return terms.flatMap(({ field: name, descending }) => {
    const field = scope.model.fields.get(name)!
    if (!mayReadField(scope.env, field)) return []
    if (isRelated(field)) return pathKeys(scope, field.related!, descending, hops)
    return fieldKeys(scope, field, descending, hops)
  })
}

function fieldKeys(scope: TableScope, field: Field, descending: boolean, hops: number): SortKey[] {
  const column = columnOf(scope, field.column!)
  if (field.relation?.kind === 'many2one') {
    const own = [{ expression: column, descending }]
    if (hops >= MAX_HOPS) return own
    return throughTarget(scope, field, descending, (to) => sortKeys(to, to.model.order, hops + 1)) ?? own
  }
  const expression = field.type.comparison === 'text' ? textKey(column, field) : column
  return [{ expression, descending, isNeverNull: isNeverNull(field), isId: hops === 0 && field.name === 'id' }]
}

/** The same expression as `sortTerm` of the schema has in an index. */
function textKey(column: Sql<unknown>, field: Field): Sql<unknown> {
  const chars = sortedCharsOf(field)
  return sql`${chars === null ? column : sql`left(${column}, ${numeral(chars)})`} collate "und-x-icu"`
}

/** A related field without a column sorts by the end of its path. */
function pathKeys(
  scope: TableScope,
  [first, ...rest]: readonly string[],
  descending: boolean,
  hops: number,
): SortKey[] {
  const field = scope.model.fields.get(first!)!
  if (rest.length === 0) return fieldKeys(scope, field, descending, hops)
  return throughTarget(scope, field, descending, (to) => pathKeys(to, rest, false, hops + 1)) ?? []
}

/**
 * Keys of the target as scalar subqueries of this row; a record that the caller may not read sorts like an unset link. Null: the
 * caller may not read the model.
 */
function throughTarget(
  scope: TableScope,
  field: Field,
  descending: boolean,
  keysOf: (to: TableScope) => SortKey[],
): SortKey[] | null {
  const target = stepTo(scope, field.relation!.target, `${scope.alias}o`)
  if (target === null) return null
  const where = target.pointedAtBy(columnOf(scope, field.column!))
  return keysOf(target.scope).map((key) => ({
    expression: sql`(select ${key.expression} from ${fromTable(target.scope)} where ${where})`,
    descending: key.descending !== descending,
  }))
}

export const orderBy = (keys: readonly SortKey[]): Sql<unknown> =>
  sql`${sql.join(keys.map((key) => (key.descending ? sql`${key.expression} desc` : key.expression)))}`
