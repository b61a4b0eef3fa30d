import { findPrincipal } from '../../kernel/auth/principal.ts'
import type { Env } from '../../kernel/env.ts'
import { notFound } from '../../kernel/errors.ts'
import { findUser } from './find-user.ts'

/** An env with the rights of an active user instead of those of the service. */
export async function asUser(env: Env, login: string): Promise<Env> {
  const principal = await findPrincipal(env, (await findUser(env, login)).id)
  if (principal === null) throw notFound('record_not_found', `The user ${login} is archived.`)
  return env.as(principal)
}
