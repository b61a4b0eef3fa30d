import type { Env } from '../../env.ts'
import { interpolate } from '../../i18n/translate.ts'
import type { ValueForm } from '../../sql/json-rows.ts'
import type { Sql } from '../../sql/sql.ts'

export type FieldTypeName =
  | 'char'
  | 'text'
  | 'html'
  | 'integer'
  | 'float'
  | 'monetary'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'selection'
  | 'many2one'
  | 'one2many'
  | 'many2many'
  | 'binary'
  | 'image'
  | 'json'
  | 'reference'

/** How a domain compares values of a field; `opaque` values can only be tested for being set. */
export type ComparisonKind = 'text' | 'number' | 'boolean' | 'date' | 'datetime' | 'many2one' | 'x2many' | 'opaque'

export type Measure = 'sum' | 'avg' | 'min' | 'max' | 'count' | 'count_distinct'

export type OnDelete = 'restrict' | 'cascade' | 'set null'

export type Relation =
  | { readonly kind: 'many2one'; readonly target: string; readonly ondelete: OnDelete }
  | { readonly kind: 'one2many'; readonly target: string; readonly inverse: string }
  | {
      readonly kind: 'many2many'
      readonly target: string
      readonly table: string
      readonly left: string
      readonly right: string
    }

/** Options every field type takes. */
export interface FieldOptions<Value = unknown> {
  readonly label?: string
  readonly help?: string
  readonly required?: boolean
  /** Refused as a value unless code says that it sets read-only fields, or runs under sudo. */
  readonly readonly?: boolean
  readonly default?: Value | ((env: Env) => Value | Promise<Value>)
  /** The default computed from the other stored values of a new record; undefined: `default` is used. */
  readonly defaultFrom?: (values: Readonly<Record<string, unknown>>) => Value | undefined
  readonly index?: boolean
  readonly unique?: boolean
  /** External ids of groups; a user needs one of them to read, search or write the field. */
  readonly groups?: string | readonly string[]
  /**
   * External ids of groups, for fields of `core.user`: others read the field on their own record only, and do not search, sort or
   * group by it.
   */
  readonly privateTo?: string | readonly string[]
  /** Holds values of records of any models: an API key that covers only some models cannot read it. */
  readonly holdsOthers?: boolean
  /** Changes of the value are logged in the record's chatter, for users who may read the field. */
  readonly tracking?: boolean
  /** Whether a duplicate gets the value; default true, false for one2many and computed fields. */
  readonly copy?: boolean
  /** `stored` keeps the result in a column, `read` runs on every read; the run itself is in a behaviour. */
  readonly compute?: 'stored' | 'read'
  /** Dotted path whose value this field shows. */
  readonly related?: string
  /** Write-only: never readable, searchable, sortable or groupable, not even by administrators. */
  readonly secret?: boolean
}

declare const phantom: unique symbol

/** A declared field. The type parameters exist for the type checker only: value read, value written, target, arity. */
export interface FieldDef<Read = unknown, Write = unknown, Target extends string = never, Arity = 'value'> {
  readonly type: FieldTypeName
  readonly options: FieldOptions & TypeOptions
  readonly [phantom]?: { readonly read: Read; readonly write: Write; readonly target: Target; readonly arity: Arity }
}

export type AnyFieldDef = FieldDef<unknown, unknown, string, unknown>

/** Options that only some field types have. */
export interface TypeOptions {
  readonly translate?: boolean
  readonly size?: number
  readonly sequence?: string
  readonly digits?: readonly [precision: number, scale: number]
  readonly currencyField?: string
  readonly selection?: Readonly<Record<string, string>>
  readonly target?: string
  readonly inverse?: string
  readonly ondelete?: OnDelete
  readonly domain?: readonly unknown[]
  readonly checkCompany?: boolean
  readonly relationTable?: { readonly table: string; readonly left: string; readonly right: string }
}

