import type { DomainNode } from '../domain/ast.ts'
import type { Field } from '../model/fields/field.ts'

/** A model that a query reads and a field of it; `field` is null when the query needs only the model's records. */
export interface FieldUse {
  readonly model: string
  readonly field: Field | null
}

/** Every model and field a domain reads, at every step of its paths. */
export function collectFieldUses(node: DomainNode): readonly FieldUse[] {
  switch (node.kind) {
    case 'constant':
      return []
    case 'and':
    case 'or':
      return node.items.flatMap(collectFieldUses)
    case 'not':
      return collectFieldUses(node.item)
    case 'compare':
      return [{ model: node.model, field: node.field }]
    case 'any':
      return [
        { model: node.model, field: node.field },
        { model: node.target, field: null },
        ...collectFieldUses(node.where),
      ]
    case 'hierarchy':
      return [{ model: node.model, field: node.parentField }, ...collectFieldUses(node.start)]
    case 'rewritten':
      return [{ model: node.model, field: node.field }, ...collectFieldUses(node.item)]
  }
}
