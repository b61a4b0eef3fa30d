import { asKernel, type Env } from '../../env.ts'
import { inBaseLanguage } from '../../i18n/language.ts'
import { isCheckName } from '../../model/check-needs.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { recordUpdated } from '../../outbox.ts'
import { runNamedChecks } from './check.ts'
import { computeTree, fillComputed, fillNeeds } from './needs.ts'
import { NeedStore } from './needs-store.ts'
import { type ComputeBatch, nextBatch } from './order.ts'
import { collectOutdated, type Stale } from './stale.ts'
import { storeComputed } from './store.ts'
import { computeValues } from './value.ts'

export { type Changed, collectStale, type Stale } from './stale.ts'

/**
 * Values of fields that are computed on read: field name → id → stored value. `areRead`: the records have just been read, so it need not
 * be checked that they exist.
 */
export async function computeOnRead(
  env: Env,
  model: Model,
  fields: readonly Field[],
  ids: readonly number[],
  { areRead = false }: { readonly areRead?: boolean } = {},
): Promise<ReadonlyMap<string, ReadonlyMap<number, unknown>>> {
  const store = new NeedStore()
  if (areRead) for (const id of ids) store.set(model.fields.get('id')!, id, id)
  await fillComputed(env, store, model, ids, fields)
  return new Map(fields.map((field) => [field.name, new Map(ids.map((id) => [id, store.get(field, id)]))]))
}

/**
 * Computes and stores everything in `stale`, dependencies first and one batch of records at a time; values that a changed
 * result makes stale are added on the way. Then runs the checks that read changed values. `stale` is empty afterwards.
 */
export async function recompute(env: Env, stale: Stale): Promise<void> {
  for (let batch = nextBatch(env.registry, stale); batch !== null; batch = nextBatch(env.registry, stale)) {
    if (batch.names.some(isCheckName)) await runNamedChecks(env, batch.model, batch.ids, batch.names)
    else await recomputeBatch(inBaseLanguage(asKernel(env)), batch, stale)
  }
}

async function recomputeBatch(env: Env, { model, names, ids }: ComputeBatch, stale: Stale): Promise<void> {
  const fields = names.map((name) => model.fields.get(name)!)
  const store = new NeedStore()
  // Rows are locked before they are read: when two transactions each add a line to one order, its total includes both.
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

/** Calls the inverses of computed fields with the values written to them, in the order in which the fields are computed. */
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
