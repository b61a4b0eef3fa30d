import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { equalBytes, fromBase64Url, toBase64Url } from '../bytes.ts'
import { readCookie, setCookie } from '../http/cookie.ts'
import type { Services } from '../services.ts'
import { issueCsrfToken } from './csrf.ts'

/**
 * CSRF protection of forms for people who are not signed in. A signed cookie takes the place of the session, so that visitors
 * create no rows; the token in the form is bound to it. A second form in the same browser uses the same cookie.
 */
const COOKIE = 'svc_pre'
const ID_BYTES = 16
const LIFE_SECONDS = 12 * 3600
const SIGNATURE = utf8ToBytes('form cookie 1')
const SECRET = utf8ToBytes('form secret 1')

interface FormSession {
  readonly id: Uint8Array
  /** When the cookie was made, in seconds since 1970. */
  readonly madeAt: number
}

export interface FormToken {
  readonly token: string
  /** Cookies the page must set for its form to work. */
  readonly cookies: readonly string[]
}

/** The token for a form of an anonymous page. */
export function issueFormToken(services: Services, headers: Headers, now: Date): FormToken {
  const kept = readFormSession(services, headers, now)
  const session = kept ?? { id: services.random(ID_BYTES), madeAt: secondOf(now) }
  return {
    token: issueCsrfToken(secretOf(services, session), services.random),
    cookies: kept ? [] : [setCookie(services, COOKIE, serialize(services, session), { maxAge: LIFE_SECONDS })],
  }
}

/** The secret that the token of a form is verified with; null when the request has no valid form cookie. */
export function formSecret(services: Services, headers: Headers, now: Date): Uint8Array | null {
  const session = readFormSession(services, headers, now)
  return session && secretOf(services, session)
}

function readFormSession(services: Services, headers: Headers, now: Date): FormSession | null {
  const bytes = fromBase64Url(readCookie(headers.get('cookie'), COOKIE)?.slice(0, 100) ?? '')
  if (bytes?.length !== ID_BYTES + 4 + 32) return null
  const signed = bytes.subarray(0, ID_BYTES + 4)
  if (!equalBytes(bytes.subarray(ID_BYTES + 4), hmac(sha256, services.secretKey, concatBytes(SIGNATURE, signed))))
    return null
  const madeAt = new DataView(signed.buffer, signed.byteOffset + ID_BYTES).getUint32(0)
  return secondOf(now) - madeAt < LIFE_SECONDS ? { id: signed.slice(0, ID_BYTES), madeAt } : null
}

function serialize(services: Services, session: FormSession): string {
  const signed = bytesOf(session)
  return toBase64Url(concatBytes(signed, hmac(sha256, services.secretKey, concatBytes(SIGNATURE, signed))))
}

const secretOf = (services: Services, session: FormSession): Uint8Array =>
  hmac(sha256, services.secretKey, concatBytes(SECRET, bytesOf(session)))

function bytesOf({ id, madeAt }: FormSession): Uint8Array {
  const time = new Uint8Array(4)
  new DataView(time.buffer).setUint32(0, madeAt)
  return concatBytes(id, time)
}

const secondOf = (moment: Date): number => Math.floor(moment.getTime() / 1000)