/** A field of a compiled model: the declaration with every option resolved. */
export interface Field {
  readonly name: string
  readonly model: string
  readonly addon: string
  readonly type: FieldType
  readonly label: string
  readonly help: string | null
  readonly required: boolean
  readonly readonly: boolean
  readonly index: boolean
  readonly unique: boolean
  readonly copy: boolean
  readonly tracking: boolean
  readonly secret: boolean
  /** Added by the kernel to every model; callers cannot write it. */
  readonly system: boolean
  readonly groups: readonly string[]
  readonly privateTo: readonly string[]
  readonly holdsOthers: boolean
  readonly size: number | null
  /** Code of the number sequence that fills it on creation. */
  readonly sequence: string | null
  readonly digits: readonly [number, number] | null
  readonly currencyField: string | null
  readonly selection: ReadonlyMap<string, string> | null
  readonly domain: readonly unknown[] | null
  readonly checkCompany: boolean
  readonly relation: Relation | null
  readonly default: FieldOptions['default']
  readonly defaultFrom: FieldOptions['defaultFrom']
  readonly compute: FieldCompute | null
  /** Path of a related field, split at the dots. */
  readonly related: readonly string[] | null
  /** Languages besides English in which the value may have a translation; each is a field of its own, `name@de`. */
  readonly languages: readonly string[]
  /** Name of the field whose translation this is; null: it is no translation. */
  readonly translationOf: string | null
  /** Column in the model's own table, null when the value lives elsewhere or is computed on read. */
  readonly column: string | null
  /** Type of that column. */
  readonly sqlType: string | null
}

export interface FieldCompute {
  readonly stored: boolean
  readonly needs: readonly string[]
  /** A result on read that takes records into account which the reader may not see. */
  readonly sudo: boolean
  readonly run: (env: Env, rows: readonly NeedRecord[]) => ComputeResult | Promise<ComputeResult>
  readonly inverse: ((env: Env, values: ReadonlyMap<number, unknown>) => void | Promise<void>) | null
  /** Rewrites a condition on this field into a domain over stored fields. */
  readonly search: ((env: Env, operator: string, value: unknown) => readonly unknown[]) | null
}

export type NeedRecord = { readonly id: number } & Readonly<Record<string, unknown>>
export type ComputeResult = ReadonlyMap<number, unknown>

/**
 * The implementation of a field type. The ORM, the schema and the query compiler use this interface instead of branching on
 * the type; a new type is one file in `fields/`.
 */
export interface FieldType {
  readonly name: FieldTypeName
  readonly comparison: ComparisonKind
  /** Type of the column, null when the value lives in other rows. */
  readonly sqlType: (field: TypeOptions) => string | null
  /** Wire value to stored value; throws `Refusal` with one sentence. Never called with null. */
  readonly parse: (value: unknown, field: Field) => unknown
  /** Type a stored value is bound as; null: the column's own. */
  readonly bindType: string | null
  /** Turns the bound value into the column's value. */
  readonly bind: (value: Sql<unknown>, field: Field) => Sql<unknown>
  /** The expressions a read selects, by alias; the first alias is the field's name. */
  readonly select: (field: Field, from: ReadSource) => readonly SelectedColumn[]
  /** How the value on the wire is made of the selected columns. */
  readonly form: ValueForm
  readonly sortable: boolean
  readonly groupable: boolean
  readonly measures: readonly Measure[]
  /** What a read selects instead of the value if the request does not name the field; for large values. */
  readonly summary: FieldType['select'] | null
  readonly widget: string
  /** JSON Schema of the wire value, for the OpenAPI document. */
  readonly schema: (field: Field) => Readonly<Record<string, unknown>>
}

export interface SelectedColumn {
  readonly alias: string
  readonly expression: Sql<unknown>
}

/** The expressions that a field type can select from; those on other models include their record rules. */
export interface ReadSource {
  /** A column of the row being read. */
  column(name: string): Sql<unknown>
  /** Display name of the row itself. */
  ownDisplayName(): Sql<unknown>
  /** Display name of the target record a column points at; null when the caller may not read it. */
  displayName(relation: Relation, column: string): Sql<unknown>
  /** Ids of the readable records on the other side, as an integer array; of a one2many in the target's default order. */
  linkedIds(relation: Relation): Sql<unknown>
}

/**
 * Thrown by `FieldType.parse`: one sentence for the user who sent the value; `{name}` in it is replaced by one of `values`.
 */
export class Refusal extends Error {
  readonly sentence: string
  readonly values: Readonly<Record<string, string | number>>
  constructor(sentence: string, values: Readonly<Record<string, string | number>> = {}) {
    super(interpolate(sentence, values))
    this.sentence = sentence
    this.values = values
  }
}

/** `T`, or `T | null` unless the options say `required: true`. */
export type Optional<O, T> = O extends { readonly required: true } ? T : T | null

/** The type of a read value: with `privateTo` it may be null, since only the user and these groups get the value. */
export type Readable<O, T> = O extends { readonly privateTo: string | readonly string[] } ? T | null : Optional<O, T>

const MAX_ID = 2_147_483_647

/** Whether a wire value can be the id of a record at all. */
export const isRecordId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= MAX_ID
