import type { Env } from '../env.ts'
import { accessDenied } from '../errors.ts'

/** Every handler of the administration asks this first. */
export function requireAdministrator(env: Env): void {
  if (!env.hasGroup('base.group_system'))
    throw accessDenied('group_required', env.t('Only an administrator may do this.'))
}
