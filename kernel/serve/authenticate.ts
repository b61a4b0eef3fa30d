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

/** Who sent the same credential before; a guess that is to be proved. */
export function guessCaller(services: Services, headers: Headers): KnownCaller | undefined {
  const key = sentApiKey(headers)
  const token = key === null ? readCookie(headers.get('cookie'), SESSION_COOKIE) : null
  const hash = key === null ? token && hashSessionToken(token) : hashApiKey(services, key)
  return hash ? recallCaller(services, hash) : undefined
}

/** Identifies the caller. If an API key is sent, only the key counts: the cookie is ignored, even if the key is invalid. */
export async function authenticate(services: Services, mode: AuthMode, headers: Headers): Promise<Caller | null> {
  if (mode === 'none' || mode === 'signed') return null
  const key = sentApiKey(headers)
  if (key !== null) return mode === 'session-or-key' ? findKeyCaller(services, key) : null
  const token = readCookie(headers.get('cookie'), SESSION_COOKIE)
  return token === null ? null : findSessionCaller(services, token)
}
