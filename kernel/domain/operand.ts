import { LIMITS } from '../limits.ts'
import { isStorable } from '../model/fields/text.ts'
import type { DatePart, Scalar } from '../model/models.ts'
import {
  type Comparison,
  type DomainNode,
  type Inequality,
  isInequality,
  isPattern,
  type PatternOperator,
} from './ast.ts'
import { type Leaf, refuseOperator, refuseValue, requireFewValues } from './parsing.ts'

/** Parses one value of a condition; `index` is its position in a list. Null means unset. */
export type ReadOperand = (leaf: Leaf, value: unknown, index?: number) => Scalar

export const compare = (
  { model, field }: Leaf,
  operator: '=' | Inequality | PatternOperator,
  value: Scalar,
  part: DatePart | null = null,
): Comparison => ({ kind: 'compare', model: model.name, field, part, operator, value })

export const isOneOf = (
  { model, field }: Leaf,
  value: readonly Scalar[],
  part: DatePart | null = null,
): Comparison => ({
  kind: 'compare',
  model: model.name,
  field,
  part,
  operator: 'in',
  value,
})

/** A condition that matches no record but still names the field, for the access check. */
export const nothing = (leaf: Leaf): DomainNode => isOneOf(leaf, [])

export const unsupported = (leaf: Leaf): never =>
  refuseOperator(leaf, `"${leaf.operator}" does not apply to "${leaf.field.name}"`)

export function readList(leaf: Leaf): readonly unknown[] {
  if (!Array.isArray(leaf.value)) return refuseValue(leaf, 'expected a list')
  requireFewValues(leaf, leaf.value.length)
  return leaf.value
}

/** `= in < <= > >=` over plain values; an inequality with null matches nothing. */
export function parsePlain(leaf: Leaf, read: ReadOperand, part: DatePart | null = null): DomainNode {
  const { operator } = leaf
  if (operator === 'in') {
    const values = readList(leaf).map((value, index) => read(leaf, value, index))
    return isOneOf(leaf, values, part)
  }
  if (operator !== '=' && !isInequality(operator)) return unsupported(leaf)
  const value = read(leaf, leaf.value)
  return value === null && operator !== '=' ? nothing(leaf) : compare(leaf, operator, value, part)
}

const isText = ({ field }: Leaf) => ['text', 'many2one', 'x2many'].includes(field.type.comparison)

/** Whether a value means unset: null, empty text, and false for fields that are not boolean. */
export const isUnset = (leaf: Leaf, value: unknown = leaf.value): boolean =>
  value === null || (value === false && leaf.field.type.comparison !== 'boolean') || (value === '' && isText(leaf))

export function readTextOperand(leaf: Leaf, value: unknown, index?: number): string {
  if (typeof value !== 'string') return refuseValue(leaf, 'expected text', index)
  const longest = isPattern(leaf.operator) ? LIMITS.likeOperandChars : LIMITS.textChars
  if (value.length > longest) return refuseValue(leaf, `text of more than ${longest} characters`, index)
  if (!isStorable(value)) return refuseValue(leaf, 'text with characters that cannot be stored', index)
  return value
}

export function readInteger(leaf: Leaf, value: unknown, index?: number): number {
  if (!Number.isSafeInteger(value)) return refuseValue(leaf, 'expected a whole number', index)
  return value as number
}

function readNumber(leaf: Leaf, value: unknown, index?: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return refuseValue(leaf, 'expected a number', index)
  return value
}

export const orUnset =
  (read: ReadOperand): ReadOperand =>
  (leaf, value, index) =>
    isUnset(leaf, value) ? null : read(leaf, value, index)

export function parseTextCondition(leaf: Leaf): DomainNode {
  const { operator, value } = leaf
  if (!isPattern(operator)) return parsePlain(leaf, orUnset(readTextOperand))
  if (isUnset(leaf)) return matchEmptyPattern(leaf, operator)
  return compare(leaf, operator, readTextOperand(leaf, value))
}

/** Every set value contains the empty text; as a complete pattern (`=like`) it matches only unset values. */
function matchEmptyPattern(leaf: Leaf, operator: string): DomainNode {
  const unset = compare(leaf, '=', null)
  return operator.startsWith('=') ? unset : { kind: 'not', item: unset }
}

/** Integer columns are compared with whole numbers only. A number too large for the column is allowed and never matches. */
export const isWholeNumber = ({ field }: Pick<Leaf, 'field'>): boolean => field.sqlType === 'integer'

export const parseNumber = (leaf: Leaf): DomainNode =>
  parsePlain(leaf, orUnset(isWholeNumber(leaf) ? readInteger : readNumber))

/** A boolean is never unset, so a comparison with null matches no record. */
export function parseBoolean(leaf: Leaf): DomainNode {
  if (leaf.operator !== '=' && leaf.operator !== 'in') return unsupported(leaf)
  return parsePlain(leaf, (_, value, index) =>
    value === null || typeof value === 'boolean' ? value : refuseValue(leaf, 'expected true or false', index),
  )
}

/** Allows only the test whether the field is set. */
export function parseOpaque(leaf: Leaf): DomainNode {
  if (leaf.operator !== '=' && leaf.operator !== 'in') return unsupported(leaf)
  return parsePlain(leaf, (_, value, index) =>
    isUnset(leaf, value) ? null : refuseValue(leaf, `"${leaf.field.name}" can only be compared with null`, index),
  )
}
