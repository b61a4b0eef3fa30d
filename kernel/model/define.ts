import type { AnyFieldDef } from './fields/field.ts'
import type { ModelName } from './models.ts'

export type FieldDefs = Readonly<Record<string, AnyFieldDef>>

/** A constraint that PostgreSQL enforces, with the message for the user. */
export type SqlConstraint =
  | {
      readonly unique: readonly string[]
      /** Unset values are equal, so that only one record may have none; by default any number may. */
      readonly isNullEqual?: boolean
      /** The field that the error names; default: the last of the columns. */
      readonly field?: string
      readonly message: string
    }
  | { readonly check: string; readonly fields?: readonly string[]; readonly message: string }

/** Constraints by name; PostgreSQL knows them by the table's name and this one. */
export type SqlConstraints = Readonly<Record<string, SqlConstraint>>

/** Records that other users take over when their user leaves. */
export interface HandOver {
  /** What they are called, such as 'Open tasks'. */
  readonly label: string
  /** Which of the records of the user; default all. */
  readonly domain?: readonly unknown[]
}

/** The fields of a row that name a record: its model, and its id. */
export interface RecordFields {
  readonly model: string
  readonly id: string
}

export interface ModelOptions<F extends FieldDefs = FieldDefs> {
  readonly label: string
  readonly fields: F
  /** Field names, each with an optional ` desc`; `id` is always appended. Default: `id`. */
  readonly order?: string
  /** Stored fields whose values make the display name. Default: `name`, else `model,id`. */
  readonly displayName?: string | readonly string[]
  /** Fields a typeahead or the palette searches. Default: the display name. */
  readonly searchFields?: readonly string[]
  /**
   * Fields that tell its records apart beside their name, such as the customer, the stage and the amount: the palette shows
   * them, and fields where one is chosen. If the first links to a record, the name of that record finds this one, too.
   */
  readonly aboutFields?: readonly string[]
  /** The many2one to the same model that defines a hierarchy. Default: `parent_id` when there is one. */
  readonly parentField?: string
  readonly constraints?: SqlConstraints
  readonly mixins?: readonly MixinDef[]
  /** Records of the target that a grouping shows even when empty. */
  readonly expandGroups?: boolean
  /** Which methods RPC serves for this model; default all. */
  readonly rpc?: 'all' | 'read' | 'none'
  /** Users can post messages on its records. Always true for a model with a tracked field. */
  readonly chatter?: boolean
  /** Posting a message requires only read access to the record; by default it requires write access. */
  readonly chatterOnRead?: boolean
  /** The rows belong to the record that these fields name: a user who may not read that record, or its model, does not see them. */
  readonly threadOf?: RecordFields
  /**
   * Records that other users take over when a user leaves, by the field that links to the user. Default: every record by `user_id`; with an
   * empty table all records stay with their user.
   */
  readonly handOver?: Readonly<Record<string, HandOver>>
}

export interface ModelDef<Name extends string = string, F extends FieldDefs = FieldDefs> extends ModelOptions<F> {
  readonly kind: 'model'
  readonly name: Name
}

export interface MixinDef<F extends FieldDefs = FieldDefs> {
  readonly kind: 'mixin'
  readonly name: string
  readonly fields: F
  readonly constraints: SqlConstraints
}

export interface ExtensionDef<Name extends string = string, F extends FieldDefs = FieldDefs> {
  readonly kind: 'extension'
  readonly name: Name
  readonly fields: F
  /** More keys for selection fields of the extended model. */
  readonly selections?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly constraints?: SqlConstraints
  readonly mixins?: readonly MixinDef[]
  readonly chatter?: boolean
  readonly chatterOnRead?: boolean
}

type UnionToIntersection<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : never

type MixinFields<D> = D extends { readonly mixins: readonly (infer X)[] }
  ? X extends MixinDef<infer F>
    ? UnionToIntersection<F>
    : unknown
  : unknown

/** The field types of a definition, for `interface SaleOrder extends FieldsOf<typeof saleOrder> {}`. */
export type FieldsOf<D extends { readonly fields: FieldDefs }> = D['fields'] & MixinFields<D>

/** Declares a model. Behaviour is a separate value, see `behavior`. */
export function defineModel<const Name extends string, const O extends ModelOptions>(
  name: Name,
  options: O,
): O & { readonly kind: 'model'; readonly name: Name } {
  return Object.freeze({ ...options, kind: 'model' as const, name })
}

/** Fields that several models share, with the constraints on them; a model takes them with `mixins: [thread]`. */
export function defineMixin<const F extends FieldDefs>(
  name: string,
  fields: F,
  constraints: SqlConstraints = {},
): MixinDef<F> {
  return Object.freeze({ kind: 'mixin' as const, name, fields, constraints })
}

/** Extends a model of another addon. */
export function extendModel<const Name extends ModelName, const O extends Omit<ExtensionDef, 'kind' | 'name'>>(
  name: Name,
  options: O,
): O & { readonly kind: 'extension'; readonly name: Name } {
  return Object.freeze({ ...options, kind: 'extension' as const, name })
}
