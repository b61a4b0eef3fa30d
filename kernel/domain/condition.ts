import { LIMITS } from '../limits.ts'
import type { DatePart } from '../model/models.ts'
import type { Model } from '../model/registry.ts'
import { type DomainNode, not, TRUE, valuesOf } from './ast.ts'
import { parseDate, parseDatetime, parsePart, partOf } from './date-operand.ts'
import { isUnset, parseBoolean, parseNumber, parseOpaque, parseTextCondition } from './operand.ts'
import { type DomainPosition, type Leaf, type Parsed, type Parsing, refuseDomain, refusePath } from './parsing.ts'
import { hop, isRelated, relatedSteps, targetOf } from './relation.ts'
import { parseHierarchy, parseRelation } from './relation-operand.ts'
import { isSearched, parseSearch } from './search-operand.ts'

/** A negative operator is the exact complement of its positive one. */
const POSITIVE: ReadonlyMap<string, string> = new Map([
  ['!=', '='],
  ['not in', 'in'],
  ['not like', 'like'],
  ['not ilike', 'ilike'],
  ['not any', 'any'],
])

const OPERATORS: ReadonlySet<string> = new Set([
  ...['=', '=?', '<', '<=', '>', '>=', 'in', 'like', 'ilike', '=like', '=ilike', 'child_of', 'parent_of', 'any'],
  ...POSITIVE.keys(),
])

/** `[path, operator, value]` */
export function parseCondition(
  parsing: Parsing,
  wire: unknown,
  model: Model,
  at: DomainPosition,
  hops: number,
): Parsed {
  if (!Array.isArray(wire) || wire.length !== 3) {
    return refuseDomain(at, 'expected [path, operator, value] or one of "&", "|", "!"')
  }
  const [path, operator, value]: readonly unknown[] = wire
  if (typeof path !== 'string') return refuseDomain([...at, 0], 'the path must be text')
  if (typeof operator !== 'string' || !OPERATORS.has(operator)) return refuseDomain([...at, 1], 'unknown operator')
  parsing.used.leaves++
  if (parsing.used.leaves > LIMITS.domainLeaves)
    return refuseDomain(at, `more than ${LIMITS.domainLeaves} conditions`, 'limit_exceeded')
  const steps = path.split('.', LIMITS.domainDepth + 2)
  return followPath({ parsing, model, operator, value, at, hops }, steps)
}

/** `a.b op v` is `a any [b op v]`, so an unset `a` never matches, whatever the operator. */
function followPath(place: Omit<Leaf, 'field'>, [name = '', ...rest]: readonly string[]): Parsed {
  const { parsing, model, at, hops, operator, value } = place
  const field = model.fields.get(name)
  if (field === undefined)
    return refuseDomain([...at, 0], `${model.name} has no field "${name.slice(0, 64)}"`, 'field_unknown')
  parsing.named?.(model.name, field)
  const leaf: Leaf = { field, ...place }
  if (rest.length === 0) return parseField(leaf, null)
  const part = partOf(field, rest)
  if (part !== null) return parseField(leaf, part)
  if (field.relation === null) return refusePath(leaf, `"${name}" of ${model.name} has no "${rest[0]?.slice(0, 64)}"`)
  if (hops >= LIMITS.domainDepth) return refusePath(leaf, `more than ${LIMITS.domainDepth} steps`)
  if (isSearched(field)) {
    return parseSearch({ ...leaf, operator: 'any', value: [[rest.join('.'), operator, value]] }, null)
  }
  const inner = followPath({ ...place, model: targetOf(leaf), hops: hops + 1 }, rest)
  return { node: hop(parsing.registry, model, field, inner.node), depth: inner.depth + 1 }
}

/** A condition on the last field of a path. */
function parseField(leaf: Leaf, part: DatePart | null): Parsed {
  const { field, model, operator } = leaf
  if (isRelated(field)) return parseRelated(leaf, part)
  if (isSearched(field)) return parseSearch(leaf, part)
  const positive = POSITIVE.get(operator)
  if (positive !== undefined) {
    const { node, depth } = parseField({ ...leaf, operator: positive }, part)
    return { node: not(node), depth }
  }
  if (operator === '=?') {
    if (!isUnset(leaf)) return parseField({ ...leaf, operator: '=' }, part)
    return { node: { kind: 'rewritten', model: model.name, field, item: TRUE }, depth: 0 }
  }
  if (operator === 'any') return parseAny(leaf)
  if (operator === 'child_of' || operator === 'parent_of') return { node: parseHierarchy(leaf, operator), depth: 1 }
  return { node: part === null ? OPERANDS[field.type.comparison](leaf) : parsePart(leaf, part), depth: 0 }
}

const OPERANDS: Readonly<Record<Leaf['field']['type']['comparison'], (leaf: Leaf) => DomainNode>> = {
  text: parseTextCondition,
  number: parseNumber,
  boolean: parseBoolean,
  date: parseDate,
  datetime: parseDatetime,
  many2one: parseRelation,
  x2many: parseRelation,
  opaque: parseOpaque,
}

function parseAny(leaf: Leaf): Parsed {
  const { parsing, field, model, at, hops, value } = leaf
  if (field.relation === null) return refuseDomain([...at, 1], `"any" does not apply to "${field.name}"`)
  const inner = parsing.list(parsing, value, targetOf(leaf), [...at, 2], hops + 1)
  return { node: hop(parsing.registry, model, field, inner.node), depth: inner.depth + 1 }
}

/** A related field has the value at the end of its path; where a step is unset, it compares like null. */
function parseRelated(leaf: Leaf, part: DatePart | null): Parsed {
  const { parsing, field, model, hops } = leaf
  const { steps, last } = relatedSteps(parsing.registry, model, field)
  if (hops + steps.length > LIMITS.domainDepth) return refusePath(leaf, `more than ${LIMITS.domainDepth} steps`)
  const { node, depth } = parseField({ ...leaf, ...last, hops: hops + steps.length }, part)
  const along = (end: DomainNode) =>
    steps.reduceRight((where, step) => hop(parsing.registry, step.model, step.field, where), end)
  const item = matchesUnset(node) ? not(along(not(node))) : along(node)
  return { node: { kind: 'rewritten', model: model.name, field, item }, depth: depth + 1 }
}

/** Whether a condition is true for a record without any values. */
function matchesUnset(node: DomainNode): boolean {
  switch (node.kind) {
    case 'constant':
      return node.value
    case 'and':
      return node.items.every(matchesUnset)
    case 'or':
      return node.items.some(matchesUnset)
    case 'not':
      return !matchesUnset(node.item)
    case 'rewritten':
      return matchesUnset(node.item)
    case 'any':
    case 'hierarchy':
      return false
    case 'compare':
      return valuesOf(node).includes(node.field.type.comparison === 'boolean' ? false : null)
  }
}
