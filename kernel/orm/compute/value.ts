import { mayUseModel } from '../../access/acl.ts'
import { withinReach } from '../../access/within-reach.ts'
import { asKernel, type Env } from '../../env.ts'
import { invalid } from '../../errors.ts'
import { inBaseLanguage } from '../../i18n/language.ts'
import { type Field, type NeedRecord, Refusal } from '../../model/fields/field.ts'
import { isReadCompute, isX2many } from '../../model/fields/kind.ts'
import type { Model } from '../../model/registry.ts'
import { roundToFactor } from '../../money.ts'
import { mapInSlices, slicesOf } from '../../slices.ts'
import { currencyOf } from '../statement/currency.ts'
import {
  type IsShown,
  linkedIds,
  type NeedStore,
  type NeedTree,
  needTree,
  shapeRecords,
  unsetValue,
} from './needs-store.ts'

/**
 * The env in which a compute runs, whose rules decide which records its needs contain. A stored result is the same for every user, so it
 * takes all records into account; a result computed on read covers what the reader may see, unless the compute says `sudo`.
 */
export const computeEnv = (env: Env, { compute }: Field): Env =>
  compute?.stored ? inBaseLanguage(asKernel(env)) : compute?.sudo ? asKernel(env) : env

/**
 * Runs a compute for records whose needs are in the store; returns a stored value for every id. The value is unset if the compute runs with the
 * caller's rights and reads a model that the caller may not read, like a related field that leads there.
 */
export async function computeValues(
  env: Env,
  store: NeedStore,
  model: Model,
  field: Field,
  ids: readonly number[],
  isShown?: IsShown,
): Promise<ReadonlyMap<number, unknown>> {
  if (ids.length === 0) return new Map()
  const compute = field.compute!
  const tree = needTree(env.registry, model, compute.needs)
  const rows: NeedRecord[] = []
  for await (const slice of slicesOf(env, ids)) {
    rows.push(...shapeRecords(env.registry, store, model, slice, tree, isShown))
  }
  const actor = computeEnv(env, field)
  const run = () => compute.run(actor, rows)
  const results = actor !== env ? await run() : leadsBeyond(env, tree) ? undefined : await withinReach(run)
  const currency = currencyOf(env, model, field)
  const factorFor = (id: number) => {
    const [currencyId] = currency === null ? [] : linkedIds(store.get(currency.link, id))
    return currencyId === undefined ? null : store.get(currency!.rounding, currencyId)
  }
  return new Map(await mapInSlices(env, ids, (id) => [id, parseResult(field, results?.get(id), factorFor(id))]))
}

/** Whether a tree leads to a model that the caller may not read: a total without its records would be wrong, not zero. */
const leadsBeyond = (env: Env, tree: NeedTree): boolean =>
  [...tree].some(
    ([field, branch]) =>
      ((isX2many(field) || branch.size > 0) && !mayUseModel(env, field.relation!.target, 'read')) ||
      leadsBeyond(env, branch) ||
      leadsBeyond(env, needsOf(env, field)),
  )

/** The needs of a field that is computed with the caller's rights; empty for any other field. */
const needsOf = (env: Env, field: Field): NeedTree =>
  isReadCompute(field) && computeEnv(env, field) === env
    ? needTree(env.registry, env.registry.model(field.model)!, field.compute!.needs)
    : new Map()

/** Validates a result like a value from a request; no result means unset. */
function parseResult(field: Field, value: unknown, factor: unknown): unknown {
  if (value === undefined || value === null) return unsetValue(field)
  if (isX2many(field)) return linkedIds(value)
  const rounded = typeof factor === 'number' && typeof value === 'number' ? roundToFactor(value, factor) : value
  try {
    return field.type.parse(rounded, field)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw invalid('value_invalid', { [field.name]: error.message })
  }
}
