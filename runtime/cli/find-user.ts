import { loginKey } from '../../kernel/auth/check-password.ts'
import type { Env } from '../../kernel/env.ts'
import { notFound } from '../../kernel/errors.ts'
import { sql } from '../../kernel/sql/sql.ts'

export interface FoundUser {
  readonly id: number
  /** The login in the spelling with which the user was created. */
  readonly login: string
}

/** The user with this login, archived or not; logins are compared as at the sign-in. */
export async function findUser(env: Env, login: string): Promise<FoundUser> {
  const { rows } = await sql<FoundUser>`
    select id, login from core_user where login_key = ${loginKey(login)}`.execute(env.tx)
  if (!rows[0]) throw notFound('record_not_found', `There is no user ${login}.`)
  return rows[0]
}
