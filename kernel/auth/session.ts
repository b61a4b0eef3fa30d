import { sha256 } from '@noble/hashes/sha2.js'
import type { Services } from '../services.ts'
import type { Db } from '../sql.ts'
import { sql } from '../sql-text.ts'
import { fromBase64Url, toBase64Url } from './base64.ts'

const TOKEN_BYTES = 32

/** How long a session lives without being used, and at most. */
export interface SessionHours {
  readonly idle: number
  readonly absolute: number
}

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
}

/** Opens a session. Only here is its token known: the database keeps a hash. */
export async function createSession(services: Services, db: Db, origin: SessionOrigin): Promise<NewSession> {
  const token = services.random(TOKEN_BYTES)
  const csrfSecret = services.random(TOKEN_BYTES)
  const { absolute } = services.sessionHours ?? SESSION_HOURS
  await sql`
    insert into sys_session (token_hash, user_id, auth_epoch, csrf_secret, abs_expires_at, ip, ua)
    values (${sha256(token)}, ${origin.userId},
      coalesce((select auth_epoch from sys_credential where user_id = ${origin.userId}), 0),
      ${csrfSecret}, now() + ${absolute} * interval '1 hour', ${origin.ip}, ${origin.userAgent})`.execute(db)
  return { token: toBase64Url(token), csrfSecret }
}
