import { accessDenied, type Env, explainDomainText, explainSort, mayReadField, mayUseModel } from '#kernel'

/** A check of a `model` field that holds a technical name. */
export const knownModel = (env: Env, name: string | null): { readonly model: string } | undefined =>
  name === null || env.registry.model(name) ? undefined : { model: `There is no model ${name}.` }

/**
 * A check of a `model` field of records that any user may create. The answer is the same for models that the user may not read and for
 * models that do not exist, so that it does not reveal which models are installed.
 */
export const usableModel = (env: Env, name: string): { readonly model: string } | undefined =>
  env.registry.model(name) !== undefined && mayUseModel(env, name, 'read')
    ? undefined
    : { model: `There is no model ${name} that you may read.` }

/** Refuses a field that the user may not read, with the error of a query that names it. */
export function requireField(env: Env, model: string, name: string): void {
  const field = env.registry.model(model)?.fields.get(name)
  if (field !== undefined && !mayReadField(env, field))
    throw accessDenied('field_access', `You are not allowed to use the field ${name}.`)
}

/** A check of a `domain` field that holds the text of a domain over the records of `model`. */
export function readableDomain(env: Env, model: string, text: string | null): { readonly domain: string } | undefined {
  const problem = text === null ? null : explainDomainText(env, model, text)
  return problem === null ? undefined : { domain: problem }
}

/** A check of a `domain` field that holds a domain over the records of `model`, which the user must be allowed to ask. */
export function usableDomain(env: Env, model: string, domain: unknown) {
  if (domain === null) return undefined
  if (!Array.isArray(domain)) return { domain: 'A domain is a list.' }
  const problem = explainDomainText(env, model, JSON.stringify(domain), { isAuthorized: true })
  return problem === null ? undefined : { domain: problem }
}

/** A check of a `sort` field: the order of a list over `model`, as its address has it. */
export function readableSort(env: Env, model: string, sort: string | null): { readonly sort: string } | undefined {
  if (sort === null || sort === '') return undefined
  requireField(env, model, sort.replace(/^-/, ''))
  const problem = explainSort(env, model, sort)
  return problem === null ? undefined : { sort: problem }
}
