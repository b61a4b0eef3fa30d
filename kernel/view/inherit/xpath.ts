/// <reference path="./xpath-package.d.ts" />
import xpath, { type LocationPath, type Step } from 'xpath'

/**
 * XPath 1.0 for extensions: location paths with the usual functions and `hasclass('a', 'b')`. The `xpath` package parses and evaluates;
 * here the parsed expression is checked, because a full engine takes minutes for some expressions of thirty characters.
 */
export interface ViewPath {
  readonly text: string
  /** Operations, functions, paths and literals: what evaluating the expression at one node costs at most. */
  readonly parts: number
  readonly parsed: ReturnType<typeof xpath.parse>
}

/** `steps` of one path, `deep` the `//` of the whole expression, `levels` of predicates in predicates. */
export const XPATH_LIMITS = { chars: 1_000, steps: 8, deep: 3, levels: 2, parts: 64 } as const

/** A sentence about an expression that is not accepted; names it. */
export class XPathError extends Error {}

export function parseXPath(text: string): ViewPath {
  const fail = (reason: string): never => {
    throw new XPathError(reason)
  }
  if (text.length > XPATH_LIMITS.chars) fail(`is longer than ${XPATH_LIMITS.chars} characters.`)
  const parsed = parse(text) ?? fail('is not an XPath expression.')
  const { kind, parts } = checkExpression(parsed.expression.expression, fail)
  if (kind !== 'nodes') fail('gives a value, not an element.')
  return { text, parts, parsed }
}

function parse(text: string): ReturnType<typeof xpath.parse> | null {
  // The package reads a text up to its first NUL.
  if (text.trim() === '' || text.includes('\0')) return null
  try {
    return xpath.parse(text)
  } catch {
    return null
  }
}

/** Without variables the type of every XPath expression is known before it is evaluated. */
type Kind = 'nodes' | 'value'

/** The package counts descendants among `following` and ancestors among `preceding`, so these two axes are not offered. */
const AXES: ReadonlySet<number> = new Set([
  xpath.Step.ANCESTOR,
  xpath.Step.ANCESTORORSELF,
  xpath.Step.ATTRIBUTE,
  xpath.Step.CHILD,
  xpath.Step.DESCENDANT,
  xpath.Step.DESCENDANTORSELF,
  xpath.Step.FOLLOWINGSIBLING,
  xpath.Step.PARENT,
  xpath.Step.PRECEDINGSIBLING,
  xpath.Step.SELF,
])

interface Signature {
  readonly least: number
  readonly most: number
  /** The argument is a set of nodes. */
  readonly takesNodes?: true
}

const FUNCTIONS: ReadonlyMap<string, Signature> = new Map<string, Signature>([
  ['last', { least: 0, most: 0 }],
  ['position', { least: 0, most: 0 }],
  ['count', { least: 1, most: 1, takesNodes: true }],
  ['name', { least: 0, most: 1, takesNodes: true }],
  ['local-name', { least: 0, most: 1, takesNodes: true }],
  ['hasclass', { least: 1, most: 16 }],
  ['string', { least: 0, most: 1 }],
  ['concat', { least: 2, most: 16 }],
  ['starts-with', { least: 2, most: 2 }],
  ['contains', { least: 2, most: 2 }],
  ['substring-before', { least: 2, most: 2 }],
  ['substring-after', { least: 2, most: 2 }],
  ['substring', { least: 2, most: 3 }],
  ['string-length', { least: 0, most: 1 }],
  ['normalize-space', { least: 0, most: 1 }],
  ['translate', { least: 3, most: 3 }],
  ['boolean', { least: 1, most: 1 }],
  ['not', { least: 1, most: 1 }],
  ['true', { least: 0, most: 0 }],
  ['false', { least: 0, most: 0 }],
  ['number', { least: 0, most: 1 }],
  ['sum', { least: 1, most: 1, takesNodes: true }],
  ['floor', { least: 1, most: 1 }],
  ['ceiling', { least: 1, most: 1 }],
  ['round', { least: 1, most: 1 }],
])

type Fail = (reason: string) => never

