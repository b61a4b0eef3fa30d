import type { Env } from '../../env.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { recordUpdated } from '../../outbox.ts'
import { runNamedChecks } from './check.ts'
import { isCheckName } from './check-needs.ts'
import { computeTree, fillComputed, fillNeeds } from './needs.ts'
import { NeedStore } from './needs-store.ts'
import { type Batch, takeBatch } from './order.ts'
import { collectOutdated, type Stale } from './stale.ts'
import { storeComputed } from './store.ts'
import { computeValues } from './value.ts'

export { type Changed, collectStale, type Stale } from './stale.ts'

/** Values of fields that are computed on read: field name → id → stored value. */
export async function computeOnRead(
  env: Env,
  model: Model,
  fields: readonly Field[],
  ids: readonly number[],
): Promise<ReadonlyMap<string, ReadonlyMap<number, unknown>>> {
  const store = new NeedStore()
  await fillComputed(env, store, model, ids, fields)
  return new Map(fields.map((field) => [field.name, new Map(ids.map((id) => [id, store.get(field, id)]))]))
}

/**
 * Computes and stores what is stale, dependencies first and each batch of records at once; what a changed value makes stale
 * joins in. Ends with the checks of records that look at what has changed. Leaves `stale` empty.
 */
export async function recompute(env: Env, stale: Stale): Promise<void> {
  for (let batch = takeBatch(env.registry, stale); batch !== null; batch = takeBatch(env.registry, stale)) {
    if (batch.names.some(isCheckName)) await runNamedChecks(env, batch.model, batch.ids, batch.names)
    else await recomputeBatch(env.sudo(), batch, stale)
  }
}

async function recomputeBatch(env: Env, { model, names, ids }: Batch, stale: Stale): Promise<void> {
  const fields = names.map((name) => model.fields.get(name)!)
  const store = new NeedStore()
  // Locked first and read after: two transactions that each add a line to one order both count in its total.
  await fillNeeds(env, store, model, ids, computeTree(env, model, fields), true)
  const existing = ids.filter((id) => store.has(model.fields.get('id')!, id))
  if (existing.length === 0) return
  const values = new Map<Field, ReadonlyMap<number, unknown>>()
  for (const field of fields) values.set(field, await computeValues(env, store, model, field, existing))
  for (const [field, changed] of await storeComputed(env, model, values)) {
    if (changed.length === 0) continue
    recordUpdated(env, model, changed, [field.name])
    await collectOutdated(env, model, changed, field.name, stale)
  }
}

/** Hands values written to computed fields to their inverses, in the order in which the fields are computed. */
export async function applyInverses(
  env: Env,
  model: Model,
  values: ReadonlyMap<string, ReadonlyMap<number, unknown>>,
): Promise<void> {
  const rank = (name: string) => env.registry.computeOrder.get(`${model.name}.${name}`) ?? 0
  for (const [name, byId] of [...values].sort(([a], [b]) => rank(a) - rank(b))) {
    await model.fields.get(name)!.compute?.inverse?.(env, byId)
  }
}
