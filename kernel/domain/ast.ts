import type { Field } from '../model/fields/field.ts'
import type { DatePart, Scalar } from '../model/models.ts'

/**
 * A parsed domain: fields are resolved, values are of the field's kind, every dotted path has become `any`, and negative
 * operators have become `not`, which is equivalent in two-valued logic.
 */
export type DomainNode =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'and' | 'or'; readonly items: readonly DomainNode[] }
  | { readonly kind: 'not'; readonly item: DomainNode }
  | Comparison
  | AnyNode
  | HierarchyNode
  | RewrittenNode

/** A condition on a field of the record itself. `part` compares one part of a date. */
export type Comparison = OneOf | OneTo | Within

interface Compared {
  readonly kind: 'compare'
  readonly model: string
  readonly field: Field
  readonly part: DatePart | null
}

/** The list may hold null. */
interface OneOf extends Compared {
  readonly operator: 'in'
  readonly value: readonly Scalar[]
}

/** `=` may compare with null; the others never do. */
interface OneTo extends Compared {
  readonly operator: '=' | Inequality | PatternOperator
  readonly value: Scalar
}

/** An instant is in one of the spans: whole days in the caller's time zone. */
interface Within extends Compared {
  readonly operator: 'within'
  readonly value: readonly Span[]
}

/** From an instant up to, not including, another; null: to the end of time. */
export interface Span {
  readonly from: string
  readonly to: string | null
}

export type Inequality = '<' | '<=' | '>' | '>='
export type PatternOperator = 'like' | 'ilike' | '=like' | '=ilike'

const INEQUALITIES: ReadonlySet<string> = new Set<Inequality>(['<', '<=', '>', '>='])
const PATTERNS: ReadonlySet<string> = new Set<PatternOperator>(['like', 'ilike', '=like', '=ilike'])

export const isInequality = (operator: string): operator is Inequality => INEQUALITIES.has(operator)
export const isPattern = (operator: string): operator is PatternOperator => PATTERNS.has(operator)

/** Some linked record matches `where`. */
export interface AnyNode {
  readonly kind: 'any'
  readonly model: string
  readonly field: Field
  readonly target: string
  readonly where: DomainNode
}

/** The record matches `start`, or is a descendant (or ancestor) of one that does, by `parentField`. */
export interface HierarchyNode {
  readonly kind: 'hierarchy'
  readonly direction: 'child_of' | 'parent_of'
  readonly model: string
  readonly parentField: Field
  readonly start: DomainNode
}

/**
 * `item` is the equivalent condition on other fields, because `field` has no stored values. `field` is kept for the access
 * check.
 */
export interface RewrittenNode {
  readonly kind: 'rewritten'
  readonly model: string
  readonly field: Field
  readonly item: DomainNode
}

/** The single values a comparison names. */
export function valuesOf(node: Comparison): readonly Scalar[] {
  if (node.operator === 'within') return []
  return node.operator === 'in' ? node.value : [node.value]
}

declare const checkedBrand: unique symbol

/** A query whose models and fields the acting user may all use. Only `access/decide.ts` creates it. */
export type Checked<T> = T & { readonly [checkedBrand]: true }

export const TRUE: DomainNode = Object.freeze({ kind: 'constant', value: true })
export const FALSE: DomainNode = Object.freeze({ kind: 'constant', value: false })

/** Flattens nested groups of the same kind. No condition is removed here, because the access check must see every field. */
export const and = (items: readonly DomainNode[]): DomainNode => group('and', items)
export const or = (items: readonly DomainNode[]): DomainNode => group('or', items)
export const not = (item: DomainNode): DomainNode => (item.kind === 'not' ? item.item : { kind: 'not', item })

function group(kind: 'and' | 'or', parts: readonly DomainNode[]): DomainNode {
  const items = parts.flatMap((part) => (part.kind === kind ? part.items : [part]))
  if (items.length === 0) return kind === 'and' ? TRUE : FALSE
  return items.length === 1 ? items[0]! : { kind, items }
}

/** Whether the domain has a condition on the record's own field `name`; conditions on linked records do not count. */
export function mentionsField(node: DomainNode, name: string): boolean {
  switch (node.kind) {
    case 'constant':
    case 'hierarchy':
      return false
    case 'and':
    case 'or':
      return node.items.some((item) => mentionsField(item, name))
    case 'not':
      return mentionsField(node.item, name)
    case 'rewritten':
      return node.field.name === name || mentionsField(node.item, name)
    case 'compare':
    case 'any':
      return node.field.name === name
  }
}
