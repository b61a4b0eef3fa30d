import { type Expression, sql } from 'kysely'
import { mayUseModel } from '../access/acl.ts'
import { createZone } from '../domain/zone.ts'
import { badRequest } from '../errors.ts'
import type { Field, Relation } from '../model/field.ts'
import { FIELD_TYPES } from '../model/field-types.ts'
import { type Bucket, bucketDomain, dayBucket, instantBucket, isGranularity, truncateSql } from './group-date.ts'
import { rowKey } from './group-row.ts'
import { findPlace, joinLinks, type Place, type Sources } from './group-sources.ts'
import { type SortKey, sortKeys } from './order.ts'
import { columnOf, readSource, type Scope } from './scope.ts'

type RawRow = Readonly<Record<string, unknown>>

/** One item of a grouping. */
export interface GroupItem {
  /** Its value as a field of the group rows; `name` is the item as given, `column` the alias of `key`. */
  readonly field: Field
  /** What the statement groups by. */
  readonly key: Expression<unknown>
  /** What the answer needs of a group row, by alias. */
  select(groups: Scope): readonly { readonly alias: string; readonly expression: Expression<unknown> }[]
  /** Value, conditions AND-ed, and the range of a date. */
  answer(row: RawRow): Answer
  /** The group's own order. */
  sort(groups: Scope, descending: boolean): readonly SortKey[]
}

interface Answer {
  readonly value: unknown
  readonly domain: readonly unknown[]
  readonly range?: Bucket['range']
}

interface Asked {
  readonly name: string
  readonly path: string
  readonly column: string
  readonly place: Place
}

/** `path` or `path:granularity`; what cannot be grouped is BAD_REQUEST, what may not be read ACCESS_DENIED. */
export function groupItem(sources: Sources, name: string, column: string, weekStart: number): GroupItem {
  const [path = '', granularity, ...rest] = name.split(':')
  const place = findPlace(sources, path)
  const { type, column: stored, relation, compute } = place.field
  const isLink = relation?.kind === 'many2many' && compute === null
  if (!type.groupable || (stored === null && !isLink)) {
    throw badRequest(`Records of ${sources.root.model.name} cannot be grouped by ${path}.`)
  }
  const asked: Asked = { name, path, column, place }
  if (type.comparison === 'date' || type.comparison === 'datetime') {
    return dateItem(asked, [granularity ?? 'month', ...rest].join(':'), weekStart)
  }
  if (granularity !== undefined) throw badRequest(`${path} is no date and has no ${granularity.slice(0, 80)}.`)
  return isLink ? linkItem(asked, joinLinks(sources, place), relation) : valueItem(asked)
}

const rowField = ({ place, name, column }: Asked, changes: Partial<Field> = {}): Field => ({
  ...place.field,
  name,
  column,
  ...changes,
})

/** Unset, which on a longer path includes that a step before it is. */
const unset = (path: string): readonly unknown[] =>
  path.includes('.') ? ['!', [path, '!=', null]] : [[path, '=', null]]

function valueItem(asked: Asked): GroupItem {
  const { path, column } = asked
  const field = rowField(asked)
  const inRow: Field = { ...field, name: column }
  return {
    field,
    key: storedValue(asked.place),
    select: (groups) => inRow.type.select(inRow, readSource(groups)),
    answer(row) {
      const value = row[column] ?? null
      if (value === null) return { value, domain: unset(path) }
      return { value: inRow.type.wire(row, inRow), domain: [[path, '=', value]] }
    },
    sort: (groups, descending) => ownOrder(groups, field, descending),
  }
}

/** A related yes-or-no is false where its own path ends early, as everywhere: it is never unset. */
function storedValue({ scope, field, named }: Place): Expression<unknown> {
  const value = columnOf(scope, field.column!)
  if (field.type.comparison !== 'boolean' || scope === named) return value
  return sql`case when ${columnOf(named, 'id')} is not null then coalesce(${value}, false) end`
}

/** A many2many groups like a many2one, once per linked record. */
function linkItem(asked: Asked, key: Expression<unknown>, { target }: Relation): GroupItem {
  const relation: Relation = { kind: 'many2one', target, ondelete: 'set null' }
  const type = FIELD_TYPES.many2one
  const item = valueItem({ ...asked, place: { ...asked.place, field: rowField(asked, { type, relation }) } })
  return {
    ...item,
    key,
    answer(row) {
      const { value, domain } = item.answer(row)
      return { value, domain: value === null ? domain : [[asked.path, 'in', [row[asked.column]]]] }
    },
  }
}

function dateItem(asked: Asked, granularity: string, weekStart: number): GroupItem {
  const { path, column, place } = asked
  const { env } = place.scope
  const isInstant = place.field.type.comparison === 'datetime'
  if (!isGranularity(granularity) || (granularity === 'hour' && !isInstant)) {
    throw badRequest(`${path} cannot be grouped by ${granularity.slice(0, 80)}.`)
  }
  const stored = columnOf(place.scope, place.field.column!)
  const local = isInstant ? sql`(${stored} at time zone ${env.tz})` : sql`${stored}::timestamp`
  const zone = createZone(env.tz)
  const bucketOf = (start: number) =>
    isInstant ? instantBucket(start, granularity, zone) : dayBucket(start, granularity)
  // An hour of the clock is no single instant, so conditions on it go into the domain and not into `having`.
  const field = rowField(asked, { type: FIELD_TYPES[granularity === 'hour' ? 'json' : 'date'] })
  return {
    field,
    key: truncateSql(local, granularity, weekStart),
    select: (groups) => [{ alias: column, expression: sql`extract(epoch from ${columnOf(groups, column)})` }],
    answer(row) {
      const seconds = row[column] ?? null
      if (seconds === null) return { value: null, domain: unset(path) }
      const bucket = bucketOf(Number(seconds) * 1_000)
      return { value: bucket.key, domain: bucketDomain(path, bucket), range: bucket.range }
    },
    sort: (groups, descending) => ownOrder(groups, field, descending),
  }
}

/** Relations by the order of their target, selections by that of their keys; hidden targets after the others, unset last. */
function ownOrder(groups: Scope, field: Field, descending: boolean): readonly SortKey[] {
  const column = columnOf(groups, field.column!)
  const last: SortKey = { expression: column, descending }
  if (field.selection !== null) {
    const keys = sql`${sql.val([...field.selection.keys()])}::text[]`
    return [{ expression: sql`array_position(${keys}, ${column})`, descending }, last]
  }
  const terms = sortKeys(groups, [{ field: rowKey(field.name), descending }])
  if (field.relation === null) return terms
  const isReadable = mayUseModel(groups.env, field.relation.target, 'read')
  return [{ expression: sql`${column} is null`, descending }, ...(isReadable ? terms : []), last]
}
