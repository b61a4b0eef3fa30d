import { decide } from '../../access/decide.ts'
import { isSearched } from '../../domain/search-operand.ts'
import { badRequest } from '../../errors.ts'
import { FIELD_TYPES } from '../../model/field-types.ts'
import type { Field, Measure } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { readSource } from '../statement/read-source.ts'
import { columnOf } from '../statement/scope.ts'
import { type PathTarget, resolvePath, type Sources } from './sources.ts'

export interface MeasureQuery {
  /** Name in the row. */
  readonly name: string
  readonly field: string
  readonly measure: string
}

export interface GroupMeasure {
  /** Its value as a field of the group rows; `name` is the name in the row, `column` the alias of `value`. */
  readonly field: Field
  readonly value: Sql<unknown>
  /** The value for a group without records. */
  readonly empty: Sql<unknown>
  /** How to compute the value of several groups together from the groups; null if it takes their records. */
  readonly merged: Merged | null
}

/** Computes the value of a group that is made of other groups. */
export interface Merged {
  /** What is selected for each of the other groups. */
  readonly parts: readonly Sql<unknown>[]
  /** Takes the columns of `parts`. */
  value(parts: readonly Sql<unknown>[]): Sql<unknown>
}

const NAME = /^[a-z][a-z0-9_]{0,62}$/

interface Aggregated {
  readonly value: Sql<unknown>
  readonly merged: Merged | null
}

type Aggregate = (value: Sql<unknown>) => Aggregated

const sum = (value: Sql<unknown>): Sql<unknown> => sql`sum(${value})`
const min = (value: Sql<unknown>): Sql<unknown> => sql`min(${value})`
const max = (value: Sql<unknown>): Sql<unknown> => sql`max(${value})`

/** An aggregate whose merged value is `merge` of the values. */
const mergedBy = (value: Sql<unknown>, merge: (value: Sql<unknown>) => Sql<unknown>): Aggregated => ({
  value,
  merged: { parts: [value], value: ([part]) => merge(part!) },
})

/** A count, which is 0 instead of null for no groups. */
const counted = (value: Sql<unknown>): Aggregated => mergedBy(value, (part) => sql`coalesce(${sum(part)}, 0)`)

const AGGREGATES: ReadonlyMap<string, Aggregate> = new Map<Measure, Aggregate>([
  ['sum', (value) => mergedBy(sum(value), sum)],
  ['avg', averaged],
  ['min', (value) => mergedBy(min(value), min)],
  ['max', (value) => mergedBy(max(value), max)],
  ['count', (value) => counted(sql`count(${value})`)],
  ['count_distinct', (value) => ({ value: sql`count(distinct ${value})`, merged: null })],
])

/** Names of all measures; `FieldType.measures` says which a field offers. */
export const MEASURES: readonly string[] = [...AGGREGATES.keys()]

function averaged(value: Sql<unknown>): Aggregated {
  const parts = [sum(value), sql`count(${value})`]
  return {
    value: sql`avg(${value})`,
    merged: { parts, value: ([total, count]) => sql`${sum(total!)} / nullif(${sum(count!)}, 0)` },
  }
}

/** `min` and `max` have the type of the field; all other measures are numbers. */
const isOwnKind = (measure: string) => measure === 'min' || measure === 'max'

export function groupMeasure(sources: Sources, spec: MeasureQuery, column: string): GroupMeasure {
  const { name, field: path, measure } = spec
  if (!NAME.test(name))
    throw badRequest('measure_invalid', `A measure needs a name like total_amount, not "${name.slice(0, 80)}".`)
  const target = resolvePath(sources, path)
  const { type } = target.field
  const aggregate = AGGREGATES.get(measure)
  if (aggregate === undefined)
    throw badRequest('measure_invalid', `Unknown measure "${measure.slice(0, 80)}": there are ${MEASURES.join(', ')}.`)
  if (!type.measures.some((offered) => offered === measure)) {
    throw badRequest(
      'measure_invalid',
      `The ${measure} of ${path} does not exist: ${type.name} fields offer ${type.measures.join(', ')}.`,
    )
  }
  const number = { type: FIELD_TYPES.float, relation: null, selection: null }
  const field: Field = { ...target.field, ...(isOwnKind(measure) ? {} : number), name, column }
  const empty = measure.startsWith('count') ? sql`0` : sql`null`
  return { field, empty, ...(countLinks(target) ?? aggregate(storedColumn(target, path))) }
}

/** How many records a group has. */
export function countOf({ fields }: Model): GroupMeasure {
  const field = { ...fields.get('id')!, name: '__count', column: 'count', type: FIELD_TYPES.float }
  return { field, empty: sql`0`, ...counted(sql`count(*)`) }
}

function storedColumn({ scope, field }: PathTarget, path: string): Sql<unknown> {
  if (field.column === null) throw badRequest('measure_invalid', `${path} is computed on read and cannot be measured.`)
  return columnOf(scope, field.column)
}

/** Counting an x2many counts the records it links to; null for other fields. */
function countLinks({ scope, field }: PathTarget): Aggregated | null {
  const { relation } = field
  if (relation === null || relation.kind === 'many2one' || isSearched(field)) return null
  decide(scope.env, [{ model: relation.target, field: null }])
  return counted(sql`coalesce(sum(cardinality(${readSource(scope).linkedIds(relation)})), 0)`)
}
