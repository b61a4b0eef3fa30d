import { createHmac } from 'node:crypto'

/** Every call with an API key needs one. */
export const nativeHmac = (key: Uint8Array, message: Uint8Array): Uint8Array =>
  createHmac('sha256', key).update(message).digest()
