import type { DomainNode } from '../domain/ast.ts'
import type { Field } from '../model/fields/field.ts'

/** A model, and a field of it, that a query touches; `field` null: its records as such. */
export interface Use {
  readonly model: string
  readonly field: Field | null
}

/** Every model and field a domain touches, at every hop. */
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
