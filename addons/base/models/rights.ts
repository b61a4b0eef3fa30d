import { bumpAccessEpoch, type Env, requireCredentialRight } from '#kernel'

/** Access lines and record rules decide what users may do, so changing them takes the same right as changing who is in a group. */
export async function changeRights(env: Env): Promise<void> {
  requireCredentialRight(env)
  await bumpAccessEpoch(env)
}
