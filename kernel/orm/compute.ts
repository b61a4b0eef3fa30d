import { sql } from 'kysely'
import type { Env } from '../env.ts'
import type { Field } from '../model/field.ts'
import type { Model, Registry } from '../model/registry.ts'
import { reachingIds } from './compute-path.ts'
import { storeComputed } from './compute-store.ts'
import { computeValues } from './compute-value.ts'
import { computeTree, fillComputed, fillNeeds } from './needs.ts'
import { NeedStore } from './needs-store.ts'
import { recordUpdated } from './outbox.ts'
import { modelOf } from './scope.ts'

/** Model → stored computed field → ids of the records whose value has to be computed anew. */
export type Stale = Map<string, Map<string, Set<number>>>

/** Changed fields; `all` for records that appear or go. */
export type Changed = ReadonlySet<string> | 'all'

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
 * Notes what a change of these records makes stale, as the links are at this moment. Where links themselves change, call it
 * before and after: a line that moves to another order concerns both. At most one statement.
 */
export async function collectStale(
  env: Env,
  model: Model,
  ids: readonly number[],
  changed: Changed,
  stale: Stale,
): Promise<void> {
  if (ids.length === 0) return
  const remote = new Map<
    string,
    { readonly model: string; readonly path: readonly string[]; readonly fields: Set<string> }
  >()
  for (const name of touchedFields(model, changed)) {
    for (const { model: owner, field, path } of model.triggers.get(name) ?? []) {
      if (path.length === 0) addStale(stale, owner, field, ids)
      else {
        const key = `${owner} ${path.join('.')}`
        const known = remote.get(key) ?? { model: owner, path, fields: new Set() }
        remote.set(key, known)
        known.fields.add(field)
      }
    }
  }
  if (changed === 'all') {
    for (const field of model.fields.values()) if (field.compute?.stored) addStale(stale, model.name, field.name, ids)
  }
  if (remote.size === 0) return
  const parts = [...remote.values()]
  const queries = parts.map(
    ({ model: owner, path }, index) => sql`
      select distinct ${index}::int as part, s.id
      from (${reachingIds(env.registry, modelOf(env, owner), path, ids)}) as s(id) where s.id is not null`,
  )
  const { rows } = await sql<{ part: number; id: number }>`${sql.join(queries, sql` union all `)}`.execute(env.tx)
  for (const { part, id } of rows) {
    const { model: owner, fields } = parts[part]!
    for (const field of fields) addStale(stale, owner, field, [id])
  }
}

/** The display name is made of other fields of the row, so it changes with them. */
function touchedFields(model: Model, changed: Changed): Iterable<string> {
  if (changed === 'all') return model.triggers.keys()
  return model.displayFields.some((name) => changed.has(name)) ? [...changed, 'display_name'] : changed
}

function addStale(stale: Stale, model: string, field: string, ids: Iterable<number>): void {
  const fields = stale.get(model) ?? new Map<string, Set<number>>()
  stale.set(model, fields)
  const known = fields.get(field) ?? new Set<number>()
  fields.set(field, known)
  for (const id of ids) known.add(id)
}

/**
 * Computes and stores what is stale, dependencies first, each batch of records at once; what a changed result makes stale joins
 * in. Leaves `stale` empty.
 */
export async function recompute(env: Env, stale: Stale): Promise<void> {
  for (let batch = takeBatch(env.registry, stale); batch !== null; batch = takeBatch(env.registry, stale)) {
    await recomputeBatch(env, batch, stale)
  }
}

interface Batch {
  readonly model: Model
  readonly fields: readonly Field[]
  readonly ids: readonly number[]
}

/** The next field to compute, and with it those of the same records that no stale field leads to. */
function takeBatch(registry: Registry, stale: Stale): Batch | null {
  const waiting = [...stale].flatMap(([model, fields]) => [...fields].map(([field, ids]) => ({ model, field, ids })))
  const rank = ({ model, field }: { model: string; field: string }) =>
    registry.computeOrder.get(`${model}.${field}`) ?? 0
  const [first, ...others] = waiting.sort((a, b) => rank(a) - rank(b))
  if (first === undefined) return null
  const model = registry.model(first.model)!
  const names = [first.field]
  const unsettled = reachedFields(registry, first.model, first.field)
  for (const other of others) {
    const joins = other.model === first.model && sameIds(other.ids, first.ids)
    if (joins && !unsettled.has(`${other.model}.${other.field}`)) names.push(other.field)
    reachedFields(registry, other.model, other.field, unsettled)
  }
  const fields = stale.get(first.model)!
  for (const name of names) fields.delete(name)
  if (fields.size === 0) stale.delete(first.model)
  return { model, fields: names.map((name) => model.fields.get(name)!), ids: [...first.ids] }
}

const sameIds = (a: ReadonlySet<number>, b: ReadonlySet<number>) => a.size === b.size && [...a].every((id) => b.has(id))

/** Every stored computed field that a change of this one may make stale, at any distance. */
function reachedFields(registry: Registry, model: string, field: string, reached = new Set<string>()): Set<string> {
  for (const trigger of registry.model(model)?.triggers.get(field) ?? []) {
    const key = `${trigger.model}.${trigger.field}`
    if (reached.has(key)) continue
    reached.add(key)
    reachedFields(registry, trigger.model, trigger.field, reached)
  }
  return reached
}

async function recomputeBatch(env: Env, { model, fields, ids }: Batch, stale: Stale): Promise<void> {
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
    await collectStale(env, model, changed, new Set([field.name]), stale)
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
