import type { Field } from '../model/fields/field.ts'
import type { Scalar } from '../model/models.ts'
import {
  type AnyNode,
  type Comparison,
  type DomainNode,
  type HierarchyNode,
  type Inequality,
  isInequality,
  type Span,
} from './ast.ts'
import { compareCodePoints } from './code-points.ts'
import { datePart } from './date-part.ts'
import { fold } from './fold.ts'
import { isFolded, matchesPattern, patternOf } from './pattern.ts'
import type { Zone } from './zone.ts'

/** A record by field name, as read: a many2one as id or `[id, name]`, dates as text, unset as null or absent. */
export type RecordValues = Readonly<Record<string, unknown>>

/** Gives the evaluator related records and the record rules that apply to them. */
export interface RecordSource {
  /** Time zone for the parts of a datetime. */
  readonly zone: Zone
  /** The records a relation of `record` leads to. */
  linked(field: Field, record: RecordValues): readonly RecordValues[]
  /** Every record of a model; used by `parent_of` only. */
  records(model: string): Iterable<RecordValues>
  /** As in `CompileContext`. */
  rule?(model: string): DomainNode | null
}

/** Whether a record matches. Runs in memory, also in browsers, with the same result as the compiled SQL. */
export function evaluateDomain(node: DomainNode, record: RecordValues, source: RecordSource): boolean {
  switch (node.kind) {
    case 'constant':
      return node.value
    case 'and':
      return node.items.every((item) => evaluateDomain(item, record, source))
    case 'or':
      return node.items.some((item) => evaluateDomain(item, record, source))
    case 'not':
      return !evaluateDomain(node.item, record, source)
    case 'rewritten':
      return evaluateDomain(node.item, record, source)
    case 'compare':
      return evaluateComparison(node, record, source)
    case 'any':
      return evaluateAny(node, record, source)
    case 'hierarchy':
      return node.direction === 'child_of' ? isBelow(node, record, source) : isAbove(node, record, source)
  }
}

function evaluateComparison(node: Comparison, record: RecordValues, source: RecordSource): boolean {
  const { field, part } = node
  const stored = storedValue(field, record)
  const value = part === null || stored === null ? stored : datePart(part, String(stored), field, source.zone)
  if (node.operator === 'in') return node.value.includes(value)
  if (node.operator === '=') return node.value === value
  if (value === null || node.value === null) return false
  if (node.operator === 'within') return node.value.some((span) => isWithin(String(value), span))
  if (isInequality(node.operator)) return SIGNS[node.operator](order(value, node.value))
  const text = String(value)
  return matchesPattern(patternOf(node.operator, String(node.value)), isFolded(node.operator) ? fold(text) : text)
}

/** Canonical instants can be compared as text. */
const isWithin = (instant: string, { from, to }: Span) => instant >= from && (to === null || instant < to)

/** The value a comparison sees: an id for a many2one, false for a boolean that is not true, null for empty text. */
function storedValue(field: Field, record: RecordValues): Scalar {
  const value = record[field.name]
  if (field.type.comparison === 'boolean') return value === true
  if (field.type.comparison === 'opaque') return value === null || value === undefined ? null : true
  const single: unknown = Array.isArray(value) ? value[0] : value
  return typeof single === 'number' || (typeof single === 'string' && single !== '') ? single : null
}

const SIGNS: Readonly<Record<Inequality, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

const order = (a: Scalar, b: Scalar): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareCodePoints(String(a), String(b))

/** Inside a rule the rules of other models do not apply. */
function isVisible(model: string, record: RecordValues, source: RecordSource): boolean {
  const rule = source.rule?.(model) ?? null
  return rule === null || evaluateDomain(rule, record, { ...source, rule: () => null })
}

function evaluateAny({ field, target, where }: AnyNode, record: RecordValues, source: RecordSource): boolean {
  return source
    .linked(field, record)
    .some((linked) => isVisible(target, linked, source) && evaluateDomain(where, linked, source))
}

/** The record and its ancestors, as far as each is visible. */
function* climb({ model, parentField }: HierarchyNode, record: RecordValues, source: RecordSource) {
  const seen = new Set<unknown>()
  let next: RecordValues | undefined = record
  while (next !== undefined && !seen.has(next['id']) && isVisible(model, next, source)) {
    seen.add(next['id'])
    yield next
    next = source.linked(parentField, next)[0]
  }
}

function isBelow(node: HierarchyNode, record: RecordValues, source: RecordSource): boolean {
  for (const ancestor of climb(node, record, source)) if (evaluateDomain(node.start, ancestor, source)) return true
  return false
}

function isAbove(node: HierarchyNode, record: RecordValues, source: RecordSource): boolean {
  for (const start of source.records(node.model)) {
    if (!evaluateDomain(node.start, start, source)) continue
    for (const ancestor of climb(node, start, source)) if (ancestor['id'] === record['id']) return true
  }
  return false
}
