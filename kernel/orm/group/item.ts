import type { Field, SelectedColumn } from '../../model/fields/field.ts'
import type { Sql } from '../../sql/sql.ts'
import type { SortKey } from '../statement/order.ts'
import type { TableScope } from '../statement/scope.ts'
import type { Bucket } from './bucket.ts'
import type { PathTarget } from './sources.ts'

/** One item of a grouping. `groups` is the scope of the group rows, see `group-row.ts`. */
export interface Grouping {
  /** Its value as a field of the group rows; `name` is the item as given, `column` the alias of `key`. */
  readonly field: Field
  /** What the statement groups by. */
  readonly key: Sql<unknown>
  /** A table the group rows are joined with, null for none. */
  readonly join: ((groups: TableScope) => Sql<unknown>) | null
  /** What `answer` needs of a group row. */
  select(groups: TableScope): readonly SelectedColumn[]
  answer(row: Readonly<Record<string, unknown>>): GroupAnswer
  /** The group's own order; unset comes last, going up. */
  sort(groups: TableScope, descending: boolean): readonly SortKey[]
}

export interface GroupAnswer {
  readonly value: unknown
  /** Conditions, AND-ed. */
  readonly domain: readonly unknown[]
  readonly range?: Bucket['range']
}

/** An item as parsed. */
export interface AskedItem {
  /** As given. */
  readonly name: string
  readonly path: string
  readonly target: PathTarget
  /** Names of its own in the statement: of the key, and of a table. */
  readonly column: string
  readonly alias: string
}

/** The item's value as a field of the group rows. */
export const rowField = ({ target, name, column }: AskedItem, changes: Partial<Field> = {}): Field => ({
  ...target.field,
  name,
  column,
  ...changes,
})

/** The group without a value; on a longer path that includes records where a step before the last is unset. */
export const unsetGroup = (path: string): GroupAnswer => ({
  value: null,
  domain: path.includes('.') ? ['!', [path, '!=', null]] : [[path, '=', null]],
})
