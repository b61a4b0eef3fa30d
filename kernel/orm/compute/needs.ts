import { asKernel, type Env } from '../../env.ts'
import type { Field, NeedRecord } from '../../model/fields/field.ts'
import { isReadCompute, isX2many } from '../../model/fields/kind.ts'
import type { Model } from '../../model/registry.ts'
import { currencyOf } from '../statement/currency.ts'
import { modelOf } from '../statement/scope.ts'
import { type StoredValues, selectLinked, selectRows } from './needs-query.ts'
import { linkedIds, NeedStore, type NeedTree, needTree, shapeRecords } from './needs-store.ts'
import { computeEnv, computeValues } from './value.ts'

/**
 * Records shaped by need paths: `['line_ids.subtotal', 'state']` → `{ id, state, line_ids: [{ id, subtotal }] }`. Values as
 * stored, of the records the env may read; under sudo of all. One statement per step of a path for the whole batch; ids that do not exist
 * are left out.
 */
export async function loadNeeds(
  env: Env,
  model: Model,
  ids: readonly number[],
  needs: readonly string[],
): Promise<NeedRecord[]> {
  const store = new NeedStore()
  const tree = needTree(env.registry, model, needs)
  await fillNeeds(env, store, model, ids, tree)
  return shapeRecords(env.registry, store, model, ids, tree)
}

/**
 * Loads the values of the tree that are missing in the store. Negative ids are unsaved records of a draft and are never
 * queried.
 */
export async function fillNeeds(
  env: Env,
  store: NeedStore,
  model: Model,
  ids: readonly number[],
  tree: NeedTree,
  lock = false,
): Promise<void> {
  const own = ownFields(model, tree)
  const missing = inDatabase(store.missing(own, ids))
  if (missing.length > 0) keepRows(store, own, await selectRows(env, model, missing, own, lock))
  const computed = [...tree.keys()].filter(isReadCompute)
  if (computed.length > 0) await fillComputed(env, store, model, ids, computed)
  for (const [field, branch] of tree) {
    if (isX2many(field) && !isReadCompute(field)) await fillLinks(env, store, field, ids, branch)
    if (branch.size === 0) continue
    const targets = new Set(ids.flatMap((id) => linkedIds(store.get(field, id))))
    await fillNeeds(env, store, modelOf(env, field.relation!.target), [...targets], branch)
  }
}

/** Computes fields that are missing in the store; what they need is loaded into the store, too. */
export async function fillComputed(
  env: Env,
  store: NeedStore,
  model: Model,
  ids: readonly number[],
  fields: readonly Field[],
): Promise<void> {
  const missing = fields.filter((field) => store.missing([field], ids).length > 0)
  await fillAsKernel(
    env,
    store,
    model,
    ids,
    missing.filter((field) => computeEnv(env, field) !== env),
  )
  const toCompute = missing.filter((field) => computeEnv(env, field) === env)
  if (toCompute.length === 0) return
  await fillNeeds(env, store, model, store.missing(toCompute, ids), computeTree(env, model, toCompute))
  for (const field of toCompute) {
    // A field that an earlier one needed is in the store already.
    const left = store.missing([field], ids)
    for (const [id, value] of await computeValues(env, store, model, field, left)) store.set(field, id, value)
  }
}

/** Computes fields whose computes see more than the reader may: the values they need stay in a separate store. */
async function fillAsKernel(
  env: Env,
  store: NeedStore,
  model: Model,
  ids: readonly number[],
  fields: readonly Field[],
): Promise<void> {
  if (fields.length === 0) return
  const own = new NeedStore()
  await fillComputed(asKernel(env), own, model, ids, fields)
  for (const field of fields) for (const id of store.missing([field], ids)) store.set(field, id, own.get(field, id))
}

/** Everything the computes of these fields read, and the currencies their results are rounded by. */
export function computeTree(env: Env, model: Model, fields: readonly Field[]): NeedTree {
  const needs = fields.flatMap((field) => [...field.compute!.needs, ...roundingNeeds(env, model, field)])
  return needTree(env.registry, model, needs)
}

function roundingNeeds(env: Env, model: Model, field: Field): readonly string[] {
  const currency = currencyOf(env, model, field)
  return currency === null ? [] : [`${currency.link.name}.${currency.rounding.name}`]
}

async function fillLinks(
  env: Env,
  store: NeedStore,
  field: Field,
  ids: readonly number[],
  branch: NeedTree,
): Promise<void> {
  const owners = inDatabase(store.missing([field], ids))
  if (owners.length === 0) return
  const fields = ownFields(modelOf(env, field.relation!.target), branch)
  const rows = await selectLinked(env, field, owners, fields)
  keepRows(store, fields, rows)
  const lists = new Map<number, number[]>(owners.map((owner) => [owner, []]))
  for (const row of rows) lists.get(row['link:owner'])!.push(row.id)
  for (const [owner, list] of lists) store.set(field, owner, list)
}

/** Fields in the record's own row; the id is selected to see that the row exists. */
const ownFields = (model: Model, tree: NeedTree): Field[] => [
  ...new Set([
    model.fields.get('id')!,
    ...[...tree.keys()].filter((field) => !isX2many(field) && !isReadCompute(field)),
  ]),
]

function keepRows(store: NeedStore, fields: readonly Field[], rows: readonly StoredValues[]): void {
  for (const row of rows) {
    for (const field of fields) store.add(field, row.id, row[field.name] ?? null)
  }
}

const inDatabase = (ids: readonly number[]) => ids.filter((id) => id > 0)
