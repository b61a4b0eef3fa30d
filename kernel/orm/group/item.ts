import type { Field, SelectedColumn } from '../../model/fields/field.ts'
import type { Sql } from '../../sql/sql.ts'
import type { SortKey } from '../statement/order.ts'
import type { TableScope } from '../statement/scope.ts'
import type { Bucket } from './bucket.ts'
import type { PathTarget } from './sources.ts'

/** One item of `groupby`. `groups` is the scope of the group rows, see `row.ts`. */
export interface Grouping {
  /** Its value as a field of the group rows; `name` is the item as given, `column` the alias of `key`. */
  readonly field: Field
  /** What the statement groups by. */
  readonly key: Sql<unknown>
  /** Name of the joined many2many it needs, with which a record counts once per linked value; null for none. */
  readonly link: string | null
  /** A table the group rows are joined with, null for none. */
  readonly join: ((groups: TableScope) => Sql<unknown>) | null
  /** What `answer` needs of a group row. */
  select(groups: TableScope): readonly SelectedColumn[]
  answer(row: Readonly<Record<string, unknown>>): GroupAnswer
  /** The default order of the groups; ascending, unset comes last. */
  sort(groups: TableScope, descending: boolean): readonly SortKey[]
}

export interface GroupAnswer {
  readonly value: unknown
  /** Conditions, AND-ed. */
  readonly domain: readonly unknown[]
  readonly range?: Bucket['range']
}

/** An item after parsing, before the kind of its field decides how it is grouped. */
export interface ParsedItem {
  /** As given. */
  readonly name: string
  readonly path: string
  readonly target: PathTarget
  /** Aliases in the statement, unique to this item: of the key, and of a joined table. */
  readonly column: string
  readonly alias: string
}

/** The item's value as a field of the group rows. */
export const rowField = ({ target, name, column }: ParsedItem, changes: Partial<Field> = {}): Field => ({
  ...target.field,
  name,
  column,
  ...changes,
})

/** The group of unset values; on a path with several steps that includes records where an earlier step is unset. */
export const unsetGroup = (path: string): GroupAnswer => ({
  value: null,
  domain: path.includes('.') ? ['!', [path, '!=', null]] : [[path, '=', null]],
})
