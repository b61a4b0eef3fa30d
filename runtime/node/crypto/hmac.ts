import { createHmac } from 'node:crypto'

/** HMAC-SHA-256 in native code, since every call with an API key needs one. */
export const nativeHmac = (key: Uint8Array, message: Uint8Array): Uint8Array =>
  createHmac('sha256', key).update(message).digest()
