import type { Env } from '../../env.ts'
import type { Field } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'

/** The default of every named field (all when none are named) that has one; booleans without one are false. */
export async function defaultValues(
  env: Env,
  model: Model,
  names?: Iterable<string>,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {}
  for (const name of names ?? model.fields.keys()) {
    const field = model.fields.get(name)
    if (field === undefined || !hasDefault(field)) continue
    values[name] = await defaultOf(env, field)
  }
  return values
}

export const hasDefault = (field: Field): boolean =>
  field.compute === null &&
  (field.default !== undefined || (field.type.comparison === 'boolean' && field.column !== null))

async function defaultOf(env: Env, field: Field): Promise<unknown> {
  if (typeof field.default === 'function') return field.default(env)
  return field.default ?? false
}
