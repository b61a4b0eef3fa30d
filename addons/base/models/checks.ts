import { type Env, explainDomainText, explainSort } from '#kernel'

/** A check of a `model` field that holds a technical name. */
export const knownModel = (env: Env, name: string | null): { readonly model: string } | undefined =>
  name === null || env.registry.model(name) ? undefined : { model: `There is no model ${name}.` }

/** A check of a `domain` field that holds the text of a domain over the records of `model`. */
export function readableDomain(env: Env, model: string, text: string | null): { readonly domain: string } | undefined {
  const problem = text === null ? null : explainDomainText(env, model, text)
  return problem === null ? undefined : { domain: problem }
}

/** A check of a `sort` field: the order of a list over `model`, as its address has it. */
export function readableSort(env: Env, model: string, sort: string | null): { readonly sort: string } | undefined {
  const problem = sort === null || sort === '' ? null : explainSort(env, model, sort)
  return problem === null ? undefined : { sort: problem }
}
