import type { Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'

export interface ColumnSpec {
  readonly name: string
  /** Spelled as in PostgreSQL's catalogue, so that it can be compared. */
  readonly type: string
  readonly notNull: boolean
  /** SQL text of the column default; null: none. */
  readonly default: string | null
  readonly identity: boolean
  /** Null in link tables. */
  readonly field: Field | null
}

export interface ConstraintSpec {
  readonly name: string
  readonly kind: 'unique' | 'check' | 'foreign'
  readonly columns: readonly string[]
  /** SQL after `ADD CONSTRAINT <name>`. */
  readonly definition: string
  /** Table a foreign key points at. */
  readonly target: string | null
  /** The field and message of the error when it is violated. */
  readonly field: string | null
  readonly message: string | null
}

export interface IndexSpec {
  readonly name: string
  /** SQL after `CREATE INDEX <name> ON <table>`. */
  readonly definition: string
  /** Only a large table gets the index: reading through a small one costs less than maintaining the index. */
  readonly isOfLarge?: boolean
}

export interface TableSpec {
  readonly name: string
  /** `model sale.order` or `link sale.order.tag_ids`; kept as the table's comment. */
  readonly owner: string
  readonly columns: ReadonlyMap<string, ColumnSpec>
  readonly primaryKey: readonly string[]
  readonly constraints: ReadonlyMap<string, ConstraintSpec>
  readonly indexes: ReadonlyMap<string, IndexSpec>
}

export type SchemaSpec = ReadonlyMap<string, TableSpec>

/** Suffix of the indexes for columns of lists. They are planned only where the lists are known (`ListedFields`). */
export const SORT_SUFFIX = '_sort'

/** The fields of a model that users sort its lists by, the most important first. */
export type ListedFields = (model: Model) => readonly string[]

/** What the database offers beyond plain PostgreSQL. */
export interface SchemaFeatures {
  /** `pg_trgm` and `svc_fold` are available, so that contains-searches can use an index. */
  readonly trigrams: boolean
}

export const byName = <T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.name, item]))
