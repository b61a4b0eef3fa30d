import type { DomainNode } from '../domain/ast.ts'
import { isRelated, relatedSteps } from '../domain/relation.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model, Registry } from '../model/registry.ts'

/** A model that a query reads and a field of it; `field` is null when the query needs only the model's records. */
export interface FieldUse {
  readonly model: string
  readonly field: Field | null
}

/** A field, and what a related one shows: every field and model on its path. */
export function usesOfField(registry: Registry, model: Model, field: Field): readonly FieldUse[] {
  const own = { model: model.name, field }
  if (!isRelated(field)) return [own]
  const { steps, last } = relatedSteps(registry, model, field)
  return [own, ...[...steps, last].flatMap((step) => usesOfField(registry, step.model, step.field))]
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
