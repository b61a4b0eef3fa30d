import { type Env, explainDomainText } from '#kernel'

/** A check of a `model` field that holds a technical name. */
export const knownModel = (env: Env, name: string | null): { readonly model: string } | undefined =>
  name === null || env.registry.model(name) ? undefined : { model: `There is no model ${name}.` }

/** A check of a `domain` field that holds the text of a domain over the records of `model`. */
export function readableDomain(env: Env, model: string, text: string | null): { readonly domain: string } | undefined {
  const problem = text === null ? null : explainDomainText(env, model, text)
  return problem === null ? undefined : { domain: problem }
}
