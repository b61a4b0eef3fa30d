import type { DomainNode } from '../domain/ast.ts'
import type { Field } from '../model/fields/field.ts'

/** A model that a query reads and a field of it; `field` is null when the query needs only the model's records. */
export interface Use {
  readonly model: string
  readonly field: Field | null
}

/** Every model and field a domain reads, at every step of its paths. */
export function usesOfDomain(node: DomainNode): readonly Use[] {
  switch (node.kind) {
    case 'constant':
      return []
    case 'and':
    case 'or':
      return node.items.flatMap(usesOfDomain)
    case 'not':
      return usesOfDomain(node.item)
    case 'compare':
      return [{ model: node.model, field: node.field }]
    case 'any':
      return [
        { model: node.model, field: node.field },
        { model: node.target, field: null },
        ...usesOfDomain(node.where),
      ]
    case 'hierarchy':
      return [{ model: node.model, field: node.parentField }, ...usesOfDomain(node.start)]
    case 'rewritten':
      return [{ model: node.model, field: node.field }, ...usesOfDomain(node.item)]
  }
}
