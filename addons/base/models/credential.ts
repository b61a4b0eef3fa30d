import {
  accessDenied,
  actorOf,
  audit,
  type Env,
  invalid,
  refusePassword,
  requireCredentialRight,
  sendPasswordNotice,
} from '#kernel'

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
  const changing = await withPassword(env, userIds)
  refuseForeign(env, changing)
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
  await auditPasswords(env, userIds)
  for (const id of changing) await sendPasswordNotice(env, id)
}

async function auditPasswords(env: Env, userIds: readonly number[]): Promise<void> {
  const users = await env
    .sudo('the audit trail names users', { beyondScope: true })
    .model('core.user')
    .read(userIds, ['name'])
  const actor = actorOf(env)
  // A visitor who is not signed in has a link; whoever has it acts as its user.
  const isByLink = actor.id <= 0 && actor.address !== null
  for (const { id, name } of users)
    await audit(
      env,
      [{ kind: 'password_changed', subject: name, detail: isByLink ? 'link' : null }],
      isByLink ? { ...actor, id, name } : actor,
    )
}

async function withPassword(env: Env, userIds: readonly number[]): Promise<number[]> {
  const rows = await env.tx
    .selectFrom('sys_credential')
    .select('user_id')
    .where('user_id', 'in', userIds)
    .where('password_hash', 'is not', null)
    .execute()
  return rows.map((row) => row.user_id)
}

function refuseForeign(env: Env, changing: readonly number[]): void {
  if (env.isSudo || changing.every((id) => id === env.user.id)) return
  throw accessDenied('not_permitted', env.t('A user who has a password changes it alone; send a reset link instead.'))
}

export const forgetResetLinks = (env: Env, userIds: readonly number[]) =>
  env.tx.deleteFrom('sys_reset').where('user_id', 'in', userIds).execute()

const endSessions = (env: Env, userIds: readonly number[]) =>
  env.tx.deleteFrom('sys_session').where('user_id', 'in', userIds).execute()

/** Ends all sessions, links and API keys of users. They stay ended if the user is activated again. */
export async function endAccess(env: Env, userIds: readonly number[]): Promise<void> {
  await endSessions(env, userIds)
  await forgetResetLinks(env, userIds)
  const keys = env
    .sudo('the keys of an archived user are revoked, whoever archives', { beyondScope: true })
    .model('core.api.key')
  const open = await keys.search([['user_id', 'in', userIds]])
  if (open.length > 0) await keys.write(open, { active: false })
}

export async function forgetCredentials(env: Env, userIds: readonly number[]): Promise<void> {
  await endSessions(env, userIds)
  await env.tx.deleteFrom('sys_credential').where('user_id', 'in', userIds).execute()
}
