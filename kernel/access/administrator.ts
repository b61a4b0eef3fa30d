import type { Caller } from '../auth/principal.ts'

/** The refusal of most routes of the administration. */
export const ADMINISTRATORS_ONLY = 'Only an administrator may do this.'

export function isAdministrator({ state, user }: Pick<Caller, 'state' | 'user'>): boolean {
  const administrators = state.access.groupIdByXmlid.get('base.group_system')
  return administrators !== undefined && user.groupIds.has(administrators)
}
