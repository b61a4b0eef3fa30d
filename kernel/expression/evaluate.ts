import type { Comparator, Expression } from './parse.ts'

/** The values of names in a condition: wire values, `[id, label]` for a link, ids for lists of records. */
export interface Scope {
  readonly values: Readonly<Record<string, unknown>>
  /** The record whose form holds the line. */
  readonly parent?: Scope | undefined
  readonly uid: number
  /** The day, as `YYYY-MM-DD`, where the user is. */
  readonly today: string
}

/** Whether a condition holds. An unknown or hidden field counts as unset. */
export const isTrue = (expression: Expression, scope: Scope): boolean => isSet(evaluate(expression, scope))

export function evaluate(expression: Expression, scope: Scope): unknown {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'name':
      return lookUp(expression.path, scope)
    case 'list':
      return expression.items.map((item) => evaluate(item, scope))
    case 'not':
      return !isSet(evaluate(expression.item, scope))
    case 'minus':
      return calculate('-', 0, evaluate(expression.item, scope))
    case 'and':
      return isTrue(expression.left, scope) && isTrue(expression.right, scope)
    case 'or':
      return isTrue(expression.left, scope) || isTrue(expression.right, scope)
    case 'compare':
      return compare(expression.operator, evaluate(expression.left, scope), evaluate(expression.right, scope))
    case 'arithmetic':
      return calculate(expression.operator, evaluate(expression.left, scope), evaluate(expression.right, scope))
  }
}

function lookUp(path: readonly string[], scope: Scope): unknown {
  let at: Scope | undefined = scope
  for (let i = 0; i < path.length - 1; i++) at = at?.parent
  const name = path.at(-1)!
  if (path.length === 1 && name === 'uid') return scope.uid
  if (path.length === 1 && name === 'today') return scope.today
  return at !== undefined && Object.hasOwn(at.values, name) ? linkId(at.values[name]) : null
}

/** A link counts as the id it points to. */
const linkId = (value: unknown): unknown => (isLink(value) ? value[0] : (value ?? null))

const isLink = (value: unknown): value is readonly [number, string | null] =>
  Array.isArray(value) &&
  value.length === 2 &&
  typeof value[0] === 'number' &&
  (typeof value[1] === 'string' || value[1] === null)

/** False for null, false, empty text, zero and an empty list. */
const isSet = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value))

function compare(operator: Comparator, left: unknown, right: unknown): boolean {
  switch (operator) {
    case '==':
      return isEqual(left, right)
    case '!=':
      return !isEqual(left, right)
    case 'in':
      return isIn(left, right)
    case 'not in':
      return !isIn(left, right)
    default:
      return isOrdered(operator, left, right)
  }
}

/** Unset, false and empty text are the same: a field without a value equals each of them. */
const isEmpty = (value: unknown): boolean => value === null || value === false || value === ''

function isEqual(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isEqual(item, right[index]))
  }
  return left === right || (isEmpty(left) && isEmpty(right))
}

/** Whether a list has the item, or a text contains it. */
function isIn(item: unknown, container: unknown): boolean {
  if (Array.isArray(container)) return container.some((member) => isEqual(item, linkId(member)))
  return typeof container === 'string' && typeof item === 'string' && container.includes(item)
}

/** Numbers by size, text by code point, which orders days too; a day and a moment compare by their days. Unset never matches. */
function isOrdered(operator: '<' | '<=' | '>' | '>=', left: unknown, right: unknown): boolean {
  const sign = order(left, right)
  if (sign === null) return false
  return operator === '<' ? sign < 0 : operator === '<=' ? sign <= 0 : operator === '>' ? sign > 0 : sign >= 0
}

const DAY = /^\d{4}-\d\d-\d\d$/

function order(left: unknown, right: unknown): number | null {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left !== 'string' || typeof right !== 'string') return null
  const byDay = DAY.test(left) || DAY.test(right)
  const [a, b] = byDay ? [left.slice(0, 10), right.slice(0, 10)] : [left, right]
  return a < b ? -1 : a > b ? 1 : 0
}

function calculate(operator: '+' | '-' | '*', left: unknown, right: unknown): number | null {
  if (typeof left !== 'number' || typeof right !== 'number') return null
  return operator === '+' ? left + right : operator === '-' ? left - right : left * right
}
