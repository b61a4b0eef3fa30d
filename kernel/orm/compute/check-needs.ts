import type { Field } from '../../model/fields/field.ts'
import type { Model, Registry } from '../../model/registry.ts'
import { isReadCompute, isX2many } from './needs-store.ts'

/** A field that a need reads, and the relational path to the record that has it. */
export interface NeedStep {
  readonly model: string
  readonly field: string
  readonly path: readonly string[]
}

/**
 * Every field that the needs of a model read. `line_ids.days` reads `line_ids`, the `loan_id` that links the lines to the
 * record, and their `days`. A field computed on read counts as the fields it needs itself.
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

/** Fields of the target model that show the same links from the other side. */
export function mirrorFields({ relation }: Field, target: Model): readonly string[] {
  if (relation?.kind === 'one2many') return [relation.inverse]
  if (relation?.kind !== 'many2many') return []
  const isMirror = ({ relation: other }: Field) =>
    other?.kind === 'many2many' && other.table === relation.table && other.left === relation.right
  return [...target.fields.values()].filter(isMirror).map((field) => field.name)
}

/** The key of a check in `Stale`: its index in the model's list. No field name contains a colon. */
export const checkName = (index: number) => `check:${index}`
export const isCheckName = (name: string) => name.startsWith('check:')

interface CheckTrigger extends NeedStep {
  readonly owner: string
  readonly check: string
}

/** The checks of all models that read a field of this one, in the same form as the triggers of computed fields. */
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

/** Whether a field is part of its record's own row, like most needs. Skipping these early halves the time of `checkTriggers`. */
const isOwn = (field: Field | undefined) => field !== undefined && !isX2many(field) && !isReadCompute(field)
