import { conflict, type Env } from '#kernel'

/** Records that are about to be deleted and are not counted. */
interface Leaving {
  readonly withoutUsers?: readonly number[]
  readonly withoutGroups?: readonly number[]
}

/**
 * Throws if no active administrator would be left. Call it after `bumpAccessEpoch`, whose row lock serialises such changes.
 * Not checked under sudo, because a new database has no administrator yet.
 */
export async function requireAdministrator(env: Env, leaving: Leaving = {}): Promise<void> {
  if (env.isSudo) return
  const everybody = env.sudo('administrators are counted, whoever is asking', { beyondScope: true })
  const groups = await administratorGroups(everybody, leaving.withoutGroups ?? [])
  const left = await everybody.model('core.user').count([
    ['group_ids', 'in', groups],
    ['active', '=', true],
    ['id', 'not in', leaving.withoutUsers ?? []],
  ])
  if (left === 0) throw conflict('business_rule', env.t('At least one active user must remain an administrator.'))
}

/** `base.group_system` and every group that implies it, as they were when the request began. */
export function givingAdministration({ access }: Env): readonly number[] {
  const system = access.groupIdByXmlid.get('base.group_system')
  if (system === undefined) return []
  return [...access.impliedGroups].flatMap(([id, implied]) => (implied.has(system) ? [id] : []))
}

/** `base.group_system` and every group that implies it, as the database has them now. */
async function administratorGroups(env: Env, without: readonly number[]): Promise<number[]> {
  const system = env.access.groupIdByXmlid.get('base.group_system')
  const found = system === undefined || without.includes(system) ? [] : [system]
  for (let frontier = found; frontier.length > 0; ) {
    frontier = await env.model('core.group').search([
      ['implied_ids', 'in', frontier],
      ['id', 'not in', [...found, ...without]],
    ])
    found.push(...frontier)
  }
  return found
}
