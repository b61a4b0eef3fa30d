import type { Field } from './fields/field.ts'
import { isReadCompute } from './fields/kind.ts'
import type { Model } from './registry.ts'

/** As far as a model is compiled before its triggers. */
type Compiled = Pick<Model, 'name' | 'fields' | 'checks'>
type Models = ReadonlyMap<string, Compiled>

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
export function needSteps(models: Models, model: Compiled, needs: readonly string[]): readonly NeedStep[] {
  return needs.flatMap((need) => pathSteps(models, model, need.split('.'), []))
}

function pathSteps(
  models: Models,
  model: Compiled,
  [name, ...rest]: readonly string[],
  path: readonly string[],
): readonly NeedStep[] {
  const field = name === undefined ? undefined : model.fields.get(name)
  if (field === undefined) return []
  const beyond = [...path, field.name]
  const inner = isReadCompute(field)
    ? field.compute!.needs.flatMap((need) => pathSteps(models, model, need.split('.'), path))
    : []
  const target = field.relation === null ? undefined : models.get(field.relation.target)
  const mirrors = target === undefined ? [] : mirrorFields(field, target)
  return [
    { model: model.name, field: field.name, path },
    ...inner,
    ...mirrors.map((mirror) => ({ model: target!.name, field: mirror, path: beyond })),
    ...(target === undefined ? [] : pathSteps(models, target, rest, beyond)),
  ]
}

/** Fields of the target model that show the same links from the other side. */
export function mirrorFields({ relation }: Field, target: Compiled): readonly string[] {
  if (relation?.kind === 'one2many') return [relation.inverse]
  if (relation?.kind !== 'many2many') return []
  const isMirror = ({ relation: other }: Field) =>
    other?.kind === 'many2many' && other.table === relation.table && other.left === relation.right
  return [...target.fields.values()].filter(isMirror).map((field) => field.name)
}

/** The key of a check in `Stale`: its index in the model's list. No field name contains a colon. */
export const checkName = (index: number) => `check:${index}`
export const isCheckName = (name: string) => name.startsWith('check:')

/** A check that reads a field of a model, in the same form as the triggers of computed fields. */
export interface CheckTrigger {
  /** The model with the check. */
  readonly owner: string
  readonly check: string
  readonly field: string
  readonly path: readonly string[]
}

/** By model, the checks of all models that read one of its fields. */
export function compileCheckTriggers(models: Models): ReadonlyMap<string, readonly CheckTrigger[]> {
  const triggers = new Map<string, CheckTrigger[]>()
  for (const owner of models.values())
    for (const [index, { needs }] of owner.checks.entries())
      for (const { model, field, path } of needSteps(models, owner, needs)) {
        const known = triggers.get(model) ?? []
        triggers.set(model, known)
        known.push({ owner: owner.name, check: checkName(index), field, path })
      }
  return triggers
}
