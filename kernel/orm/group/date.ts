import { createZone } from '../../domain/zone.ts'
import { badRequest } from '../../errors.ts'
import { FIELD_TYPES } from '../../model/field-types.ts'
import { sql } from '../../sql/sql.ts'
import { sortKeys } from '../statement/order.ts'
import { columnOf } from '../statement/scope.ts'
import { bucketDomain, dayBucket, instantBucket, isGranularity, truncateSql } from './bucket.ts'
import { type Grouping, type ParsedItem, rowField, unsetGroup } from './item.ts'
import { rowKey } from './row.ts'

/** Groups dates and datetimes by calendar period; datetimes in the caller's time zone. */
export function dateItem(parsed: ParsedItem, granularity: string, weekStart: number): Grouping {
  const { path, column, target } = parsed
  const { env } = target.scope
  const isInstant = target.field.type.comparison === 'datetime'
  if (!isGranularity(granularity) || (granularity === 'hour' && !isInstant)) {
    throw badRequest('group_invalid', `${path} cannot be grouped by ${granularity.slice(0, 80)}.`)
  }
  const stored = columnOf(target.scope, target.field.column!)
  const local = isInstant ? sql`(${stored} at time zone ${env.tz})` : sql`${stored}::timestamp`
  const zone = createZone(env.tz)
  // An hour cannot be compared with one instant, so `having` can only test whether it is set.
  const field = rowField(parsed, { type: FIELD_TYPES[granularity === 'hour' ? 'json' : 'date'] })
  return {
    field,
    key: truncateSql(local, granularity, weekStart),
    link: null,
    join: null,
    select: (groups) => [{ alias: column, expression: sql`extract(epoch from ${columnOf(groups, column)})` }],
    answer(row) {
      const seconds = row[column] ?? null
      if (seconds === null) return unsetGroup(path)
      const start = Number(seconds) * 1_000
      const bucket = isInstant ? instantBucket(start, granularity, zone) : dayBucket(start, granularity)
      return { value: bucket.key, domain: bucketDomain(path, bucket), range: bucket.range }
    },
    sort: (groups, descending) => sortKeys(groups, [{ field: rowKey(field.name), descending }]),
  }
}
