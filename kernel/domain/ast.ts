import type { Field } from '../model/field.ts'
import type { DatePart, Scalar } from '../model/models.ts'

/** A parsed domain: fields are resolved, values are of the field's kind, every dotted path has become `any`. */
export type DomainNode =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'and' | 'or'; readonly items: readonly DomainNode[] }
  | { readonly kind: 'not'; readonly item: DomainNode }
  | Comparison
  | AnyNode
  | HierarchyNode

export type CompareOperator =
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

/** A condition on a field of the record itself. `part` compares one part of a date. */
export interface Comparison {
  readonly kind: 'compare'
  readonly model: string
  readonly field: Field
  readonly part: DatePart | null
  readonly operator: CompareOperator
  readonly value: Scalar | readonly Scalar[]
}

/** Some linked record matches `where`. */
export interface AnyNode {
  readonly kind: 'any'
  readonly model: string
  readonly field: Field
  readonly target: string
  readonly where: DomainNode
}

/** The record (`field` null: itself) lies below or above one of the start records, which count as their own. */
export interface HierarchyNode {
  readonly kind: 'hierarchy'
  readonly direction: 'child_of' | 'parent_of'
  readonly model: string
  readonly field: Field | null
  /** The model whose tree is walked, and the many2one that makes it. */
  readonly target: string
  readonly parentField: Field
  readonly start: { readonly ids: readonly number[] } | { readonly where: DomainNode }
}

declare const checkedBrand: unique symbol

/** A query every model and field of which has been allowed for the acting user. Only `access/decide.ts` makes one. */
export type Checked<T> = T & { readonly [checkedBrand]: true }
