import type { Env } from '../env.ts'
import { AppError, badRequest } from '../errors.ts'
import type { Model } from '../model/registry.ts'
import { parseOrder } from '../orm/statement/order.ts'

/** A field, or `-` and a field. */
export const SORT_PATTERN = /^-?[a-z][a-z0-9_]{0,62}$/

/** Converts `sort` (`field` or `-field`) to the ORM's order syntax. */
export function requestedOrder(env: Env, model: Model, sort: string): string {
  const order = sort.startsWith('-') ? `${sort.slice(1)} desc` : sort
  try {
    parseOrder(env, model, order)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'BAD_REQUEST') throw error
    throw badRequest('order_invalid', `sort: records of ${model.name} cannot be ordered by this.`, {
      path: 'query.sort',
    })
  }
  return order
}

/** The problem of a stored `sort` of a model, as one sentence, or null. Access is checked when it is used. */
export function explainSort(env: Env, modelName: string, sort: string): string | null {
  const model = env.registry.model(modelName)
  if (model === undefined) return `There is no model ${modelName}.`
  if (!SORT_PATTERN.test(sort)) return 'The order is a field, or - and a field.'
  try {
    requestedOrder(env.sudo('nothing is read: a stored order is checked', { beyondScope: true }), model, sort)
    return null
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return `Records of ${model.name} cannot be ordered by this.`
    throw error
  }
}
