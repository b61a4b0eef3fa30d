import { LIMITS } from '../limits.ts'
import type { Model } from '../model/registry.ts'
import { and, type DomainNode, not, or } from './ast.ts'
import { parseCondition } from './condition.ts'
import { type DomainPosition, type ParseContext, type Parsed, type Parsing, refuseDomain } from './parsing.ts'
import { createZone, type Zone } from './zone.ts'

/** Wire form → AST. Anything that is not a domain over `model` is BAD_REQUEST naming the position. */
export function parseDomain(wire: unknown, model: Model, context: ParseContext): DomainNode {
  let zone: Zone | undefined
  const lazyZone = () => {
    zone ??= createZone(context.tz)
    return zone
  }
  const parsing: Parsing = { zone: lazyZone, used: { leaves: 0, days: 0 }, list: parseList, ...context }
  return parseList(parsing, wire, model, [], 0).node
}

/** Parses from right to left, so that the operands of a prefix operator come first and only `any` needs recursion. */
function parseList(parsing: Parsing, wire: unknown, model: Model, at: DomainPosition, hops: number): Parsed {
  if (!Array.isArray(wire)) return refuseDomain(at, 'expected a list of conditions')
  if (hops > LIMITS.domainDepth) return refuseDomain(at, TOO_DEEP, 'limit_exceeded')
  const operands: Parsed[] = []
  for (let i = wire.length - 1; i >= 0; i--) {
    const here = [...at, i]
    const token: unknown = wire[i]
    const parsed =
      token === '!' || token === '&' || token === '|'
        ? PREFIXES[token](() => operands.pop() ?? refuseDomain(here, `"${token}" lacks an operand`))
        : parseCondition(parsing, token, model, here, hops)
    if (parsed.depth > LIMITS.domainDepth) return refuseDomain(here, TOO_DEEP, 'limit_exceeded')
    operands.push(parsed)
  }
  const ordered = operands.reverse()
  return { node: and(ordered.map(({ node }) => node)), depth: Math.max(0, ...ordered.map(({ depth }) => depth)) }
}

const TOO_DEEP = `nested deeper than ${LIMITS.domainDepth} levels`

const PREFIXES: Readonly<Record<'!' | '&' | '|', (operand: () => Parsed) => Parsed>> = {
  '!': (operand) => {
    const { node, depth } = operand()
    return { node: not(node), depth: depth + 1 }
  },
  '&': (operand) => join('and', operand(), operand()),
  '|': (operand) => join('or', operand(), operand()),
}

/** A chain of one operator is one level, however many operands it has. */
function join(kind: 'and' | 'or', left: Parsed, right: Parsed): Parsed {
  const below = ({ node, depth }: Parsed) => (node.kind === kind ? depth - 1 : depth)
  const combine = kind === 'and' ? and : or
  return { node: combine([left.node, right.node]), depth: 1 + Math.max(below(left), below(right), 0) }
}
