import { sha256 } from '@noble/hashes/sha2.js'
import { fromBase64Url, toBase64Url } from '../bytes.ts'
import type { Env } from '../env.ts'
import type { Services } from '../services.ts'
import type { Db } from '../sql/database.ts'
import { sql } from '../sql/sql.ts'

const TOKEN_BYTES = 32

/** How long a link works. An invitation works longer, because its receiver does not expect it. */
const MINUTES = { reset: 30, invitation: 7 * 24 * 60 } as const

/** A link that sets a new password for this user; it works once, within half an hour or, as an invitation, within a week, for anyone who has it. */
export async function createResetLink(
  env: Env,
  userId: number,
  { isInvitation = false }: { readonly isInvitation?: boolean } = {},
): Promise<string> {
  const { services } = env
  const token = services.random(TOKEN_BYTES)
  // A newer link replaces the older one of its kind. A reset link does not replace an invitation, because any visitor may request one.
  // The credential epoch invalidates both when the password changes in any way.
  await sql`
    insert into sys_reset (user_id, token_hash, auth_epoch, expires_at, invited_at)
    values (${userId}, ${sha256(token)},
      coalesce((select auth_epoch from sys_credential where user_id = ${userId}), 0),
      now() + ${MINUTES[isInvitation ? 'invitation' : 'reset']} * interval '1 minute',
      case when ${isInvitation} then now() end)
    on conflict (user_id, (invited_at is null)) do update set token_hash = excluded.token_hash,
      auth_epoch = excluded.auth_epoch, expires_at = excluded.expires_at, invited_at = excluded.invited_at`.execute(
    env.tx,
  )
  return `${linkOrigin(services)}/web/reset?token=${toBase64Url(token)}`
}

/** Ends every link of a user, invitations included: an administrator's new link replaces any that others may have got hold of. */
export const endLinks = (env: Env, userId: number) =>
  env.tx.deleteFrom('sys_reset').where('user_id', '=', userId).execute()

/** Never taken from a request header: the person who requests a link must not be able to choose its host. */
export const linkOrigin = ({ publicUrl, ownUrl }: Services): string => publicUrl ?? ownUrl ?? 'http://localhost:8069'

const VALID = sql`
  expires_at > now() and exists (
    select from core_user u left join sys_credential c on c.user_id = u.id
    where u.id = sys_reset.user_id and u.active and coalesce(c.auth_epoch, 0) = sys_reset.auth_epoch)`

/** The user whose password a link sets. */
export interface LinkAccount {
  readonly login: string
  /** Name of the default company of the user. */
  readonly company: string
  /** Whether there is no password yet. */
  readonly isFirst: boolean
}

/** The user whose password a link sets; null if the link is no longer valid. Does not consume it, because mail scanners open every link. */
export async function accountOfResetToken(db: Db, token: string): Promise<LinkAccount | null> {
  const hash = hashOf(token)
  if (!hash) return null
  const { rows } = await sql<{ id: number; login: string; company: string }>`
    select u.id, u.login, c.name as company
    from sys_reset join core_user u on u.id = sys_reset.user_id join core_company c on c.id = u.company_id
    where token_hash = ${hash} and ${VALID}`.execute(db)
  const [account] = rows
  if (account === undefined) return null
  const { id, login, company } = account
  return { login, company, isFirst: !(await hasPassword(db, id)) }
}

/** Whether a user has a password yet; an invited user chooses the first one. */
export async function hasPassword(db: Db, userId: number): Promise<boolean> {
  const credential = await db
    .selectFrom('sys_credential')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('password_hash', 'is not', null)
    .executeTakeFirst()
  return credential !== undefined
}

/** Consumes a link and returns its user, or null. Of several concurrent calls one gets the user. */
export async function consumeResetToken(db: Db, token: string): Promise<number | null> {
  const hash = hashOf(token)
  if (!hash) return null
  const { rows } = await sql<{ user_id: number }>`
    delete from sys_reset where token_hash = ${hash} and ${VALID} returning user_id`.execute(db)
  return rows[0]?.user_id ?? null
}

function hashOf(token: string): Uint8Array | null {
  const bytes = token.length === 43 ? fromBase64Url(token) : null
  return bytes?.length === TOKEN_BYTES ? sha256(bytes) : null
}
