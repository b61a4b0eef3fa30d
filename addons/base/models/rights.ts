import { bumpAccessEpoch, type Env, requireCredentialRight } from '#kernel'
import { auditRights } from './audit-rights.ts'

/** Access lines and record rules decide what users may do, so changing them needs the same right as changing the members of a group. */
export function rightsEvents(model: 'sys.access' | 'sys.rule') {
  const change = (what: string) => async (env: Env, ids: readonly number[]) => {
    requireCredentialRight(env)
    await bumpAccessEpoch(env)
    await auditRights(env, model, ids, what)
  }
  return { created: change('added'), updated: change('changed'), deleting: change('deleted') }
}
