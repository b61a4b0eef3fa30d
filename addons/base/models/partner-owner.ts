import { accessDenied, type Env, type FieldName, sql, type WriteGuard } from '#kernel'

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

/** Who may change a partner that stands for a user or a company. */
export const KEEPERS = { user: 'Its User', admin: 'Administrators' } as const

/** The users that a partner stands for, and null for each company. */
type Owners = readonly (number | null)[]

/** The partner of a company is master data of the company and that of a user stands for the user: administrators change both. */
export const ownerGuard: WriteGuard<'core.partner'> = {
  reads: (env) =>
    env.hasGroup('base.group_system')
      ? null
      : (id) => sql`(select json_agg(owner) from (${OWNERS}) as owned where partner_id = ${id})`,
  check(env, read, changed) {
    const owners = (read as readonly (Owners | null)[]).flatMap((each) => each ?? [])
    if (owners.includes(null))
      throw accessDenied('group_required', env.t('Only an administrator may change the contact of a company.'))
    if (owners.some((id) => id !== env.user.id))
      throw accessDenied('group_required', env.t('Only an administrator may change the contact of a user.'))
    const beyond = [...changed].filter((name) => !SELF_WRITABLE.has(name)).sort()
    if (owners.length > 0 && beyond.length > 0) {
      const fields = beyond.join(', ')
      throw accessDenied('group_required', env.t('Only an administrator may change {fields} of a user.', { fields }))
    }
  },
}

const OWNERS = sql`select partner_id, id as owner from core_user union all select partner_id, null from core_company`

/** By partner that stands for somebody; regardless of what the caller may see. */
async function ownersOf(env: Env, ids: readonly number[]): Promise<ReadonlyMap<number, Owners>> {
  const { rows } = await sql<{ id: number; owners: Owners }>`
    select partner_id as id, array_agg(owner) as owners from (${OWNERS}) as owned
    where partner_id = any(${ids}::int[]) group by partner_id`.execute(env.tx)
  return new Map(rows.map(({ id, owners }) => [id, owners]))
}

/** The partners that the caller may not change, with who may; administrators may change every partner. */
export async function keepersOf(
  env: Env,
  ids: readonly number[],
): Promise<ReadonlyMap<number, keyof typeof KEEPERS | null>> {
  if (env.hasGroup('base.group_system')) return new Map()
  const isOwn = (owner: number | null) => owner === env.user.id
  return new Map([...(await ownersOf(env, ids))].map(([id, owners]) => [id, owners.every(isOwn) ? 'user' : 'admin']))
}
