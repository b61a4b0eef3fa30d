import { ExpressionError, type ExpressionToken, readExpressionTokens } from './tokens.ts'

export { ExpressionError } from './tokens.ts'

/**
 * Conditions of views, such as `state == 'draft' and not partner_id`: a small language over the values of a record, parsed once
 * and evaluated without running text as code. Python's words and JavaScript's signs mean the same.
 */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  /** A field, `parent.field`, `uid` or `today`. */
  | { readonly kind: 'name'; readonly path: readonly string[] }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'not' | 'minus'; readonly item: Expression }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'compare'; readonly operator: Comparator; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'arithmetic'
      readonly operator: '+' | '-' | '*'
      readonly left: Expression
      readonly right: Expression
    }

export type Comparator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in'

export const EXPRESSION_LIMITS = { chars: 4_000, tokens: 1_000, depth: 32 } as const

const COMPARATORS: ReadonlyMap<string, Comparator> = new Map([
  ['==', '=='],
  ['===', '=='],
  ['!=', '!='],
  ['!==', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
  ['in', 'in'],
])

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
  ['None', null],
  ['null', null],
])

export function parseExpression(text: string): Expression {
  if (text.length > EXPRESSION_LIMITS.chars)
    throw new ExpressionError(`Is longer than ${EXPRESSION_LIMITS.chars} characters.`)
  const tokens = readExpressionTokens(text)
  if (tokens.length > EXPRESSION_LIMITS.tokens) throw new ExpressionError('Has too many parts.')
  let at = 0
  let depth = 0

  const peek = (): string => {
    const token = tokens[at]
    return token === undefined || token.kind === 'text' ? '' : token.text
  }
  const fail = (expected: string): never => {
    const token = tokens[at]
    throw new ExpressionError(
      token === undefined ? `Ends where ${expected} is expected.` : `Character ${token.at + 1}: expected ${expected}.`,
    )
  }
  const accept = (...words: readonly string[]): boolean => {
    if (!words.includes(peek())) return false
    at++
    return true
  }
  const nested = <T>(read: () => T): T => {
    if (++depth > EXPRESSION_LIMITS.depth)
      throw new ExpressionError(`Is nested deeper than ${EXPRESSION_LIMITS.depth} levels.`)
    const result = read()
    depth--
    return result
  }

  const readOr = (): Expression => {
    let left = readAnd()
    while (accept('or', '||')) left = { kind: 'or', left, right: readAnd() }
    return left
  }
  const readAnd = (): Expression => {
    let left = readNot()
    while (accept('and', '&&')) left = { kind: 'and', left, right: readNot() }
    return left
  }
  const readNot = (): Expression =>
    accept('not', '!') ? nested(() => ({ kind: 'not', item: readNot() })) : readComparison()

  const readComparison = (): Expression => {
    const left = readSum()
    const operator = takeComparator()
    if (operator === null) return left
    const compared: Expression = { kind: 'compare', operator, left, right: readSum() }
    if (COMPARATORS.has(peek()) || peek() === 'not') fail('the end of a comparison')
    return compared
  }
  const takeComparator = (): Comparator | null => {
    if (accept('not')) return accept('in') ? 'not in' : fail('"in"')
    const operator = COMPARATORS.get(peek())
    if (operator === undefined) return null
    at++
    return operator
  }

  const readSum = (): Expression => {
    let left = readProduct()
    for (let sign = peek(); sign === '+' || sign === '-'; sign = peek()) {
      at++
      left = { kind: 'arithmetic', operator: sign, left, right: readProduct() }
    }
    return left
  }
  const readProduct = (): Expression => {
    let left = readUnary()
    while (accept('*')) left = { kind: 'arithmetic', operator: '*', left, right: readUnary() }
    return left
  }
  const readUnary = (): Expression => (accept('-') ? nested(() => ({ kind: 'minus', item: readUnary() })) : readValue())

  const readValue = (): Expression => {
    const token = tokens[at]
    if (token === undefined) return fail('a value')
    if (accept('(')) {
      return nested(() => {
        const inner = readOr()
        // A list may be written as a tuple.
        return peek() === ',' ? readItems(')', [inner]) : accept(')') ? inner : fail('")"')
      })
    }
    if (accept('[')) return nested(() => readItems(']', []))
    const value = valueOfToken(token)
    if (value === null) return fail('a value')
    at++
    return value
  }
  const readItems = (end: string, items: Expression[]): Expression => {
    if (items.length > 0) accept(',')
    while (!accept(end)) {
      items.push(readOr())
      if (!accept(',') && peek() !== end) fail(`"," or "${end}"`)
    }
    return { kind: 'list', items }
  }

  const expression = readOr()
  return at < tokens.length ? fail('"and", "or" or the end') : expression
}

function valueOfToken(token: ExpressionToken): Expression | null {
  if (token.kind === 'text') return { kind: 'literal', value: token.text }
  if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) }
  if (token.kind !== 'name' || RESERVED.has(token.text)) return null
  const constant = CONSTANTS.get(token.text)
  if (constant !== undefined) return { kind: 'literal', value: constant }
  const path = token.text.split('.')
  const isOfParent = path.slice(0, -1).every((step) => step === 'parent') && path.at(-1) !== 'parent'
  if (!isOfParent) {
    throw new ExpressionError(
      `Character ${token.at + 1}: only fields, parent.field, uid and today have values, not ${token.text}.`,
    )
  }
  return { kind: 'name', path }
}

const RESERVED: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in'])

/** Names that are always known and are no fields. */
const GIVEN: ReadonlySet<string> = new Set(['uid', 'today'])

/** The fields a condition refers to, each once; those of the surrounding record as `parent.field`. */
export function namesOf(expression: Expression): readonly string[] {
  const names = new Set<string>()
  const visit = (node: Expression): void => {
    switch (node.kind) {
      case 'literal':
        return
      case 'name':
        if (!GIVEN.has(node.path.join('.'))) names.add(node.path.join('.'))
        return
      case 'list':
        for (const item of node.items) visit(item)
        return
      case 'not':
      case 'minus':
        visit(node.item)
        return
      default:
        visit(node.left)
        visit(node.right)
    }
  }
  visit(expression)
  return [...names]
}
