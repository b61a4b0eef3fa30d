import type { Env } from '../env.ts'
import { AppError, badRequest } from '../errors.ts'
import type { Model } from '../model/registry.ts'
import { parseOrder } from '../orm/statement/order.ts'

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
