import { mayUseModel, requireModel } from '../access/acl.ts'
import { unknownModel } from '../access/reach.ts'
import type { Env } from '../env.ts'
import { accessDenied, notFound } from '../errors.ts'
import { nounInSentence } from '../i18n/translate.ts'
import type { Model } from '../model/registry.ts'
import type { ViewTables, WindowAction } from '../view/tables.ts'

/** Whether the user is in one of the groups of a menu, an action or a part of a view; without groups it is for everybody. */
export const isMeantFor = (env: Env, groupIds: readonly number[]): boolean =>
  groupIds.length === 0 || env.isSudo || groupIds.some((id) => env.user.groupIds.has(id))

/** The translated text of a menu or action of an addon; texts that users wrote are not translated. */
export const menuText = ({ t }: Env, { module }: { readonly module: string | null }, text: string): string =>
  module === null ? text : t(text)

/** The word for one record of an action, inside a sentence. */
export const recordNameOf = (env: Env, model: Model, action: WindowAction): string =>
  nounOf(env, action, action.recordName ?? model.label)

/** A word for records of an action, in the form used inside a sentence. */
const nounOf = (env: Env, action: WindowAction, noun: string): string =>
  nounInSentence(menuText(env, action, noun), env.lang)

/** The singular and plural words for records of an action within a sentence; empty unless the action declares both. */
export function recordNamesOf(
  env: Env,
  action: WindowAction | null,
): { readonly recordNames?: readonly [one: string, several: string] } {
  const { recordName, recordNames } = action ?? {}
  if (!action || !recordName || !recordNames) return {}
  return { recordNames: [nounOf(env, action, recordName), nounOf(env, action, recordNames)] }
}

/** The action that names records of a model where no action is open: the one whose word for one record is the label of the model. */
export const namingAction = (views: ViewTables, { name, label }: Model): WindowAction | null =>
  [...views.actions.values()].find(({ model, recordName }) => model === name && recordName === label) ?? null

/** Whether the user may open an action: its groups include the user, and the user may read its model. */
export function mayOpen(env: Env, action: WindowAction): boolean {
  const model = env.registry.model(action.model)
  return isOffered(model) && isMeantFor(env, action.groupIds) && mayUseModel(env, action.model, 'read')
}

export function requireWindowAction(env: Env, views: ViewTables, id: number): WindowAction {
  const action = views.actions.get(id)
  if (action === undefined || !isOffered(env.registry.model(action.model))) {
    throw notFound('action_unknown', `There is no action ${id}.`, { parameter: 'action' })
  }
  if (!isMeantFor(env, action.groupIds))
    throw accessDenied('group_required', 'You are not allowed to open this action.')
  return action
}

/** A model whose records the user may see, by name. */
export function requireShownModel(env: Env, name: string): Model {
  const model = env.registry.model(name)
  if (!isOffered(model)) throw unknownModel(env.t, name, { parameter: 'model' })
  requireModel(env, model, 'read')
  return model
}

const isOffered = (model: Model | undefined): model is Model => model !== undefined && model.rpc !== 'none'
