import { badRequest } from '../errors.ts'
import { LIMITS } from '../limits.ts'

/** Values by name; a function is called only when its value is used. */
export type Variables = ReadonlyMap<string, unknown>

/**
 * A wire domain with every variable in its values, written `{ var: 'user.id' }` or just as the text `'user.id'`, replaced by
 * its value. Inside a list, a variable that is a list is replaced by its items. Paths and operators are not changed.
 */
export const bindVariables = (domain: readonly unknown[], variables: Variables): readonly unknown[] =>
  bindList(domain, variables, 0)

function bindList(domain: readonly unknown[], variables: Variables, depth: number): readonly unknown[] {
  if (depth > LIMITS.domainDepth)
    throw badRequest('limit_exceeded', `Domain: nested deeper than ${LIMITS.domainDepth} levels.`)
  return domain.map((item) => (Array.isArray(item) ? bindCondition(item, variables, depth) : item))
}

function bindCondition(condition: readonly unknown[], variables: Variables, depth: number): readonly unknown[] {
  const [path, operator, value, ...rest] = condition
  const isDomain = (operator === 'any' || operator === 'not any') && Array.isArray(value)
  const bound = isDomain ? bindList(value, variables, depth + 1) : bindValue(value, variables)
  return condition.length < 3 ? condition : [path, operator, bound, ...rest]
}

function bindValue(value: unknown, variables: Variables): unknown {
  if (!Array.isArray(value)) return resolve(value, variables)
  return value.flatMap((item) => resolve(item, variables))
}

function resolve(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return variables.has(value) ? variableOf(variables, value) : value
  if (typeof value !== 'object' || value === null || !('var' in value)) return value
  if (typeof value.var !== 'string' || !variables.has(value.var)) {
    throw badRequest('domain_invalid', `Domain: unknown variable "${String(value.var).slice(0, 64)}".`)
  }
  return variableOf(variables, value.var)
}

export function variableOf(variables: Variables, name: string): unknown {
  const value = variables.get(name)
  return typeof value === 'function' ? value() : value
}
