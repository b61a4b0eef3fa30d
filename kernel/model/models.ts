import type { FieldDef } from './fields/field.ts'

/**
 * Every model known to the type checker. Addons add theirs by declaration merging:
 * `declare module '#kernel' { interface Models { 'sale.order': SaleOrder } }`.
 */
export interface Models {}

export type ModelName = keyof Models & string

/** Fields the kernel gives to every model. */
export interface SystemFields {
  id: FieldDef<number, never>
  display_name: FieldDef<string, never>
  create_uid: FieldDef<[number, string | null] | null, never, 'core.user', 'one'>
  create_date: FieldDef<string, never>
  write_uid: FieldDef<[number, string | null] | null, never, 'core.user', 'one'>
  write_date: FieldDef<string, never>
  version: FieldDef<number, never>
}

type AllFields<M extends ModelName> = Models[M] & Omit<SystemFields, keyof Models[M]>

export type FieldName<M extends ModelName> = keyof AllFields<M> & string

/** The model a relational field points at; `never` for the others. */
export type TargetOf<M extends ModelName, F> = F extends keyof AllFields<M>
  ? AllFields<M>[F] extends FieldDef<infer _R, infer _W, infer T, infer _A>
    ? Extract<T, ModelName>
    : never
  : never

type RelationName<M extends ModelName> = { [F in FieldName<M>]: TargetOf<M, F> extends never ? never : F }[FieldName<M>]

/** Dotted paths of up to three steps; deeper conditions nest with `any`. */
export type Path<M extends ModelName> = FieldName<M> | `${string & DottedPath<M>}`

type DottedPath<M extends ModelName> = {
  [F in RelationName<M>]: `${F}.${FieldName<TargetOf<M, F>> | TwoSteps<TargetOf<M, F>>}`
}[RelationName<M>]

type TwoSteps<M extends ModelName> = {
  [F in RelationName<M>]: `${F}.${FieldName<TargetOf<M, F>>}`
}[RelationName<M>]

/** What a read gives for one field. */
export type ReadValue<M extends ModelName, F> = F extends keyof AllFields<M>
  ? AllFields<M>[F] extends FieldDef<infer R, infer _W, infer _T, infer _A>
    ? R
    : never
  : never

/** What a create or write takes for one field. */
export type WriteValue<M extends ModelName, F> = F extends keyof Models[M]
  ? Models[M][F] extends FieldDef<infer _R, infer W, infer _T, infer _A>
    ? W
    : never
  : never

/** A record as read: exactly the named fields plus `id`. */
export type Row<M extends ModelName, F extends FieldName<M> = FieldName<M>> = { id: number } & {
  [K in F]: ReadValue<M, K>
}

export type Values<M extends ModelName> = { [F in keyof Models[M] & string]?: WriteValue<M, F> }

type Head<P extends string> = P extends `${infer H}.${string}` ? H : P
type Tail<P extends string, H extends string> = P extends `${H}.${infer T}` ? T : never

/**
 * The value of one field as behaviour code sees it: ids instead of pairs where no step follows. A required field always has its value,
 * whatever the user may read.
 */
type NeedValue<M extends ModelName, F extends string> = F extends keyof AllFields<M>
  ? AllFields<M>[F] extends FieldDef<infer R, infer W, infer _T, infer A>
    ? A extends 'one'
      ? number | null
      : A extends 'many'
        ? number[]
        : null extends W
          ? R
          : Exclude<R, null>
    : never
  : never

type NeedTarget<M extends ModelName, F extends string, T extends string> =
  AllFields<M> extends Record<F, FieldDef<infer _R, infer _W, infer _X, infer A>>
    ? A extends 'many'
      ? NeedRow<TargetOf<M, F>, T>[]
      : NeedRow<TargetOf<M, F>, T> | null
    : never

/** The shape a list of `needs` paths loads: `['line_ids.subtotal']` gives `{ id, line_ids: { id, subtotal }[] }`. */
export type NeedRow<M extends ModelName, N extends string> = { id: number } & {
  [H in Head<N>]: Tail<N, H> extends never ? NeedValue<M, H> : NeedTarget<M, H, Tail<N, H>>
}

/** Stored value of a field, as a compute returns it. */
export type StoredValue<M extends ModelName, F extends string> = NeedValue<M, F> | null

export type Operator =
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'in'
  | 'not in'
  | 'like'
  | 'not like'
  | 'ilike'
  | 'not ilike'
  | '=like'
  | '=ilike'
  | '=?'
  | 'child_of'
  | 'parent_of'

export type DatePart = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'weekday' | 'hour'

export type Scalar = string | number | boolean | null

/** A domain over one model (see "Domains are two-valued" in kernel/README.md). Wrong field names do not type-check. */
export type Domain<M extends ModelName> = readonly (
  | '&'
  | '|'
  | '!'
  | readonly [Path<M> | DatePartPath<M>, Operator, Scalar | readonly Scalar[]]
  | AnyCondition<M>
)[]

/** A part of a date at most one step away: every further step would multiply what the compiler has to list. */
type DatePartPath<M extends ModelName> = `${FieldName<M> | TwoSteps<M>}.${DatePart}`

type AnyCondition<M extends ModelName> = {
  [F in RelationName<M>]: readonly [F, 'any' | 'not any', Domain<TargetOf<M, F>>]
}[RelationName<M>]
