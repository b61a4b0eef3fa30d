import {
  audit,
  behavior,
  defineModel,
  type Env,
  type FieldsOf,
  field,
  ids,
  invalid,
  type KeyScope,
  requireCredentialRight,
  requireOwnUsers,
} from '#kernel'

/** An API key without its secret, which only `kernel/auth` sees: the hash is a row of `sys_api_key_secret`. */
export const coreApiKey = defineModel('core.api.key', {
  label: 'API Key',
  order: 'id desc',
  fields: {
    name: field.char({ required: true, size: 100, help: 'What the key is used for.' }),
    user_id: field.many2one('core.user', {
      label: 'Owner',
      required: true,
      readonly: true,
      ondelete: 'cascade',
      index: true,
    }),
    hint: field.char({
      readonly: true,
      copy: false,
      size: 16,
      help: 'Beginning and end of the key, to tell keys apart.',
    }),
    expires_at: field.datetime({ label: 'Expires', readonly: true }),
    last_used_at: field.datetime({ label: 'Last Used', readonly: true, copy: false }),
    scope: field.json<KeyScope>({ readonly: true }),
    active: field.boolean({ default: true, help: 'A revoked key stays revoked.' }),
  },
})

declare module '#kernel' {
  interface Models {
    'core.api.key': CoreApiKey
  }
  interface CoreApiKey extends FieldsOf<typeof coreApiKey> {}
}

export const coreApiKeyBehavior = behavior('core.api.key', {
  events: {
    async created(env, ids) {
      requireCredentialRight(env)
      await auditKeys(env, ids, 'key_made')
    },
    async updated(env, ids, changed) {
      requireCredentialRight(env)
      await requireOwnOwners(env, ids)
      if (changed.has('active')) await revoke(env, ids)
    },
    async deleting(env, ids) {
      requireCredentialRight(env)
      await requireOwnOwners(env, ids)
      await auditKeys(env, ids, 'key_revoked')
      await forgetSecrets(env, ids)
    },
  },
  actions: {
    action_revoke: (env, rows) => env.model('core.api.key').write(ids(rows), { active: false }),
  },
})

async function requireOwnOwners(env: Env, ids: readonly number[]): Promise<void> {
  const keys = await env
    .sudo('asks only whose the keys are', { beyondScope: true })
    .model('core.api.key')
    .read(ids, ['user_id'])
  await requireOwnUsers(
    env,
    keys.flatMap(({ user_id }) => user_id?.[0] ?? []),
  )
}

/** Archiving a key deletes its secret permanently, so the key cannot be restored. */
async function revoke(env: Env, ids: readonly number[]): Promise<void> {
  const keys = await env
    .sudo('asks only whether the keys just written are active', { beyondScope: true })
    .model('core.api.key')
    .read(ids, ['active'])
  const revived = keys.filter((key) => key.active).map((key) => key.id)
  const secrets =
    revived.length === 0
      ? []
      : await env.tx.selectFrom('sys_api_key_secret').select('key_id').where('key_id', 'in', revived).execute()
  if (secrets.length < revived.length) {
    throw invalid('check_failed', { active: env.t('A revoked key stays revoked; create a new one.') })
  }
  const revoked = ids.filter((id) => !revived.includes(id))
  await forgetSecrets(env, revoked)
  await auditKeys(env, revoked, 'key_revoked')
}

/** Records keys in the audit trail by name and hint, with their owner and rights. */
async function auditKeys(env: Env, ids: readonly number[], kind: 'key_made' | 'key_revoked'): Promise<void> {
  if (ids.length === 0) return
  const keys = await env
    .sudo('the audit trail names keys and their owners', { beyondScope: true })
    .model('core.api.key')
    .read(ids, ['name', 'hint', 'user_id', 'scope'])
  await audit(
    env,
    keys.map(({ name, hint, user_id, scope }) => ({
      kind,
      subject: [name, hint].filter(Boolean).join(' '),
      detail: [user_id?.[1], scope === null ? '*' : JSON.stringify(scope)].filter(Boolean).join(' · '),
    })),
  )
}

async function forgetSecrets(env: Env, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await env.tx.deleteFrom('sys_api_key_secret').where('key_id', 'in', ids).execute()
}
