import type { Env } from '#kernel'

/** A check of a `model` field that holds a technical name. */
export const knownModel = (env: Env, name: string | null): { readonly model: string } | undefined =>
  name === null || env.registry.model(name) ? undefined : { model: `There is no model ${name}.` }
