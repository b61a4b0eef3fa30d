import { accessDenied, type Env, type FieldName, sql } from '#kernel'

/** Fields of their own partner that users may change; only administrators may change the others. */
const SELF_WRITABLE: ReadonlySet<FieldName<'core.partner'>> = new Set([
  'email',
  'phone',
  'mobile',
  'website',
  'street',
  'street2',
  'city',
  'zip',
  'country_id',
  'latitude',
  'longitude',
  'lang',
  'image',
])

/** The partner of a company is master data of the company and that of a user stands for the user: administrators change both. */
export async function refuseOwnedPartners(
  env: Env,
  ids: readonly number[],
  changed: ReadonlySet<FieldName<'core.partner'>>,
): Promise<void> {
  if (env.hasGroup('base.group_system')) return
  // Whatever the caller may see of them; a company has no user.
  const { rows } = await sql<{ user_id: number | null }>`
    select null::int as user_id from core_company where partner_id = any(${ids}::int[])
    union all select id from core_user where partner_id = any(${ids}::int[])`.execute(env.tx)
  const owners = rows.map(({ user_id }) => user_id)
  if (owners.includes(null))
    throw accessDenied('group_required', env.t('Only an administrator may change the partner of a company.'))
  if (owners.some((id) => id !== env.user.id))
    throw accessDenied('group_required', env.t('Only an administrator may change the partner of a user.'))
  const beyond = [...changed].filter((name) => !SELF_WRITABLE.has(name)).sort()
  if (owners.length > 0 && beyond.length > 0) {
    const fields = beyond.join(', ')
    throw accessDenied('group_required', env.t('Only an administrator may change {fields} of a user.', { fields }))
  }
}