/** Walks the parsed expression once; fails at the first thing that is not offered or above a limit. */
function checkExpression(root: unknown, fail: Fail): { readonly kind: Kind; readonly parts: number } {
  let parts = 0
  let deep = 0

  const check = (part: unknown, level: number): Kind => {
    if (++parts > XPATH_LIMITS.parts) fail(`has more than ${XPATH_LIMITS.parts} parts.`)
    if (part instanceof xpath.XString || part instanceof xpath.XNumber) return 'value'
    if (part instanceof xpath.PathExpr) return checkPath(part, level)
    if (part instanceof xpath.FunctionCall) return checkCall(part, level)
    if (part instanceof xpath.BarOperation) {
      const isNodes = [part.lhs, part.rhs].map((operand) => check(operand, level) === 'nodes')
      return isNodes.every(Boolean) ? 'nodes' : fail('"|" joins paths only.')
    }
    if (isOperation(part)) {
      if (part.lhs !== undefined) check(part.lhs, level)
      check(part.rhs, level)
      return 'value'
    }
    return fail('has a variable, and there are none.')
  }

  const checkPath = (part: InstanceType<typeof xpath.PathExpr>, level: number): Kind => {
    const kind = part.filter === undefined ? 'nodes' : check(part.filter, level)
    const predicates = part.filterPredicates ?? []
    if (kind === 'value' && (predicates.length > 0 || part.locationPath !== undefined)) {
      fail('has a step or a predicate after a value.')
    }
    for (const predicate of predicates) checkPredicate(predicate, level)
    if (stepsOf(part) > XPATH_LIMITS.steps) fail(`has more than ${XPATH_LIMITS.steps} steps in a path.`)
    for (const step of part.locationPath?.steps ?? []) checkStep(step, level)
    return kind
  }

  const checkStep = ({ axis, nodeTest, predicates }: Step, level: number): void => {
    if (!AXES.has(axis)) fail(`has the axis ${xpath.Step.STEPNAMES[axis]}, which is not offered.`)
    if (nodeTest.prefix) fail('has a name with a prefix, and views have no namespaces.')
    if (isDeep(axis) && ++deep > XPATH_LIMITS.deep) fail(`has more than ${XPATH_LIMITS.deep} "//".`)
    for (const predicate of predicates) checkPredicate(predicate, level)
  }

  const checkPredicate = (predicate: unknown, level: number): void => {
    if (level >= XPATH_LIMITS.levels) fail(`has predicates nested deeper than ${XPATH_LIMITS.levels} levels.`)
    check(predicate, level + 1)
  }

  const checkCall = (call: InstanceType<typeof xpath.FunctionCall>, level: number): Kind => {
    const { functionName: name, arguments: values } = call
    const { least, most, takesNodes } = FUNCTIONS.get(name) ?? fail(`has the function ${name}, which is not offered.`)
    if (values.length < least || values.length > most) {
      fail(`${name}() takes ${least === most ? least : `${least} to ${most}`} arguments.`)
    }
    for (const value of values) {
      if (check(value, level) !== 'nodes' && takesNodes) fail(`${name}() takes a path.`)
    }
    return 'value'
  }

  return { kind: check(root, 0), parts }
}

/** An operator: the package has a class for each, with one or two operands. */
const isOperation = (part: unknown): part is { readonly lhs?: unknown; readonly rhs: unknown } =>
  typeof part === 'object' && part !== null && 'rhs' in part

const isDeep = (axis: number): boolean => axis === xpath.Step.DESCENDANT || axis === xpath.Step.DESCENDANTORSELF

/** As they are written: `//` belongs to the step behind it, and the steps of a path in parentheses count with those that follow. */
function stepsOf(part: unknown): number {
  if (!(part instanceof xpath.PathExpr)) return 0
  return stepsOf(part.filter) + writtenSteps(part.locationPath)
}

const writtenSteps = (path: LocationPath | undefined): number =>
  path?.steps.filter(({ axis, nodeTest, predicates }) => !isSlashSlash(axis, nodeTest, predicates)).length ?? 0

const isSlashSlash = (axis: number, nodeTest: object, predicates: readonly unknown[]): boolean =>
  axis === xpath.Step.DESCENDANTORSELF && predicates.length === 0 && String(nodeTest) === 'node()'
