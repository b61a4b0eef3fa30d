import type { Env } from '../../env.ts'
import type { FieldName, ModelName } from '../../model/models.ts'
import { recompute } from '../compute/compute.ts'
import { modelOf } from '../statement/scope.ts'

/**
 * Recomputes stored fields although none of their needs has changed: for values that depend on today's date. Jobs call it.
 * `version` is not incremented; fields that depend on a changed value are recomputed as well.
 */
export async function recomputeStored<M extends ModelName>(
  env: Env,
  model: M,
  ids: readonly number[],
  fields: readonly FieldName<M>[],
): Promise<void> {
  const plain = fields.filter((name) => !modelOf(env, model).fields.get(name)?.compute?.stored)
  if (plain.length > 0) throw new Error(`${model}: ${plain.join(', ')} is not a stored computed field`)
  if (ids.length === 0) return
  await recompute(env, new Map([[model, new Map(fields.map((name) => [name, new Set(ids)]))]]))
}
