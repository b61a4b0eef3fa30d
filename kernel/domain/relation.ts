import type { Field } from '../model/fields/field.ts'
import type { Model, Registry } from '../model/registry.ts'
import type { DomainNode } from './ast.ts'
import { type Leaf, refusePath } from './parsing.ts'

/** Whether a field is related (shows the value at the end of a path) and not stored. */
export const isRelated = (field: Field): boolean => field.related !== null && field.column === null

export function targetOf(leaf: Leaf): Model {
  const { field, parsing } = leaf
  const target = field.relation === null ? undefined : parsing.registry.model(field.relation.target)
  return target ?? refusePath(leaf, `"${field.name}" leads to no known model`)
}

/** The condition that some record linked by `field` matches `where`; a related field is replaced by its path. */
export function hop(registry: Registry, model: Model, field: Field, where: DomainNode): DomainNode {
  if (!isRelated(field)) return { kind: 'any', model: model.name, field, target: field.relation!.target, where }
  const { steps, last } = relatedSteps(registry, model, field)
  const item = [...steps, last].reduceRight((inner, step) => hop(registry, step.model, step.field, inner), where)
  return { kind: 'rewritten', model: model.name, field, item }
}

export interface RelatedStep {
  readonly model: Model
  readonly field: Field
}

/** The relations a related field follows and the field it shows. The registry has checked that the path exists. */
export function relatedSteps(
  registry: Registry,
  start: Model,
  field: Field,
): { steps: RelatedStep[]; last: RelatedStep } {
  const steps: RelatedStep[] = []
  let model = start
  for (const name of field.related!) {
    const next = model.fields.get(name)!
    steps.push({ model, field: next })
    if (steps.length < field.related!.length) model = registry.model(next.relation!.target)!
  }
  return { last: steps.pop()!, steps }
}
