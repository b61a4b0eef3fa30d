import { type CheckTrigger, compileCheckTriggers } from './check-needs.ts'
import type { Field, Relation } from './fields/field.ts'
import type { Model, Trigger } from './registry.ts'

/** A model before its triggers are compiled. */
export type Uncompiled = Omit<Model, 'triggers' | 'checkTriggers'>
type Models = ReadonlyMap<string, Uncompiled>
type Report = (problem: string) => void

interface Triggers {
  /** model → field → what becomes stale when it changes. */
  readonly triggers: ReadonlyMap<string, ReadonlyMap<string, readonly Trigger[]>>
  /** model → the checks that read one of its fields. */
  readonly checks: ReadonlyMap<string, readonly CheckTrigger[]>
  /** `model.field` of each stored compute → its rank, dependencies first. */
  readonly order: ReadonlyMap<string, number>
}

interface Step {
  readonly model: string
  readonly field: string
  readonly path: readonly string[]
}

/** Inverts the `needs` of stored computes: which change makes which field stale, and in which order the computes run. */
export function compileTriggers(models: Models, report: Report): Triggers {
  const triggers = new Map<string, Map<string, Trigger[]>>()
  const dependencies = new Map<string, Set<string>>()
  for (const model of models.values()) {
    for (const field of model.fields.values()) {
      if (field.compute === null) continue
      if (field.compute.stored && field.relation?.kind === 'one2many') {
        report(`${model.name}.${field.name}: a one2many lives in its lines and cannot be stored as a computed value`)
      }
      const key = `${model.name}.${field.name}`
      const reached = field.compute.needs.flatMap((need) => stepsOf(models, model, need, report))
      dependencies.set(key, new Set(reached.map((step) => `${step.model}.${step.field}`)))
      if (!field.compute.stored) continue
      for (const step of throughReadComputes(models, reached, report)) {
        const byField = triggers.get(step.model) ?? new Map<string, Trigger[]>()
        triggers.set(step.model, byField)
        const known = byField.get(step.field) ?? []
        const trigger = { model: model.name, field: field.name, path: step.path }
        if (!known.some((other) => sameTrigger(other, trigger))) byField.set(step.field, [...known, trigger])
      }
    }
  }
  return { triggers, checks: compileCheckTriggers(models), order: rank(dependencies, report) }
}

const sameTrigger = (a: Trigger, b: Trigger) =>
  a.model === b.model && a.field === b.field && a.path.join('.') === b.path.join('.')

/** Every field a path touches: `line_ids.subtotal` touches `line_ids`, the inverse `order_id` and `subtotal`. */
function stepsOf(models: Models, start: Uncompiled, need: string, report: Report): Step[] {
  const steps: Step[] = []
  let model: Uncompiled | undefined = start
  const path: string[] = []
  const names = need.split('.')
  const length = names.length
  for (const name of names) {
    const field: Field | undefined = model?.fields.get(name)
    if (model === undefined || field === undefined) {
      report(`${start.name}: needs ${need}, but ${model?.name ?? 'a plain value'} has no field ${name}`)
      return []
    }
    steps.push({ model: model.name, field: name, path: [...path] })
    path.push(name)
    const relation: Relation | null = field.relation
    if (relation !== null && path.length < length && isOnlyComputed(field)) {
      report(
        `${start.name}: needs ${need}, but nothing can tell which records reach over ${name}, which is computed on read`,
      )
      return []
    }
    if (relation?.kind === 'one2many') {
      steps.push({ model: relation.target, field: relation.inverse, path: [...path] })
    }
    model = relation === null ? undefined : models.get(relation.target)
  }
  return steps
}

const isOnlyComputed = ({ compute, related }: Field) => compute !== null && !compute.stored && related === null

/** Replaces a need on a field computed on read by the needs of that field. */
function throughReadComputes(models: Models, steps: readonly Step[], report: Report, depth = 0): Step[] {
  return steps.flatMap((step) => {
    const model = models.get(step.model)
    const compute = model?.fields.get(step.field)?.compute
    if (!model || !compute || compute.stored || depth > 8) return [step]
    const inner = compute.needs.flatMap((need) => stepsOf(models, model, need, report))
    const outer = inner.map((reached) => ({ ...reached, path: [...step.path, ...reached.path] }))
    return throughReadComputes(models, outer, report, depth + 1)
  })
}

/** Ranks computes so that each comes after its dependencies; a cycle is a mistake in the declarations. */
function rank(dependencies: ReadonlyMap<string, ReadonlySet<string>>, report: Report): ReadonlyMap<string, number> {
  const order = new Map<string, number>()
  const open: string[] = []
  const visit = (key: string): void => {
    if (order.has(key) || !dependencies.has(key)) return
    if (open.includes(key)) {
      report(`computed fields need each other: ${[...open.slice(open.indexOf(key)), key].join(' → ')}`)
      return
    }
    open.push(key)
    for (const dependency of dependencies.get(key)!) visit(dependency)
    open.pop()
    order.set(key, order.size)
  }
  for (const key of dependencies.keys()) visit(key)
  return order
}
