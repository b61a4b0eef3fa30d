import { type AuditEntry, audit, type Env, type FieldName } from '#kernel'

const readAll = (env: Env) => env.sudo('the audit trail names users and groups', { beyondScope: true })

/** Records new users with their groups in the audit trail. */
export const auditNewUsers = (env: Env, ids: readonly number[]) => tell(env, ids, 'user_added')

/** Records changes of users in the audit trail if they concern the sign-in, rights, or the name by which others know the user. */
export async function auditUsers(
  env: Env,
  ids: readonly number[],
  changed: ReadonlySet<FieldName<'core.user'>>,
): Promise<void> {
  const names = (['name', 'login', 'email'] as const).filter((name) => changed.has(name))
  if (changed.has('group_ids') || changed.has('company_ids')) await tell(env, ids, 'rights_changed')
  if (names.length === 0 && !changed.has('active')) return
  const users = await readAll(env).model('core.user').read(ids, ['name', 'active'])
  await audit(
    env,
    users.flatMap(({ name, active }): AuditEntry[] => [
      ...(changed.has('active')
        ? [{ kind: active ? 'user_activated' : 'user_deactivated', subject: name } as const]
        : []),
      ...(names.length > 0 ? [{ kind: 'user_changed', subject: name, detail: names.join(', ') } as const] : []),
    ]),
  )
}

export async function auditDeletedUsers(env: Env, ids: readonly number[]): Promise<void> {
  const users = await readAll(env).model('core.user').read(ids, ['name'])
  await audit(
    env,
    users.map(({ name }) => ({ kind: 'user_deleted', subject: name })),
  )
}

async function tell(env: Env, ids: readonly number[], kind: 'user_added' | 'rights_changed'): Promise<void> {
  const users = await readAll(env).model('core.user').read(ids, ['name', 'group_ids', 'company_ids'])
  const groups = await namesOf(env, 'core.group', new Set(users.flatMap(({ group_ids }) => group_ids)))
  const companies = await namesOf(env, 'core.company', new Set(users.flatMap(({ company_ids }) => company_ids)))
  await audit(
    env,
    users.map(({ name, group_ids, company_ids }) => ({
      kind,
      subject: name,
      detail: `${group_ids.map(groups).join(', ')} · ${company_ids.map(companies).join(', ')}`,
    })),
  )
}

async function namesOf(
  env: Env,
  model: 'core.group' | 'core.company',
  ids: ReadonlySet<number>,
): Promise<(id: number) => string> {
  // The trail stores English names, whatever the language of the user; readers see them in their language.
  const records = await readAll(env)
    .inLanguage('en')
    .model(model)
    .read([...ids], ['display_name'])
  const names = new Map(records.map(({ id, display_name }) => [id, display_name]))
  return (id) => names.get(id) ?? `${id}`
}
