import { and, type Comparison, type DomainNode, FALSE, not, or, TRUE, valuesOf } from './ast.ts'

/**
 * An equivalent, cheaper condition: constants are folded, and several `=` and `in` on one field are merged. Only for checked
 * domains, since conditions may be removed. `any` with a true condition is kept, because it requires a linked record.
 */
export function optimize(node: DomainNode): DomainNode {
  switch (node.kind) {
    case 'constant':
      return node
    case 'rewritten':
      return optimize(node.item)
    case 'not':
      return negate(optimize(node.item))
    case 'and':
      return negate(alternatives(node.items.map((item) => negate(optimize(item)))))
    case 'or':
      return alternatives(node.items.map(optimize))
    case 'compare':
      return node.operator === 'in' && node.value.length === 0 ? FALSE : node
    case 'any': {
      const where = optimize(node.where)
      return isConstant(where, false) ? FALSE : { ...node, where }
    }
    case 'hierarchy': {
      const start = optimize(node.start)
      return isConstant(start, false) ? FALSE : { ...node, start }
    }
  }
}

const isConstant = (node: DomainNode, value: boolean) => node.kind === 'constant' && node.value === value

function negate(node: DomainNode): DomainNode {
  if (node.kind === 'constant') return node.value ? FALSE : TRUE
  if (node.kind === 'and') return or(node.items.map(negate))
  if (node.kind === 'or') return and(node.items.map(negate))
  return not(node)
}

function alternatives(items: readonly DomainNode[]): DomainNode {
  const flat = items.flatMap((item) => (item.kind === 'or' ? item.items : [item]))
  if (flat.some((item) => isConstant(item, true))) return TRUE
  return or(mergeEqualities(flat.filter((item) => !isConstant(item, false))))
}

/** `a = 1 or a in (2, 3)` → `a in (1, 2, 3)`, at the position of the first. */
function mergeEqualities(items: readonly DomainNode[]): readonly DomainNode[] {
  const merged = new Map<string | DomainNode, DomainNode>()
  for (const item of items) {
    const key = item.kind === 'compare' && isEquality(item) ? `${item.field.name}.${item.part ?? ''}` : item
    const earlier = merged.get(key)
    merged.set(key, earlier === undefined ? item : merge(earlier as Comparison, item as Comparison))
  }
  return [...merged.values()]
}

const isEquality = ({ operator }: Comparison) => operator === '=' || operator === 'in'

const merge = (a: Comparison, b: Comparison): Comparison => ({
  ...a,
  operator: 'in',
  value: [...new Set([...valuesOf(a), ...valuesOf(b)])],
})
