import { sha256 } from '@noble/hashes/sha2.js'
import { fromBase64Url, toBase64Url } from '../bytes.ts'
import { SESSION_COOKIE, setCookie } from '../http/cookie.ts'
import type { Services } from '../services.ts'
import type { Db } from '../sql/database.ts'
import { secondsFromNow } from '../sql/moment.ts'
import { sql } from '../sql/sql.ts'

const TOKEN_BYTES = 32

/** Hours that a session lasts: without use (idle) and at most (absolute). */
export interface SessionHours {
  readonly idle: number
  readonly absolute: number
}

/** Unless settings say otherwise. */
export const SESSION_HOURS: SessionHours = { idle: 24, absolute: 14 * 24 }

/** The stored form of a session token; null when the text cannot be one, which saves the query. */
export function hashSessionToken(token: string): Uint8Array | null {
  const bytes = token.length === 43 ? fromBase64Url(token) : null
  return bytes?.length === TOKEN_BYTES ? sha256(bytes) : null
}

export interface NewSession {
  readonly token: string
  readonly csrfSecret: Uint8Array
}

export interface SessionOrigin {
  readonly userId: number
  readonly ip: string | null
  readonly userAgent: string | null
  /** Whether the cookie is kept when the browser closes. */
  readonly isLasting?: boolean
  readonly requestId?: string
}

const MAX_AGENT_CHARS = 300

/** Creates a session. The token is returned here only; the database stores its hash. */
export async function createSession(services: Services, db: Db, origin: SessionOrigin): Promise<NewSession> {
  const token = services.random(TOKEN_BYTES)
  const csrfSecret = services.random(TOKEN_BYTES)
  const { absolute } = services.sessionHours ?? SESSION_HOURS
  await sql`
    with seen as (update sys_credential set seen_at = now() where user_id = ${origin.userId}),
      told as (insert into sys_audit (kind, actor, actor_number, address, request_id)
        select 'sign_in', name, id, ${origin.ip}, ${origin.requestId ?? null} from core_user where id = ${origin.userId})
    insert into sys_session (token_hash, user_id, auth_epoch, csrf_secret, abs_expires_at, reauth_at, ip, ua, is_lasting)
    values (${sha256(token)}, ${origin.userId},
      coalesce((select auth_epoch from sys_credential where user_id = ${origin.userId}), 0),
      ${csrfSecret}, now() + ${absolute} * interval '1 hour', now(), ${origin.ip},
      ${origin.userAgent?.slice(0, MAX_AGENT_CHARS) ?? null}, ${origin.isLasting ?? false})`.execute(db)
  return { token: toBase64Url(token), csrfSecret }
}

/** The cookie of a session; one that lasts is kept as long as the session may live. */
export const sessionCookie = (services: Services, token: string, secondsLeft: number | null): string =>
  setCookie(services, SESSION_COOKIE, token, secondsLeft === null ? {} : { maxAge: secondsLeft })

export const lastingSeconds = ({ sessionHours = SESSION_HOURS }: Services): number => sessionHours.absolute * 3600

/**
 * Rotates the token of a session: returns the new cookie, or null when another request rotated it first. The old token stays
 * valid until the new one has been used, because the answer with the new one may get lost.
 */
export async function rotateSession(services: Services, tokenHash: Uint8Array): Promise<string | null> {
  const token = services.random(TOKEN_BYTES)
  const { rows } = await sql<{ is_lasting: boolean; seconds_left: number }>`
    update sys_session set token_hash = ${sha256(token)}, prev_hash = ${tokenHash}, prev_until = null, rotated_at = now()
    where (token_hash = ${tokenHash} or prev_hash = ${tokenHash}) and rotated_at < now() - interval '3 hours'
    returning is_lasting, greatest(0, extract(epoch from abs_expires_at - now()))::int as seconds_left`.execute(
    services.db,
  )
  const row = rows[0]
  return row ? sessionCookie(services, toBase64Url(token), row.is_lasting ? row.seconds_left : null) : null
}

/** Records that the user has just entered the password again. */
export const refreshSession = (db: Db, sessionId: string) =>
  db
    .updateTable('sys_session')
    .set((eb) => ({ reauth_at: eb.fn<string>('now') }))
    .where('public_id', '=', sessionId)
    .execute()

/** A session as its user sees it. */
export interface OpenSession {
  readonly public_id: string
  readonly created_at: string
  readonly last_seen_at: string
  readonly ip: string | null
  readonly ua: string | null
}

/** The live sessions of a user, the one used last first. */
export async function listSessions(services: Services, db: Db, userId: number): Promise<readonly OpenSession[]> {
  const { idle } = services.sessionHours ?? SESSION_HOURS
  return db
    .selectFrom('sys_session as s')
    .leftJoin('sys_credential as c', 'c.user_id', 's.user_id')
    .select(['s.public_id', 's.created_at', 's.last_seen_at', 's.ip', 's.ua'])
    .where('s.user_id', '=', userId)
    .where((eb) => eb('s.auth_epoch', '=', eb.fn.coalesce('c.auth_epoch', eb.lit(0))))
    .where((eb) => eb('s.abs_expires_at', '>', eb.fn<string>('now')))
    .where((eb) => eb('s.last_seen_at', '>', secondsFromNow(eb, -idle * 3600)))
    .orderBy('s.last_seen_at', 'desc')
    .limit(100)
    .execute()
}

/** Ends one session of a user, or all of them. */
export const endSession = (db: Db, userId: number, sessionId: string) =>
  db.deleteFrom('sys_session').where('user_id', '=', userId).where('public_id', '=', sessionId).execute()

export const endSessions = (db: Db, userId: number) =>
  db.deleteFrom('sys_session').where('user_id', '=', userId).execute()
