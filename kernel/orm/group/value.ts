import type { Field } from '../../model/fields/field.ts'
import { wireValue } from '../../model/fields/wire.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { sortKeys } from '../statement/order.ts'
import { readSource } from '../statement/read-source.ts'
import { columnOf } from '../statement/scope.ts'
import { type Grouping, type ParsedItem, rowField, unsetGroup } from './item.ts'
import { rowKey } from './row.ts'
import type { PathTarget } from './sources.ts'

/** Groups by the value itself; a selection in the order of its keys. */
export function valueItem(parsed: ParsedItem): Grouping {
  const { path, column } = parsed
  const field = rowField(parsed)
  const selected: Field = { ...field, name: column }
  return {
    field,
    key: storedValue(parsed.target),
    link: null,
    join: null,
    select: (groups) => field.type.select(selected, readSource(groups)),
    answer(row) {
      const value = row[column] ?? null
      if (value === null) return unsetGroup(path)
      return { value: wireValue(row, selected), domain: [[path, '=', value]] }
    },
    sort(groups, descending) {
      const own = sortKeys(groups, [{ field: rowKey(field.name), descending }])
      if (field.selection === null) return own
      const keys = sql`${sql.val([...field.selection.keys()])}::text[]`
      return [{ expression: sql`array_position(${keys}, ${columnOf(groups, column)})`, descending }, ...own]
    },
  }
}

/** A related boolean is false where a step of its path is unset, because booleans are never unset. */
function storedValue({ scope, field, named }: PathTarget): Sql<unknown> {
  const value = columnOf(scope, field.column!)
  if (field.type.comparison !== 'boolean' || scope === named) return value
  return sql`case when ${columnOf(named, 'id')} is not null then coalesce(${value}, false) end`
}
