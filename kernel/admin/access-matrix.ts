import { appliesToUser, linesAllow } from '../access/acl.ts'
import { applicableRules } from '../access/rules.ts'
import type { Operation } from '../access/tables.ts'
import { findPrincipal } from '../auth/principal.ts'
import type { Env, Principal } from '../env.ts'
import { notFound } from '../errors.ts'
import type { Model } from '../model/registry.ts'
import { listRoles } from './roles.ts'
import type { WireAccessMatrix, WireAccessRow, WireNamed, WireRight } from './wire-access.ts'

/** Whose rights are shown: a user's, or those of a group by itself. */
export type MatrixSubject = { readonly user: number } | { readonly group: number }

const RIGHTS = ['read', 'write', 'create', 'unlink'] as const satisfies readonly Operation[]

/** What a user or a group may do with each model, decided as for every request, and which groups and rules say so. */
export async function accessMatrix(env: Env, subject: MatrixSubject): Promise<WireAccessMatrix> {
  const { principal, directIds } = await principalOf(env, subject)
  const as = env.as(principal)
  const people = await env.model('core.user').searchRead([], ['name'])
  return {
    people: people.map(({ id, name }) => ({ id, name })),
    roles: await listRoles(env),
    directIds,
    rows: [...env.registry.models.values()]
      .filter(({ rpc }) => rpc !== 'none')
      .map((model) => rowOf(as, model))
      .sort((a, b) => Number(a.isTechnical) - Number(b.isTechnical) || a.label.localeCompare(b.label)),
  }
}

async function principalOf(
  env: Env,
  subject: MatrixSubject,
): Promise<{ readonly principal: Principal; readonly directIds: readonly number[] }> {
  if ('user' in subject) {
    const principal = await findPrincipal(env, subject.user)
    if (principal === null)
      throw notFound('record_not_found', env.t('There is no such user.'), { model: 'core.user', id: subject.user })
    const [user] = await env.model('core.user').read([subject.user], ['group_ids'])
    return { principal, directIds: user?.group_ids ?? [] }
  }
  const groupIds = env.access.impliedGroups.get(subject.group)
  if (groupIds === undefined)
    throw notFound('record_not_found', env.t('There is no such group.'), { model: 'core.group', id: subject.group })
  return { principal: { ...env.user, groupIds }, directIds: [subject.group] }
}

/** The fields of a model by label, also those that no user may read: an explanation can be asked for each. */
export function modelFields(env: Env, name: string): readonly WireNamed[] {
  const model = env.registry.model(name)
  if (model === undefined || model.rpc === 'none')
    throw notFound('model_unknown', `There is no model ${name}.`, { model: name })
  return [...model.fields.values()]
    .map((field) => ({ name: field.name, label: env.t(field.label) }))
    .sort((a, b) => a.label.localeCompare(b.label))
}

function rowOf(env: Env, model: Model): WireAccessRow {
  const rights = Object.fromEntries(RIGHTS.map((operation) => [operation, rightOf(env, model, operation)]))
  return {
    model: model.name,
    label: env.t(model.label),
    module: model.addon,
    isTechnical: model.name.startsWith('sys.'),
    // All four operations have just been added.
    rights: rights as Readonly<Record<Operation, WireRight>>,
  }
}

function rightOf(env: Env, model: Model, operation: Operation): WireRight {
  const lines = env.access.lines.get(model.name) ?? []
  const givers = lines
    .filter((line) => line.allows[operation] && appliesToUser(env, line))
    .map(({ groupId }) => groupId)
  const allowed = linesAllow(env, model.name, operation)
  const rules = allowed ? applicableRules(env, model, operation) : []
  return {
    allowed,
    groupIds: [...new Set(givers)],
    rules: rules.map(({ name, groupIds }) => ({ name: env.t(name), isForAll: groupIds.length === 0 })),
  }
}
