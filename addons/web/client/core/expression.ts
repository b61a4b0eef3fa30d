import { isTrue, type Scope } from '../../../../kernel/expression/evaluate.ts'
import { type Expression, parseExpression } from '../../../../kernel/expression/parse.ts'

export type { Scope }

// The conditions of the views of one page, a few hundred at most.
const parsed = new Map<string, Expression | null>()

/** Whether a condition of the arch (`invisible`, `readonly`, `decoration-danger` …) holds. Absent or unreadable: it does not. */
export function holds(condition: string | undefined, scope: Scope): boolean {
  if (condition === undefined || condition === '') return false
  const expression = parse(condition)
  return expression !== null && isTrue(expression, scope)
}

function parse(condition: string): Expression | null {
  const known = parsed.get(condition)
  if (known !== undefined) return known
  let expression: Expression | null = null
  try {
    expression = parseExpression(condition)
  } catch {
    // The install checks conditions; an invalid one that got here otherwise is ignored.
  }
  parsed.set(condition, expression)
  return expression
}
