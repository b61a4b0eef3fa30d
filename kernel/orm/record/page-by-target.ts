import type { Field } from '../../model/fields/field.ts'
import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import { beyondOrSame, sameValues } from '../statement/cursor.ts'
import { orderBy, type SortKey, sortKeys } from '../statement/order.ts'
import { allOf, columnOf, fromTable, stepTo, type TableScope } from '../statement/scope.ts'
import { type CursorValues, ofChosen, type PagePart, slice, sortAlias } from './page.ts'

/** An order by a link and then the id. */
export interface LinkOrder {
  readonly field: Field
  readonly descending: boolean
  readonly idDescending: boolean
}

const INTEGERS = { least: -2_147_483_648, greatest: 2_147_483_647 }

/**
 * A page of records ordered by the target of a many2one. It sorts the targets, which are few, and takes the first records of each from an
 * index, instead of looking up the target of every record. Records without a target, or with one the caller may not read, have null as sort
 * values.
 */
export function pageByTarget(
  scope: TableScope,
  { field, descending, idDescending }: LinkOrder,
  where: Sql<SqlBool>,
  after: CursorValues | null,
  offset = 0,
): PagePart {
  const target = stepTo(scope, field.relation!.target, `${scope.alias}o`)!
  const own = sortKeys(target.scope, target.scope.model.order, 1)
  const keys = own.map(({ descending: each }, index) => keyOf('target', index, each !== descending))
  const idKey: SortKey = { expression: sql.ref('found.id'), descending: idDescending, isId: true }
  const values = own.map(({ expression }, index) => {
    const seen = target.readable === null ? expression : sql`case when ${target.readable} then ${expression} end`
    return sql`${seen} as ${sql.id(sortAlias(index))}`
  })
  const targets = sql`
    select ${columnOf(target.scope, 'id')} as id, ${sql.join(values)} from ${fromTable(target.scope)}
    union all select ${sql.join([...own, null].map(() => sql`null`))}`
  const id = columnOf(scope, 'id')
  const link = columnOf(scope, field.column!)
  const further = after === null ? null : beyondId(id, idDescending, keys, after)
  const records = (of: Sql<SqlBool>, count: number) => sql`
    (select ${id} as id from ${fromTable(scope)} where ${allOf([of, where, further])}
    order by ${orderBy([link, id].map((expression) => ({ expression, descending: idDescending })))} limit ${count})`
  return (limit) => {
    const count = limit! + offset
    // A range, and the link in the order, make PostgreSQL use the index on the link. In the order of the ids alone it would search the
    // whole table for a target without records.
    const linked = records(sql<SqlBool>`${link} >= target.id and ${link} <= target.id`, count)
    const unlinked = records(sql<SqlBool>`target.id is null and ${link} is null`, count)
    const shown = [...keys.map(({ expression }) => expression), idKey.expression]
    const chosen = sql`
      select found.id, ${sql.join(shown.map((each, index) => sql`${each} as ${sql.id(sortAlias(index))}`))}
      from (${targets}) as target cross join lateral (${linked} union all ${unlinked}) as found
      where ${after === null ? sql`true` : beyondOrSame(keys, after)}
      order by ${orderBy([...keys, idKey])} ${slice({ limit, offset })}`
    return ofChosen(scope, [...keys, idKey], chosen)
  }
}

const keyOf = (table: string, index: number, descending: boolean): SortKey => ({
  expression: sql.ref(`${table}.${sortAlias(index)}`),
  descending,
})

/** Of the target at which the previous page ended, only the records after its last one; of every other target all records. */
function beyondId(id: Sql<unknown>, descending: boolean, keys: readonly SortKey[], after: CursorValues): Sql<SqlBool> {
  const last = sql`case when ${sameValues(keys, after)} then ${after.at(-1)}::int`
  return descending
    ? sql<SqlBool>`${id} < ${last} else ${INTEGERS.greatest}::int end`
    : sql<SqlBool>`${id} > ${last} else ${INTEGERS.least}::int end`
}
