import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { equalBytes, fromBase64Url, toBase64Url } from '../bytes.ts'
import { readCookie, setCookie } from '../http/cookie.ts'
import type { Services } from '../services.ts'

/**
 * Marks a browser in which an account has signed in before. Its sign-ins are counted separately, so that guesses from elsewhere do not
 * lock the owner out. The cookie is signed, bound to the account, and grants nothing else.
 */
const COOKIE = 'svc_device'
const ID_BYTES = 16
const LIFE_SECONDS = 365 * 24 * 3600
/** Keeps these signatures apart from other uses of the installation's secret. */
const PURPOSE = utf8ToBytes('device cookie 1:')

/** The id of the browser in hexadecimal; null when the account has not signed in there yet. */
export function readDevice(services: Services, headers: Headers, loginKey: string): string | null {
  const id = readId(services, headers, loginKey)
  return id && bytesToHex(id)
}

/** The cookie that a successful sign-in sets. A browser that is known keeps its id. */
export function deviceCookie(services: Services, headers: Headers, loginKey: string): string {
  const id = readId(services, headers, loginKey) ?? services.random(ID_BYTES)
  const value = toBase64Url(concatBytes(id, sign(services, id, loginKey)))
  return setCookie(services, COOKIE, value, { maxAge: LIFE_SECONDS, path: '/web/login' })
}

function readId(services: Services, headers: Headers, loginKey: string): Uint8Array | null {
  const bytes = fromBase64Url(readCookie(headers.get('cookie'), COOKIE)?.slice(0, 100) ?? '')
  if (bytes?.length !== ID_BYTES + 32) return null
  const id = bytes.slice(0, ID_BYTES)
  return equalBytes(bytes.subarray(ID_BYTES), sign(services, id, loginKey)) ? id : null
}

const sign = ({ secretKey }: Services, id: Uint8Array, loginKey: string): Uint8Array =>
  hmac(sha256, secretKey, concatBytes(PURPOSE, id, utf8ToBytes(loginKey)))
