import type { Field } from '../../model/fields/field.ts'
import type { Model, Registry } from '../../model/registry.ts'
import { isReadCompute, isX2many } from './needs-store.ts'

/** A field that a need looks at, and the relational path to the record it looks at it on. */
export interface NeedStep {
  readonly model: string
  readonly field: string
  readonly path: readonly string[]
}

/**
 * Every field the needs of a model touch. `line_ids.days` touches `line_ids`, the `loan_id` of the lines that makes them lines,
 * and their `days`; a field computed on read stands for what it needs itself.
 */
export function needSteps(registry: Registry, model: Model, needs: readonly string[]): readonly NeedStep[] {
  return needs.flatMap((need) => pathSteps(registry, model, need.split('.'), []))
}

function pathSteps(
  registry: Registry,
  model: Model,
  [name, ...rest]: readonly string[],
  path: readonly string[],
): readonly NeedStep[] {
  const field = name === undefined ? undefined : model.fields.get(name)
  if (field === undefined) return []
  const beyond = [...path, field.name]
  const inner = isReadCompute(field)
    ? field.compute!.needs.flatMap((need) => pathSteps(registry, model, need.split('.'), path))
    : []
  const target = field.relation === null ? undefined : registry.model(field.relation.target)
  const mirrors = target === undefined ? [] : mirrorFields(field, target)
  return [
    { model: model.name, field: field.name, path },
    ...inner,
    ...mirrors.map((mirror) => ({ model: target!.name, field: mirror, path: beyond })),
    ...(target === undefined ? [] : pathSteps(registry, target, rest, beyond)),
  ]
}

/** Fields of the target that say the same link from the other side. */
export function mirrorFields({ relation }: Field, target: Model): readonly string[] {
  if (relation?.kind === 'one2many') return [relation.inverse]
  if (relation?.kind !== 'many2many') return []
  const isMirror = ({ relation: other }: Field) =>
    other?.kind === 'many2many' && other.table === relation.table && other.left === relation.right
  return [...target.fields.values()].filter(isMirror).map((field) => field.name)
}

/** What `Stale` calls a check: its place among those of its model. No field has such a name. */
export const checkName = (index: number) => `check:${index}`
export const isCheckName = (name: string) => name.startsWith('check:')

interface CheckTrigger extends NeedStep {
  readonly owner: string
  readonly check: string
}

/** The checks of any model that look at a field of this one, in the form of the triggers of computed fields. */
export function* checkTriggers(registry: Registry, model: Model): Generator<CheckTrigger> {
  for (const owner of registry.models.values()) {
    for (const [index, { needs }] of owner.checks.entries()) {
      for (const need of needs) {
        if (owner !== model && isOwn(owner.fields.get(need))) continue
        for (const step of needSteps(registry, owner, [need])) {
          if (step.model === model.name) yield { ...step, owner: owner.name, check: checkName(index) }
        }
      }
    }
  }
}

/** Whether a field is a matter of its record alone, as most needs are: passing over them early halves the work. */
const isOwn = (field: Field | undefined) => field !== undefined && !isX2many(field) && !isReadCompute(field)
