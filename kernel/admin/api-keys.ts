import { linesAllow } from '../access/acl.ts'
import { ADMINISTRATORS_ONLY } from '../access/administrator.ts'
import { type KeyScope, METHODS_FOR, readScope, scopeAllows, scopeCovers } from '../access/key-scope.ts'
import { requireOwnUsers } from '../access/own-users.ts'
import type { Operation } from '../access/tables.ts'
import { createApiKey } from '../auth/api-key.ts'
import { findPrincipal } from '../auth/principal.ts'
import { asKernel, type Env } from '../env.ts'
import { accessDenied, badRequest, notFound } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { Model } from '../model/registry.ts'
import type {
  WireApiKeys,
  WireKeyModel,
  WireKeyModels,
  WireKeyRight,
  WireKeyScope,
  WireNewApiKey,
} from './wire-keys.ts'

const OPERATIONS = ['read', 'write', 'create', 'unlink'] as const satisfies readonly Operation[]
const DAY_MS = 86_400_000

/** The keys the caller may see: all keys for administrators, otherwise their own. Revoked ones are last. `q` is part of a name. */
export async function listApiKeys(env: Env, q = ''): Promise<WireApiKeys> {
  const found = (['name', 'hint', 'user_id'] as const).map((name) => [name, 'ilike', q] as const)
  const domain = q === '' ? [] : (['|', '|', ...found] as const)
  const keys = await env
    .model('core.api.key')
    .searchRead(
      domain,
      ['name', 'hint', 'user_id', 'scope', 'expires_at', 'last_used_at', 'active', 'create_date', 'write_date'],
      { archived: 'include', order: 'active desc, id desc', limit: LIMITS.records },
    )
  const owners = env.hasGroup('base.group_system')
    ? await env.model('core.user').searchRead([], ['name'], { order: 'name' })
    : [env.user]
  return {
    keys: keys.map((key) => ({
      id: key.id,
      name: key.name,
      hint: key.hint,
      owner: { id: key.user_id?.[0] ?? 0, name: key.user_id?.[1] ?? '' },
      scope: describeScope(env, readScope(key.scope)),
      expiresAt: key.expires_at,
      usedAt: key.last_used_at,
      createdAt: key.create_date,
      active: key.active,
      changedAt: key.write_date,
    })),
    total:
      keys.length < LIMITS.records
        ? keys.length
        : await env.model('core.api.key').count(domain, { archived: 'include' }),
    owners: owners.map(({ id, name }) => ({ id, name })),
    maxDays: LIMITS.keyDays,
  }
}

function describeScope(env: Env, scope: KeyScope | null): WireKeyScope {
  const models = Object.keys(scope?.models ?? {})
  return {
    isWhole: scope?.models === undefined,
    isReadOnly: scope?.read_only === true,
    credentials: scope?.credentials === true,
    models: models.map((name) => {
      const known = env.registry.model(name)
      return {
        model: name,
        label: name === '*' ? env.t('All other models') : known === undefined ? name : env.t(known.label),
        rights: [
          ...OPERATIONS.filter((operation) => scopeCovers(scope, name, operation)),
          ...(scopeAllows(scope, { model: name, method: 'call', isRead: false }) ? (['call'] as const) : []),
        ],
      }
    }),
  }
}

/** The models a user may use, and how: a key of that user can never do more. */
export async function listKeyModels(env: Env, userId: number): Promise<WireKeyModels> {
  const owner = await findPrincipal(env, userId)
  if (owner === null)
    throw notFound('record_not_found', env.t('There is no such user.'), { model: 'core.user', id: userId })
  const as = env.as(owner)
  return {
    methods: { ...METHODS_FOR, call: ['call'] },
    models: [...env.registry.models.values()]
      .filter(({ rpc }) => rpc !== 'none')
      .map((model) => toKeyModel(as, model))
      .filter(({ rights }) => rights.length > 0)
      .sort((a, b) => Number(a.isTechnical) - Number(b.isTechnical) || a.label.localeCompare(b.label)),
  }
}

function toKeyModel(env: Env, model: Model): WireKeyModel {
  const may = (operation: Operation) =>
    (operation === 'read' || model.rpc === 'all') && linesAllow(env, model.name, operation)
  const rights: WireKeyRight[] = OPERATIONS.filter(may)
  if (may('read') && model.rpc === 'all' && model.actions.size > 0) rights.push('call')
  return {
    model: model.name,
    label: env.t(model.label),
    module: model.addon,
    isTechnical: model.name.startsWith('sys.'),
    rights,
  }
}

export interface ApiKeyInput {
  readonly name: string
  readonly expires_days: number
  readonly scope: Readonly<Record<string, unknown>> | null
}

/** A key for a user. The handler has asked for an administrator and a recent password. */
export async function issueApiKey(env: Env, input: ApiKeyInput & { readonly user_id: number }): Promise<WireNewApiKey> {
  const [owner] = await env.model('core.user').searchRead([['id', '=', input.user_id]], ['name'])
  if (!owner)
    throw notFound('record_not_found', env.t('There is no such user.'), { model: 'core.user', id: input.user_id })
  await requireOwnUsers(env, [input.user_id])
  return issueKeyOf(env, owner, input)
}

/**
 * A key of the caller's own. The handler has asked for a recent password. A key that changes credentials would be a way around that
 * question, so only administrators make one.
 */
export async function issueOwnApiKey(env: Env, input: ApiKeyInput): Promise<WireNewApiKey> {
  // Counts with the rights of the user: it fails for a user who may not read keys, and so could never revoke this one.
  const own = await env.model('core.api.key').count([['user_id', '=', env.user.id]])
  if (own >= LIMITS.ownKeys)
    throw badRequest('limit_exceeded', env.t('You have {n} keys. Revoke one that you no longer need.', { n: own }), {
      limit: LIMITS.ownKeys,
    })
  if (input.scope?.['credentials'] === true && !env.hasGroup('base.group_system'))
    throw accessDenied('group_required', env.t(ADMINISTRATORS_ONLY))
  return issueKeyOf(env, env.user, input)
}

async function issueKeyOf(
  env: Env,
  owner: { readonly id: number; readonly name: string },
  { name, expires_days, scope }: ApiKeyInput,
): Promise<WireNewApiKey> {
  const expiresAt = new Date(env.now.getTime() + expires_days * DAY_MS).toISOString()
  const { id, key } = await createApiKey(asKernel(env), { userId: owner.id, name, expiresAt, scope })
  return { id, name, key, owner: owner.name, expiresAt }
}
