import { relatedSteps } from '../domain/relation.ts'
import type { Env } from '../env.ts'
import { accessDenied } from '../errors.ts'
import type { Field } from '../model/fields/field.ts'
import type { Model } from '../model/registry.ts'
import { requireScope, scopeCovers } from './key-scope.ts'
import type { AccessLine, Operation } from './tables.ts'

/** Whether the caller may do this with the model at all: the scope of its key covers it and an access line allows it. */
export const mayUseModel = (env: Env, model: string, operation: Operation): boolean =>
  scopeCovers(env.user.scope, model, operation) && linesAllow(env, model, operation)

/** Whether an access line lets the user do this with the model; no line means no. */
export function linesAllow(env: Env, model: string, operation: Operation): boolean {
  if (env.isSudo) return true
  return (env.access.lines.get(model) ?? []).some((line) => line.allows[operation] && appliesToUser(env, line))
}

/** Whether an access line applies to the user; a line without a group applies to every internal user. */
export const appliesToUser = (env: Env, { groupId }: AccessLine): boolean =>
  groupId === null ? env.hasGroup('base.group_user') : env.user.groupIds.has(groupId)

/** Why an operation on a model is refused. */
export const REFUSED: Readonly<Record<Operation, string>> = {
  read: 'You are not allowed to read records of {model}.',
  write: 'You are not allowed to change records of {model}.',
  create: 'You are not allowed to create records of {model}.',
  unlink: 'You are not allowed to delete records of {model}.',
}

export function requireModel(env: Env, model: Model, operation: Operation): void {
  if (mayUseModel(env, model.name, operation)) return
  throw accessDenied('model_access', env.t(REFUSED[operation], { model: env.t(model.label) }))
}

/** Throws for a model that only server code writes, whatever rights the caller has. */
export function requireWritableModel({ rpc, label }: Model): void {
  if (rpc === 'read') throw accessDenied('model_read_only', `Records of ${label} can only be read.`)
}

/** Like `requireModel`, for a form that is being edited: nothing is written, so the scope of a key need only cover reading. */
export function requireDraft(env: Env, model: Model, operation: Operation): void {
  if (scopeCovers(env.user.scope, model.name, 'read') && linesAllow(env, model.name, operation)) return
  throw accessDenied('model_access', env.t(REFUSED[operation], { model: env.t(model.label) }))
}

/** Whether the user may read and search the field. A secret field may never be used, not even under sudo. */
export function mayReadField(env: Env, field: Field): boolean {
  if (field.secret || (field.holdsOthers && !coversEverything(env))) return false
  return mayWriteField(env, field) && isInOneOf(env, field.privateTo)
}

/** Whether the scope of the caller's key, if it has one, lets it read every model. */
const coversEverything = ({ user, registry }: Env): boolean =>
  user.scope === null || [...registry.models.keys()].every((model) => scopeCovers(user.scope, model, 'read'))

/** Whether the user may read the field at least on their own user record. */
export const mayReadOwn = (env: Env, field: Field): boolean =>
  mayReadField(env, field) || (field.privateTo.length > 0 && !field.secret && mayWriteField(env, field))

/** Whether the user is in the groups that may run an action of the model. */
export const mayCallAction = (env: Env, model: Model, action: string): boolean =>
  (model.actionGroups.get(action) ?? []).every((groups) => isInOneOf(env, groups))

export function requireAction(env: Env, model: Model, action: string): void {
  if (!mayCallAction(env, model, action))
    throw accessDenied('group_required', env.t('You are not allowed to run this action.'))
}

/** Throws unless the caller could run the action now. For an action that is to run later. */
export function requireCall(env: Env, name: string, action: string): void {
  requireScope(env.user.scope, { model: name, method: 'call', isRead: false })
  const model = env.registry.model(name)
  if (model === undefined) return
  requireModel(env, model, 'read')
  requireAction(env, model, action)
}

/** Whether the user is in a group that may run the action on every record it may read, without the right to change it. */
export const isGrantedAction = (env: Env, model: Model, action: string): boolean =>
  (model.grantedActions.get(action) ?? []).some((group) => env.hasGroup(group))

const isInOneOf = (env: Env, groups: readonly string[]): boolean =>
  groups.length === 0 || groups.some((group) => env.hasGroup(group))

export function mayWriteField(env: Env, field: Field): boolean {
  return isInOneOf(env, field.groups) && (field.related === null || maySeeAlong(env, field))
}

/**
 * A related field shows the value of another field, so the user must be allowed to read that field and every field on the
 * path to it.
 */
function maySeeAlong(env: Env, field: Field): boolean {
  const { steps, last } = relatedSteps(env.registry, env.registry.model(field.model)!, field)
  return [...steps, last].every((step) => mayReadField(env, step.field))
}
