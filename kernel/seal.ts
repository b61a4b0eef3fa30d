import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { fromBase64Url, toBase64Url } from './bytes.ts'
import { keyedHash } from './hmac.ts'
import type { AesGcmPort, AesGcmUse, Services } from './services.ts'

const NONCE_BYTES = 12

type Sealing = Pick<Services, 'secretKey' | 'aesGcm' | 'hmacSha256' | 'sealKeys'>

/**
 * Encrypts a text that a caller or the database keeps for the server: AES-256-GCM under a key derived from the installation's
 * secret, in base64url. Only `unseal` with the same `purpose` opens it. The nonce is a keyed hash of all that is sealed: different
 * texts have different nonces, and the same text is sealed the same way each time.
 */
export async function seal(services: Sealing, purpose: string, text: string): Promise<string> {
  const { aesGcm = webAesGcm } = services
  const keys = services.sealKeys ?? deriveSealKeys(services)
  const nonce = keyedHash(services, keys.nonce, utf8ToBytes(JSON.stringify([purpose, text]))).slice(0, NONCE_BYTES)
  const use = { key: keys.text, nonce, purpose: utf8ToBytes(purpose) }
  return toBase64Url(concatBytes(nonce, await aesGcm.encrypt(use, utf8ToBytes(text))))
}

/** Rejects unless the text was sealed for this purpose under this secret. */
export async function unseal(services: Sealing, purpose: string, sealed: string): Promise<string> {
  const { aesGcm = webAesGcm } = services
  const bytes = fromBase64Url(sealed)
  if (bytes === null) throw new Error('not base64url')
  const nonce = bytes.slice(0, NONCE_BYTES)
  const { text: key } = services.sealKeys ?? deriveSealKeys(services)
  const use = { key, nonce, purpose: utf8ToBytes(purpose) }
  return new TextDecoder().decode(await aesGcm.decrypt(use, bytes.slice(NONCE_BYTES)))
}

/** Web Crypto, for hosts without a faster implementation: each text goes to another thread and back. */
export const webAesGcm: AesGcmPort = {
  encrypt: async (use, text) =>
    new Uint8Array(await crypto.subtle.encrypt(parameters(use), await importKey(use, 'encrypt'), new Uint8Array(text))),
  decrypt: async (use, sealed) =>
    new Uint8Array(
      await crypto.subtle.decrypt(parameters(use), await importKey(use, 'decrypt'), new Uint8Array(sealed)),
    ),
}

const parameters = ({ nonce, purpose }: AesGcmUse) => ({
  name: 'AES-GCM',
  iv: new Uint8Array(nonce),
  additionalData: new Uint8Array(purpose),
})

const importKey = ({ key }: AesGcmUse, usage: 'encrypt' | 'decrypt') =>
  crypto.subtle.importKey('raw', new Uint8Array(key), 'AES-GCM', false, [usage])

/** The keys of an installation: one for each use, separate from other uses of its secret. */
export interface SealKeys {
  readonly nonce: Uint8Array
  readonly text: Uint8Array
}

export function deriveSealKeys(services: Pick<Services, 'secretKey' | 'hmacSha256'>): SealKeys {
  const ofUse = (use: 'key' | 'nonce') => keyedHash(services, services.secretKey, utf8ToBytes(`seal 1 ${use}`))
  return { nonce: ofUse('nonce'), text: keyedHash(services, ofUse('key'), new Uint8Array()) }
}
