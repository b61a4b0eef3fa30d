import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { equalBytes, fromBase64Url, toBase64Url } from '../bytes.ts'
import { refusal } from '../errors.ts'
import type { Services } from '../services.ts'
import type { Caller } from './principal.ts'

const NONCE_BYTES = 16
const PURPOSE = utf8ToBytes('csrf1')

const seal = (secret: Uint8Array, nonce: Uint8Array) => hmac(sha256, secret, concatBytes(PURPOSE, nonce))

/**
 * A token bound to the session's secret. Every token is different, so that it cannot be guessed from the size of compressed
 * answers (BREACH).
 */
export function issueCsrfToken(secret: Uint8Array, random: (bytes: number) => Uint8Array): string {
  const nonce = random(NONCE_BYTES)
  return toBase64Url(concatBytes(nonce, seal(secret, nonce)))
}

/** The token that this caller's pages send with every change. Callers with an API key need none. */
export const csrfTokenFor = ({ credential }: Caller, { random }: Services): string =>
  credential.kind === 'session' ? issueCsrfToken(credential.csrfSecret, random) : ''

export function isCsrfToken(secret: Uint8Array, token: string): boolean {
  const bytes = token.length === 64 ? fromBase64Url(token) : null
  return bytes !== null && equalBytes(bytes.subarray(NONCE_BYTES), seal(secret, bytes.subarray(0, NONCE_BYTES)))
}

/**
 * First check: the origin that the browser reports. Clients that send neither header are not current browsers; for them only
 * the token counts.
 */
export function isSameOrigin(headers: Headers, origin: string, isAnonymous = false): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const sender = headers.get('origin')
  // A page with `Referrer-Policy: no-referrer`, such as that of a reset link, sends `Origin: null`.
  return sender === null || sender === origin || (isAnonymous && sender === 'null')
}

/** The two CSRF checks of a request that may change something. They run separately, because the token may be in the body. */
export interface CsrfLock {
  origin(): void
  token(token: string | null): void
}

export interface LockOptions {
  /** The only origin that requests may come from. */
  readonly origin: string
  /** The secret the token is verified with; with null every token is refused. */
  readonly secret: Uint8Array | null
  /** No user is signed in, so there is no session that a request could misuse. */
  readonly isAnonymous: boolean
}

export const csrfLock = (headers: Headers, { origin, secret, isAnonymous }: LockOptions): CsrfLock => ({
  origin() {
    if (!isSameOrigin(headers, origin, isAnonymous))
      throw refusal('CSRF', 'cross_site', 'The request comes from another site.')
  },
  token(token) {
    if (token === null || secret === null || !isCsrfToken(secret, token)) {
      throw refusal('CSRF', 'csrf_token', 'The CSRF token is missing or not valid. Load the page anew and try again.')
    }
  },
})
