import { accessDenied, type Env, type FieldName } from '#kernel'

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
  const everybody = env.sudo('asks only whether the partners belong to companies or users', { beyondScope: true })
  const owned = await everybody.model('core.company').count([['partner_id', 'in', ids]], { archived: 'include' })
  if (owned > 0)
    throw accessDenied('group_required', env.t('Only an administrator may change the partner of a company.'))
  const owners = await everybody.model('core.user').search([['partner_id', 'in', ids]], { archived: 'include' })
  if (owners.some((id) => id !== env.user.id))
    throw accessDenied('group_required', env.t('Only an administrator may change the partner of a user.'))
  const beyond = [...changed].filter((name) => !SELF_WRITABLE.has(name)).sort()
  if (owners.length > 0 && beyond.length > 0) {
    const fields = beyond.join(', ')
    throw accessDenied('group_required', env.t('Only an administrator may change {fields} of a user.', { fields }))
  }
}
