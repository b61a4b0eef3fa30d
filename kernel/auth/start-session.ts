import { readCookie, SESSION_COOKIE } from '../http/cookie.ts'
import type { Services } from '../services.ts'
import { loginKey } from './check-password.ts'
import { deviceCookie } from './device.ts'
import { findSessionCaller } from './principal.ts'
import { createSession, endSession, lastingSeconds, sessionCookie } from './session.ts'

/** The request with which a user signs in. */
export interface SignInRequest {
  readonly services: Services
  readonly request: Request
  readonly requestId: string
  readonly address: string | null
}

export interface NewcomerSession {
  readonly userId: number
  readonly login: string
  /** Whether it is kept when the browser closes. */
  readonly isLasting?: boolean
}

/** Starts a session for a user who has just been authenticated, and returns its cookies. The session the browser had before ends. */
export async function startSession(
  { services, request, requestId, address }: SignInRequest,
  { userId, login, isLasting = false }: NewcomerSession,
): Promise<readonly string[]> {
  await endCurrent(services, request)
  const origin = { userId, ip: address, userAgent: request.headers.get('user-agent'), isLasting, requestId }
  const { token } = await createSession(services, services.db, origin)
  return [
    sessionCookie(services, token, isLasting ? lastingSeconds(services) : null),
    deviceCookie(services, request.headers, loginKey(login)),
  ]
}

/** Ends the session the browser had before, so that another person who set or saw its token is not signed in. */
async function endCurrent(services: Services, request: Request): Promise<void> {
  const token = readCookie(request.headers.get('cookie'), SESSION_COOKIE)
  const caller = token === null ? null : await findSessionCaller(services, token)
  if (caller?.credential.kind === 'session') {
    await endSession(services.db, caller.user.id, caller.credential.sessionId)
  }
}
