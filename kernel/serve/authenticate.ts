import { hashApiKey } from '../auth/api-key.ts'
import { type KnownCaller, recallCaller } from '../auth/known-callers.ts'
import { type Caller, findKeyCaller, findSessionCaller } from '../auth/principal.ts'
import { hashSessionToken } from '../auth/session.ts'
import { readCookie, SESSION_COOKIE } from '../http/cookie.ts'
import type { Services } from '../services.ts'
import type { AuthMode } from './route.ts'

const BEARER = /^bearer +/i

/** An API key sent in a header. `X-API-Key` comes first; other schemes of `Authorization` are ignored. */
export function sentApiKey(headers: Headers): string | null {
  const key = headers.get('x-api-key')
  if (key !== null) return key.trim()
  const authorization = headers.get('authorization')
  return authorization !== null && BEARER.test(authorization) ? authorization.replace(BEARER, '').trim() : null
}

type Sent = { readonly key: string } | { readonly token: string }

/**
 * The credential that a route of this mode accepts. If an API key is sent, only the key counts: the cookie is ignored, even if the key is
 * invalid or the route accepts no keys.
 */
function sentTo(mode: AuthMode, headers: Headers): Sent | null {
  if (mode === 'none' || mode === 'signed') return null
  const key = sentApiKey(headers)
  if (key !== null) return mode === 'session-or-key' ? { key } : null
  const token = readCookie(headers.get('cookie'), SESSION_COOKIE)
  return token === null ? null : { token }
}

/** The remembered caller who sent this credential before; still to be verified. */
export function guessCaller(services: Services, mode: AuthMode, headers: Headers): KnownCaller | undefined {
  const sent = sentTo(mode, headers)
  if (sent === null) return undefined
  const hash = 'key' in sent ? hashApiKey(services, sent.key) : hashSessionToken(sent.token)
  return hash ? recallCaller(services, hash) : undefined
}

/** Identifies the caller. */
export async function authenticate(services: Services, mode: AuthMode, headers: Headers): Promise<Caller | null> {
  const sent = sentTo(mode, headers)
  if (sent === null) return null
  return 'key' in sent ? findKeyCaller(services, sent.key) : findSessionCaller(services, sent.token)
}
