import { accessDenied, type Env, invalid, requireCredentialRight } from '#kernel'
import { refusePassword } from './password-policy.ts'

/** Every user has a credential row, so that the sign-in needs no special case for a missing row. */
export async function keepCredential(env: Env, userIds: readonly number[]): Promise<void> {
  await env.tx
    .insertInto('sys_credential')
    .values(userIds.map((user_id) => ({ user_id, password_hash: null })))
    .onConflict((row) => row.doNothing())
    .execute()
}

/**
 * Sets passwords: they are hashed off the event loop and stored outside the user record, and every session of the user ends.
 * An administrator can set only the first password; later only the user, or the kernel after a reset, can replace it.
 */
export async function storePasswords(env: Env, passwords: ReadonlyMap<number, string | null>): Promise<void> {
  requireCredentialRight(env)
  const userIds = [...passwords.keys()]
  await refuseForeign(env, userIds)
  for (const [user_id, given] of passwords) {
    const password = given ?? ''
    const problem = refusePassword(password)
    if (problem !== null) throw invalid('value_invalid', { password: env.t(problem.sentence, problem.values) })
    const password_hash = await env.services.passwords.hash(password)
    await env.tx
      .insertInto('sys_credential')
      .values({ user_id, password_hash })
      .onConflict((row) =>
        row
          .column('user_id')
          .doUpdateSet((old) => ({ password_hash, auth_epoch: old('sys_credential.auth_epoch', '+', 1) })),
      )
      .execute()
  }
  await endSessions(env, userIds)
}

async function refuseForeign(env: Env, userIds: readonly number[]): Promise<void> {
  const others = userIds.filter((id) => id !== env.user.id)
  if (env.isSudo || others.length === 0) return
  const taken = await env.tx
    .selectFrom('sys_credential')
    .select('user_id')
    .where('user_id', 'in', others)
    .where('password_hash', 'is not', null)
    .executeTakeFirst()
  if (taken) {
    throw accessDenied('not_permitted', env.t('A user who has a password changes it alone; send a reset link instead.'))
  }
}

const endSessions = (env: Env, userIds: readonly number[]) =>
  env.tx.deleteFrom('sys_session').where('user_id', 'in', userIds).execute()

export async function forgetCredentials(env: Env, userIds: readonly number[]): Promise<void> {
  await endSessions(env, userIds)
  await env.tx.deleteFrom('sys_credential').where('user_id', 'in', userIds).execute()
}
