import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { equalBytes, toBase64Url } from '../bytes.ts'
import { refusal } from '../errors.ts'
import type { Services } from '../services.ts'

interface SignedRoute {
  readonly method: string
  readonly path: string
}

/**
 * What a program sends as `X-Signature` to a route for programs. It is made of the installation's secret and the route, so it opens
 * nothing else, every process accepts it, and a scheduler can keep it without the secret itself.
 */
export const signatureOf = (secretKey: Uint8Array, { method, path }: SignedRoute): string =>
  toBase64Url(hmac(sha256, secretKey, utf8ToBytes(`signature 1 ${method} ${path}`)))

export function requireSignature({ secretKey }: Services, route: SignedRoute, headers: Headers): void {
  const given = utf8ToBytes(headers.get('x-signature') ?? '')
  if (!equalBytes(sha256(given), sha256(utf8ToBytes(signatureOf(secretKey, route)))))
    throw refusal('UNAUTHORIZED', 'signature_invalid', 'The signature is missing or not valid.')
}
