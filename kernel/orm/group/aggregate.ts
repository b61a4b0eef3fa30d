import { type Sql, type SqlBool, sql } from '../../sql/sql.ts'
import type { Grouping } from './item.ts'
import type { GroupMeasure } from './measure.ts'
import { type GroupSets, groupBySql, markSql, type SetPart } from './sets.ts'
import { fromSources, type Sources } from './sources.ts'

/** Alias of the table with the keys of each record. GROUP BY and the select list both refer to its columns. */
const KEYS = 'keys'
/** The column of a group row with the mark of its set. */
export const SET = 'set'

/** The group rows: a column per item and measure, and the mark of the set if sets are requested. */
export function aggregate(
  sources: Sources,
  where: Sql<SqlBool>,
  items: readonly Grouping[],
  measures: readonly GroupMeasure[],
  { parts, isAsked }: GroupSets,
): Sql<unknown> {
  const selects = parts.map((part) => {
    const keyed = items.filter(({ link }) => link === null || part.links.has(link))
    const keys = keyed.map(({ field, key }) => sql`${key} as ${sql.id(field.column!)}`)
    const columns = items.map((item) => keyColumn(item, keyed.includes(item), part))
    const mark = isAsked ? [sql`${markSql(items, part, keyOf)} as ${sql.id(SET)}`] : []
    const lateral = keys.length === 0 ? sql`` : sql`cross join lateral (select ${sql.join(keys)}) as ${sql.id(KEYS)}`
    const records = sql`from ${fromSources(sources, part.links)} ${lateral} where ${where}`
    const merged = part.sets.length > 1 ? mergedMeasures(measures) : null
    if (merged === null)
      return sql`select ${sql.join([...columns, ...measures.map(valueColumn), ...mark])} ${records} ${groupBySql(part, keyOf)}`
    // Groups by all items first and computes every set from those groups, which are usually far fewer than the records.
    const finest = { ...part, sets: [items.filter((item) => part.sets.some((set) => set.includes(item)))] }
    const groups = sql`select ${sql.join([...columns, ...merged.parts])} ${records} ${groupBySql(finest, keyOf)}`
    return sql`select ${sql.join([...columns, ...merged.values, ...mark])} from (${groups}) as ${sql.id(KEYS)}
      ${groupBySql(part, keyOf)}`
  })
  return sql`${sql.join(selects, sql` union all `)}`
}

const keyOf = ({ field }: Grouping): Sql<unknown> => sql.ref(`${KEYS}.${field.column!}`)

function keyColumn(item: Grouping, isKeyed: boolean, { sets }: SetPart): Sql<unknown> {
  if (sets.some((set) => set.includes(item))) return keyOf(item)
  // Null with the type of the key, because the parts are rows of one table.
  const none = isKeyed ? sql`(array_agg(${keyOf(item)}) filter (where false))[1]` : sql`null::integer`
  return sql`${none} as ${sql.id(item.field.column!)}`
}

const valueColumn = ({ field, value }: GroupMeasure): Sql<unknown> => sql`${value} as ${sql.id(field.column!)}`

interface MergedMeasures {
  /** Columns of the groups by all items, from which `values` are computed. */
  readonly parts: readonly Sql<unknown>[]
  /** The measures of the groups of a set. */
  readonly values: readonly Sql<unknown>[]
}

/** Null if one of the measures needs the records themselves. */
function mergedMeasures(measures: readonly GroupMeasure[]): MergedMeasures | null {
  const all = measures.flatMap(({ field, merged }) => (merged ? [{ column: field.column!, merged }] : []))
  if (all.length < measures.length) return null
  const nameOf = (column: string, index: number) => `${column}:${index}`
  return {
    parts: all.flatMap(({ column, merged }) =>
      merged.parts.map((part, index) => sql`${part} as ${sql.id(nameOf(column, index))}`),
    ),
    values: all.map(({ column, merged }) => {
      const kept = merged.parts.map((_, index) => sql.ref(`${KEYS}.${nameOf(column, index)}`))
      return sql`${merged.value(kept)} as ${sql.id(column)}`
    }),
  }
}
