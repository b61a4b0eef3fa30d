import { badRequest, type Env, type Model, notFound, requireRecords } from '#kernel'

/** A record with messages. */
export interface Thread {
  readonly model: string
  readonly id: number
}

/** The model of a thread the caller may read, or may post to: NOT_FOUND, ACCESS_DENIED or BAD_REQUEST otherwise. */
export const requireThread = (env: Env, { model, id }: Thread, purpose: 'read' | 'post'): Promise<Model> =>
  requireThreads(env, model, [id], purpose)

/** Like `requireThread`, for records of one model. */
export async function requireThreads(
  env: Env,
  name: string,
  ids: readonly number[],
  purpose: 'read' | 'post',
): Promise<Model> {
  // A host may serve routes of addons that are not installed.
  if (env.registry.model('mail.message') === undefined)
    throw notFound('address_unknown', env.t('There is nothing at this address.'))
  const model = env.registry.model(name)
  if (model === undefined)
    throw notFound('model_unknown', env.t('There is no model {model}.', { model: name.slice(0, 80) }))
  const isPost = purpose === 'post'
  const operations = isPost && model.chatter !== 'read' ? (['read', 'write'] as const) : (['read'] as const)
  await requireRecords(env, name, ids, operations, { keep: isPost })
  if (model.chatter === 'none') {
    throw badRequest('mail.no_chatter', env.t('Records of {model} have no messages.', { model: env.t(model.label) }))
  }
  return model
}
