import type { FieldDef, Measure } from '../model/fields/field.ts'
import type { Domain, FieldName, ModelName, Models, Path, ReadValue, SystemFields, TargetOf } from '../model/models.ts'
import type { Granularity } from '../orm/group/bucket.ts'

export type { Granularity }

/** A path over many2one steps; a date may name the period to group by (default: month). */
export type GroupItem<M extends ModelName> = Path<M> | `${Path<M>}:${Granularity}`

export interface MeasureSpec<M extends ModelName> {
  /** Name in the row. */
  readonly name: string
  readonly field: Path<M>
  readonly measure: Measure
}

export interface GroupSpec<M extends ModelName, G extends GroupItem<M>, S extends readonly MeasureSpec<M>[]> {
  readonly domain?: Domain<M>
  readonly groupby: readonly G[]
  readonly fields?: S
}

type AllFields<M extends ModelName> = Models[M] & Omit<SystemFields, keyof Models[M]>

/** The key of a group by a relation is one linked record, also for x2many fields. */
type FieldKey<M extends ModelName, F extends FieldName<M>> =
  AllFields<M>[F] extends FieldDef<infer R, infer _W, infer _T, infer A>
    ? A extends 'one' | 'many'
      ? [number, string | null] | null
      : R | null
    : never

type PathKey<M extends ModelName, P extends string> =
  P extends FieldName<M>
    ? FieldKey<M, P>
    : P extends `${infer F}.${infer Rest}`
      ? TargetOf<M, F> extends infer T extends ModelName
        ? PathKey<T, Rest>
        : never
      : never

/** Value of a group: a date group is the first day of its period. */
type GroupKey<M extends ModelName, G extends string> = G extends `${infer P}:${string}` ? PathKey<M, P> : PathKey<M, G>

type PathValue<M extends ModelName, P extends string> = P extends FieldName<M> ? ReadValue<M, P> : PathKey<M, P>

/** A count is never null; other measures are null for a group without values. */
type MeasureValue<M extends ModelName, S extends MeasureSpec<M>> = S['measure'] extends 'count' | 'count_distinct'
  ? number
  : S['measure'] extends 'min' | 'max'
    ? PathValue<M, S['field']> | null
    : number | null

/** One group: its keys under the items as given, its measures under their names. */
export type GroupRow<M extends ModelName, G extends GroupItem<M>, S extends readonly MeasureSpec<M>[]> = {
  readonly [K in G]: GroupKey<M, K>
} & {
  readonly [K in S[number] as K['name']]: MeasureValue<M, K>
} & {
  readonly __count: number
  /** AND-ed to the domain of the request, it selects exactly the records of the group. */
  readonly __domain: readonly unknown[]
  /** Bounds of date groups, by item: from inclusive, to exclusive. */
  readonly __range?: Readonly<Partial<Record<G, { readonly from: string; readonly to: string }>>>
}
