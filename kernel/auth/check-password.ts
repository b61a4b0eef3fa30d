import { normalForm } from '../model/normal-form.ts'
import type { Services } from '../services.ts'
import { sql } from '../sql/sql.ts'

/** Logins that differ only in case, in blanks around them, in invisible characters or in the encoding of the same letters are one login. */
export const loginKey = (login: string): string =>
  normalForm(login, 'NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .toLowerCase()

interface CredentialRow {
  readonly id: number
  readonly password_hash: string | null
}

/** Stored passwords are shorter, so longer input is refused without the cost of hashing it. */
const MAX_CHARS = 1_024

/**
 * The active user with this login and password; null otherwise. Every call takes one query and one hash, so neither the
 * answer nor its timing reveals whether the login exists.
 */
export async function checkPassword(services: Services, login: string, password: string): Promise<number | null> {
  const { rows } = await sql<CredentialRow>`
    select u.id, c.password_hash from core_user u left join sys_credential c on c.user_id = u.id
    where u.login_key = ${loginKey(login.slice(0, MAX_CHARS))} and u.active`.execute(services.db)
  return verify(services, rows[0], password)
}

/** Whether this is the password of a user who is known already. */
export async function isPasswordOf(services: Services, userId: number, password: string): Promise<boolean> {
  const row = await services.db
    .selectFrom('sys_credential')
    .select(['user_id as id', 'password_hash'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return (await verify(services, row, password)) !== null
}

async function verify(services: Services, row: CredentialRow | undefined, password: string): Promise<number | null> {
  const { passwords } = services
  const stored = row?.password_hash ?? passwords.decoy
  const fits = password.length <= MAX_CHARS && (await passwords.verify(password, stored))
  if (!fits || !row?.password_hash) return null
  if (passwords.isOutdated(stored)) await renewHash(services, row.id, stored, password)
  return row.id
}

/** Replaces a hash that was made with a lower cost, since the password is known at this moment. */
async function renewHash(services: Services, userId: number, stored: string, password: string): Promise<void> {
  const fresh = await services.passwords.hash(password)
  await services.db
    .updateTable('sys_credential')
    .set({ password_hash: fresh })
    .where('user_id', '=', userId)
    .where('password_hash', '=', stored)
    .execute()
}
