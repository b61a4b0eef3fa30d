import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { AesGcmPort } from '../../../kernel/services.ts'

const ALGORITHM = 'aes-256-gcm'
const TAG_BYTES = 16

/** Synchronous: Web Crypto uses another thread, which costs many times more than encrypting a cursor. */
export const nativeAesGcm: AesGcmPort = {
  encrypt({ key, nonce, purpose }, text) {
    const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(purpose)
    return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
  },
  decrypt({ key, nonce, purpose }, sealed) {
    const end = Math.max(0, sealed.length - TAG_BYTES)
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(purpose)
      .setAuthTag(sealed.subarray(end))
    return Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()])
  },
}
