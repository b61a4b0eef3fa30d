import { ExpressionError, parseExpression } from '../../expression/parse.ts'
import { readExpressionTokens } from '../../expression/tokens.ts'

/**
 * A condition without one operand of its outermost `and` or `or`. Blanks and parentheses around the operand do not matter, so what an
 * earlier extension added is found again. A condition that has no such operand stays as it is.
 */
export function withoutOperand(condition: string, operand: string): string {
  if (condition.trim() === operand.trim()) return ''
  if (condition.trim() === '' || operand.trim() === '') return condition
  try {
    const meaning = meaningOf(operand)
    return meaningOf(condition) === meaning ? '' : (remove(condition, meaning) ?? condition)
  } catch (error) {
    // A condition that does not parse is reported when the view is checked.
    if (error instanceof ExpressionError) return condition
    throw error
  }
}

/** A text that is equal for conditions that differ only in blanks, parentheses and the spelling of operators. */
const meaningOf = (text: string): string => JSON.stringify(parseExpression(text))

function remove(condition: string, meaning: string): string | null {
  const { operator, operands } = splitOperands(condition)
  if (operator === null) return null
  const at = operands.findIndex((operand) => meaningOf(operand) === meaning)
  if (at >= 0) {
    const rest = operands.toSpliced(at, 1)
    return rest.length === 1 ? unwrap(rest[0]!) : rest.join(` ${operator} `)
  }
  // Every extension wraps the earlier condition: ((x) or (y)) or (z).
  for (const [index, operand] of operands.entries()) {
    if (splitOperands(operand).operator !== operator) continue
    const rest = remove(operand, meaning)
    if (rest !== null) return operands.with(index, `(${rest})`).join(` ${operator} `)
  }
  return null
}

const OPERATORS = [
  { operator: 'or', signs: ['or', '||'] },
  { operator: 'and', signs: ['and', '&&'] },
] as const

/** The operands of the outermost operator as they are written; the operator is null when there is none. */
function splitOperands(condition: string): { operator: 'and' | 'or' | null; operands: readonly string[] } {
  const text = unwrap(condition)
  const outermost = tokensWithDepth(text).filter(({ depth, kind }) => depth === 0 && kind !== 'text')
  for (const { operator, signs } of OPERATORS) {
    const found = outermost.filter((token) => signs.some((sign) => sign === token.text))
    if (found.length === 0) continue
    const starts = [0, ...found.map((token) => token.at + token.text.length)]
    const ends = [...found.map((token) => token.at), text.length]
    return { operator, operands: starts.map((start, index) => text.slice(start, ends[index]).trim()) }
  }
  return { operator: null, operands: [text] }
}

/** A text without parentheses around all of it. */
function unwrap(condition: string): string {
  const text = condition.trim()
  const tokens = tokensWithDepth(text)
  const last = tokens.at(-1)
  const isWrapped =
    tokens[0]?.kind === 'sign' &&
    tokens[0].text === '(' &&
    tokens
      .slice(0, -1)
      .every(({ depth, text: sign, kind }) => depth > 0 && !(depth === 1 && kind === 'sign' && sign === ','))
  return isWrapped && last !== undefined ? unwrap(text.slice(1, last.at)) : text
}

/** Tokens with how many brackets are open behind each. */
function tokensWithDepth(text: string) {
  let depth = 0
  return readExpressionTokens(text).map((token) => {
    if (token.kind === 'sign' && '(['.includes(token.text)) depth++
    else if (token.kind === 'sign' && ')]'.includes(token.text)) depth--
    return { ...token, depth }
  })
}
