import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Services } from './services.ts'

type Hashing = Pick<Services, 'hmacSha256'>

/** HMAC-SHA256 in the host's own code where it has some, which takes a tenth of the time. */
export const keyedHash = ({ hmacSha256 = inScript }: Hashing, key: Uint8Array, message: Uint8Array): Uint8Array =>
  hmacSha256(key, message)

const inScript = (key: Uint8Array, message: Uint8Array): Uint8Array => hmac(sha256, key, message)
