import { bindVariables } from '../domain/bind.ts'
import { parseDomainText } from '../domain/literal.ts'
import { parseDomain } from '../domain/parse.ts'
import type { Env } from '../env.ts'
import { AppError } from '../errors.ts'
import { authorizeDomain } from './decide.ts'
import { ruleVariables } from './rules.ts'

/**
 * What is wrong with the text of a stored domain over a model, as one sentence; null when nothing is. With `isAuthorized` the
 * user of the env must also be allowed to use everything in it, as in a query.
 */
export function explainDomainText(
  env: Env,
  modelName: string,
  text: string,
  { isAuthorized = false }: { readonly isAuthorized?: boolean } = {},
): string | null {
  const model = env.registry.model(modelName)
  if (model === undefined) return `There is no model ${modelName}.`
  try {
    const domain = bindVariables(parseDomainText(text), ruleVariables(env))
    const node = parseDomain(domain, model, { registry: env.registry, now: env.now, tz: env.tz })
    if (isAuthorized) authorizeDomain(env, node)
    return null
  } catch (error) {
    if (error instanceof AppError && error.code === 'BAD_REQUEST') return error.message
    throw error
  }
}
