import { isGrantedAction, requireAction, requireModel } from '../../access/acl.ts'
import type { Env } from '../../env.ts'
import { AppError, badRequest, notFound } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import type { ActionResult } from '../../model/behavior.ts'
import { isRecordId } from '../../model/fields/field.ts'
import type { Model } from '../../model/registry.ts'
import { read } from './read.ts'

type Handler = (
  env: Env,
  rows: readonly Record<string, unknown>[],
  vals: Readonly<Record<string, string>>,
  next: (rows: readonly Record<string, unknown>[]) => Promise<ActionResult | AppError>,
) => unknown

/**
 * Runs an object action on records the caller may read. Its changes use the caller's rights like any other write, unless the model
 * grants the action to one of the caller's groups. An override calls the action it overrides with `next`. If a handler returns an
 * error instead of throwing it, its changes are committed before the caller gets the error.
 */
export async function callAction(
  env: Env,
  model: Model,
  ids: readonly number[],
  name: string,
  vals: Readonly<Record<string, string>>,
): Promise<ActionResult | AppError> {
  requireModel(env, model, 'read')
  // The registry stores handlers of all models as one type; these rows are of the model the handler was declared for.
  const handlers = model.actions.get(name) as unknown as readonly Handler[] | undefined
  if (handlers === undefined) throw notFound('action_unknown', `${model.name} has no action ${name.slice(0, 80)}.`)
  requireAction(env, model, name)
  const rows = await read(env, model, [...new Set([...ids, ...activeIds(vals)])])
  const doer = isGrantedAction(env, model, name) ? env.sudo('the action is granted to a group of the user') : env
  const run = async (index: number, subject: readonly Record<string, unknown>[]): Promise<ActionResult | AppError> => {
    const handler = handlers[index]
    if (handler === undefined) return true
    return localResult(await handler(doer, subject, vals, (next) => run(index - 1, next)))
  }
  return run(handlers.length - 1, rows)
}

/** `active_ids` of a list selection: each is read with the caller's rights like the record itself. */
function activeIds(vals: Readonly<Record<string, string>>): number[] {
  const text = vals['active_ids']
  if (text === undefined || text === '') return []
  const ids = text.split(',').map(Number)
  if (ids.length > LIMITS.ids || !ids.every(isRecordId))
    throw badRequest('input_invalid', 'active_ids must be a comma-separated list of ids.')
  return ids
}

const LOCAL_PATH = /^\/(?![/\\])[^\\\s]*$/

function localResult(result: unknown): ActionResult | AppError {
  if (result instanceof AppError) return result
  if (typeof result !== 'object' || result === null) return true
  const { redirect, notice } = result as { readonly redirect: unknown; readonly notice?: unknown }
  if (typeof redirect !== 'string' || !LOCAL_PATH.test(redirect))
    throw new Error('an action may only redirect to a local path')
  return { redirect, ...(typeof notice === 'string' && { notice }) }
}
