import { isCheckName } from '../../model/check-needs.ts'
import type { Model, Registry } from '../../model/registry.ts'
import type { Stale } from './stale.ts'

/** Computed fields, or checks, to run for the same records. */
export interface ComputeBatch {
  readonly model: Model
  readonly names: readonly string[]
  readonly ids: readonly number[]
}

/**
 * Removes and returns the next batch of `stale`: the computed field with the lowest rank, together with other fields of
 * exactly the same records that no stale field influences. Checks have no rank and come last, when every value is final.
 */
export function nextBatch(registry: Registry, stale: Stale): ComputeBatch | null {
  const waiting = [...stale].flatMap(([model, names]) => [...names].map(([name, ids]) => ({ model, name, ids })))
  const rank = (model: string, name: string) =>
    registry.computeOrder.get(`${model}.${name}`) ?? registry.computeOrder.size
  const [first, ...others] = waiting.sort((a, b) => rank(a.model, a.name) - rank(b.model, b.name))
  if (first === undefined) return null
  const names = [first.name]
  const dependents = reachedFields(registry, first.model, first.name)
  for (const other of others) {
    const joins =
      other.model === first.model &&
      isCheckName(other.name) === isCheckName(first.name) &&
      sameIds(other.ids, first.ids)
    if (joins && !dependents.has(`${other.model}.${other.name}`)) names.push(other.name)
    reachedFields(registry, other.model, other.name, dependents)
  }
  const left = stale.get(first.model)!
  for (const name of names) left.delete(name)
  if (left.size === 0) stale.delete(first.model)
  return { model: registry.model(first.model)!, names, ids: [...first.ids] }
}

const sameIds = (a: ReadonlySet<number>, b: ReadonlySet<number>) => a.size === b.size && [...a].every((id) => b.has(id))

/** Every stored computed field that depends on this one, directly or through others. */
function reachedFields(registry: Registry, model: string, field: string, reached = new Set<string>()): Set<string> {
  for (const trigger of registry.model(model)?.triggers.get(field) ?? []) {
    const key = `${trigger.model}.${trigger.field}`
    if (reached.has(key)) continue
    reached.add(key)
    reachedFields(registry, trigger.model, trigger.field, reached)
  }
  return reached
}
