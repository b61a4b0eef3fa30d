import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

const NONCE_BYTES = 12

/**
 * Encrypts a text that a caller keeps for the server: AES-256-GCM under a key derived from the installation's secret, in
 * base64url. Only `unseal` with the same `purpose` opens it. The nonce is a keyed hash of all that is sealed: different texts
 * have different nonces, and the same text is sealed the same way each time.
 */
export async function seal(secretKey: Uint8Array, purpose: string, text: string): Promise<string> {
  const nonce = derive(secretKey, 'nonce', JSON.stringify([purpose, text])).slice(0, NONCE_BYTES)
  const key = await importKey(secretKey, 'encrypt')
  const sealed = await crypto.subtle.encrypt(parameters(nonce, purpose), key, new TextEncoder().encode(text))
  return toBase64Url(concatBytes(nonce, new Uint8Array(sealed)))
}

/** Rejects unless the text was sealed for this purpose under this secret. */
export async function unseal(secretKey: Uint8Array, purpose: string, sealed: string): Promise<string> {
  const bytes = fromBase64Url(sealed)
  const key = await importKey(secretKey, 'decrypt')
  const nonce = bytes.slice(0, NONCE_BYTES)
  const opened = await crypto.subtle.decrypt(parameters(nonce, purpose), key, bytes.slice(NONCE_BYTES))
  return new TextDecoder().decode(opened)
}

const parameters = (nonce: Uint8Array, purpose: string) => ({
  name: 'AES-GCM',
  iv: new Uint8Array(nonce),
  additionalData: new TextEncoder().encode(purpose),
})

const importKey = (secretKey: Uint8Array, usage: 'encrypt' | 'decrypt') =>
  crypto.subtle.importKey('raw', new Uint8Array(derive(secretKey, 'key', '')), 'AES-GCM', false, [usage])

/** One key per use, separate from other uses of the installation's secret. */
const derive = (secretKey: Uint8Array, use: 'key' | 'nonce', text: string): Uint8Array =>
  hmac(sha256, hmac(sha256, secretKey, utf8ToBytes(`seal 1 ${use}`)), utf8ToBytes(text))

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
